package batch

import (
	"fmt"
	"strconv"
)

// ciVariables are those by which systems of continuous integration tell a job which of several equal ones it is.
var ciVariables = []struct {
	system, index, total string
	from                 int // the lowest index
}{
	{"GitLab CI", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
	{"Semaphore", "SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", 1},
	{"Azure Pipelines", "SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", 1},
	{"Bitbucket Pipelines", "BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", 0},
	{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
}

// DetectShard finds the shard that the environment names, and the system whose variables name it; system is empty when none
// does. It is an error when a system gives one of its two variables only, or numbers that make no sense: to do everything
// then would do it once on each machine.
func DetectShard(env func(string) string) (s Shard, system string, err error) {
	for _, v := range ciVariables {
		index, total := env(v.index), env(v.total)
		switch {
		case index == "" && total == "", index == "" && total == "1":
			continue // GitLab sets the total everywhere
		case index == "":
			return s, "", fmt.Errorf("%s: %s is set and %s is not", v.system, v.total, v.index)
		case total == "":
			return s, "", fmt.Errorf("%s: %s is set and %s is not", v.system, v.index, v.total)
		}
		i, err1 := strconv.Atoi(index)
		n, err2 := strconv.Atoi(total)
		i += 1 - v.from
		if err1 != nil || err2 != nil || i < 1 || i > n || n > maxShards {
			return s, "", fmt.Errorf("%s: %s=%q and %s=%q name no shard", v.system, v.index, index, v.total, total)
		}
		return Shard{i, n}, v.system, nil
	}
	return s, "", nil
}
