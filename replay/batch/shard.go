package batch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is one of several equal parts of the jobs: Index counts from 1 to Total.
type Shard struct {
	Index int `json:"index"`
	Total int `json:"total"`
}

// ErrShard says that a text names no shard.
var ErrShard = errors.New("is not INDEX/TOTAL with 1 ≤ INDEX ≤ TOTAL")

// maxShards bounds the number of shards.
const maxShards = 100_000

// ParseShard reads "2/5".
func ParseShard(s string) (Shard, error) {
	index, total, ok := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(total)
	if !ok || err1 != nil || err2 != nil || i < 1 || i > n || n > maxShards {
		return Shard{}, fmt.Errorf("%q %w", s, ErrShard)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Total) }

// Job is what sharding needs to know of a job.
type Job struct {
	Name string
	MS   float64 // how long it took before, in milliseconds; 0 when that is not known
}

// Pick gives the places of the jobs of this shard, in ascending order. Every job is in exactly one shard, as long as all
// machines are given the same names and times, in whatever order.
//
// When no time is known, the jobs are dealt out by name, so that the shards' numbers differ by one at most. Else the longest
// job goes first, always to the shard with the least to do; a job whose time is not known counts as the median of the others.
func (s Shard) Pick(jobs []Job) []int {
	order := make([]int, len(jobs))
	var times []float64
	for i, j := range jobs {
		order[i] = i
		if j.MS > 0 {
			times = append(times, j.MS)
		}
	}
	slices.Sort(times)
	ms := func(i int) float64 {
		switch {
		case jobs[i].MS > 0:
			return jobs[i].MS
		case len(times) > 0:
			return times[len(times)/2]
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ms(b), ms(a)), cmp.Compare(jobs[a].Name, jobs[b].Name))
	})
	load, mine := make([]float64, s.Total), []int{}
	for _, i := range order {
		least := 0
		for k := range load {
			if load[k] < load[least] {
				least = k
			}
		}
		load[least] += ms(i)
		if least == s.Index-1 {
			mine = append(mine, i)
		}
	}
	slices.Sort(mine)
	return mine
}
