package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseShard(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Shard
		ok   bool
	}{{"1/1", Shard{1, 1}, true}, {"2/5", Shard{2, 5}, true}, {"0/5", Shard{}, false}, {"6/5", Shard{}, false}, {"2", Shard{}, false}, {"a/b", Shard{}, false}, {"1/5/2", Shard{}, false}, {"1/1000000", Shard{}, false}} {
		got, err := ParseShard(tt.in)
		if got != tt.want || (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrShard) {
			t.Errorf("ParseShard(%q) = %v, %v", tt.in, got, err)
		}
	}
}

// Whatever the order of the arguments and whatever is known of the durations, each job is in exactly one shard.
func TestShardsAreWhole(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n, total := dice.IntN(30), 1+dice.IntN(8)
		jobs := make([]Job, n)
		for i := range jobs {
			jobs[i].Name = fmt.Sprintf("t%02d", i)
			if dice.IntN(3) > 0 {
				jobs[i].MS = float64(dice.IntN(4))
			}
		}
		owner := map[string]int{}
		for k := range total {
			dice.Shuffle(n, func(a, b int) { jobs[a], jobs[b] = jobs[b], jobs[a] }) // each machine in an order of its own
			picked := Shard{k + 1, total}.Pick(jobs)
			if !slices.IsSorted(picked) {
				t.Fatalf("not in the order of the jobs: %v", picked)
			}
			for _, i := range picked {
				if had := owner[jobs[i].Name]; had != 0 {
					t.Fatalf("%s is in the shards %d and %d", jobs[i].Name, had, k+1)
				}
				owner[jobs[i].Name] = k + 1
			}
		}
		if len(owner) != n {
			t.Fatalf("%d of %d jobs are in a shard", len(owner), n)
		}
	}
}

func TestShardWithoutTimings(t *testing.T) {
	jobs := []Job{{Name: "c"}, {Name: "a"}, {Name: "b"}, {Name: "d"}, {Name: "e"}}
	if diff := cmp.Diff([][]int{{1, 3}, {2, 4}, {0}}, [][]int{Shard{1, 3}.Pick(jobs), Shard{2, 3}.Pick(jobs), Shard{3, 3}.Pick(jobs)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (Shard{6, 6}).Pick(jobs); len(got) != 0 {
		t.Errorf("more shards than jobs: %v", got)
	}
}

func TestShardBalances(t *testing.T) {
	jobs := []Job{{"long", 100}, {"a", 40}, {"b", 35}, {"c", 30}, {"new", 0}}
	// The new one counts as 40, the upper median: long | a, b | new, c.
	if diff := cmp.Diff([][]int{{0}, {1, 2}, {3, 4}}, [][]int{Shard{1, 3}.Pick(jobs), Shard{2, 3}.Pick(jobs), Shard{3, 3}.Pick(jobs)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDetectShard(t *testing.T) {
	for _, tt := range []struct {
		env    string
		want   Shard
		system string
		err    string
	}{
		{env: ""},
		{env: "CI_NODE_TOTAL=1"},
		{env: "CI_NODE_INDEX=2 CI_NODE_TOTAL=5", want: Shard{2, 5}, system: "GitLab CI"},
		{env: "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=3", want: Shard{1, 3}, system: "CircleCI"},
		{env: "BUILDKITE_PARALLEL_JOB=2 BUILDKITE_PARALLEL_JOB_COUNT=3", want: Shard{3, 3}, system: "Buildkite"},
		{env: "CI_NODE_TOTAL=1 JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=10", want: Shard{5, 10}, system: "Kubernetes"},
		{env: "JOB_COMPLETION_INDEX=4", err: "Kubernetes: JOB_COMPLETION_INDEX is set and JOB_COMPLETIONS is not"},
		{env: "CI_NODE_TOTAL=5", err: "CI_NODE_TOTAL is set and CI_NODE_INDEX is not"},
		{env: "CI_NODE_INDEX=0 CI_NODE_TOTAL=5", err: "name no shard"},
		{env: "CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=3", err: "name no shard"},
		{env: "CIRCLE_NODE_INDEX=x CIRCLE_NODE_TOTAL=3", err: "name no shard"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(tt.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		got, system, err := DetectShard(func(name string) string { return env[name] })
		if got != tt.want || system != tt.system || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %v, %q, %v", tt.env, got, system, err)
		}
	}
}
