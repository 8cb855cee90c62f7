package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"retrace/replay/batch"
)

// Shard is the part of all traces that one of several machines replays.
type Shard struct {
	batch.Shard
	// Traces is the number of traces of the shard, Of that of all shards.
	Traces int `json:"traces"`
	Of     int `json:"of"`
}

// complete says what is lacking when the documents of the report directories from are the shards of one whole: a machine
// whose report is not there, or traces that no machine replayed. Documents that are no shards say nothing.
func complete(docs []*Document, from []string) []string {
	byTotal := map[int]map[int]*Shard{}
	var problems []string
	for i, d := range docs {
		s := d.Shard
		if s == nil {
			continue
		}
		if n := len(d.Results); n < s.Traces {
			problems = append(problems, fmt.Sprintf("%s: holds %d of the %d traces of shard %s", from[i], n, s.Traces, s))
		}
		if byTotal[s.Total] == nil {
			byTotal[s.Total] = map[int]*Shard{}
		}
		byTotal[s.Total][s.Index] = s
	}
	var totals []int
	for total := range byTotal {
		totals = append(totals, total)
	}
	slices.Sort(totals)
	for _, total := range totals {
		shards := byTotal[total]
		var missing []string
		traces, of := 0, 0
		for i := 1; i <= total; i++ {
			if s := shards[i]; s != nil {
				traces, of = traces+s.Traces, max(of, s.Of)
			} else if len(missing) < 10 {
				missing = append(missing, fmt.Sprintf("%d/%d", i, total))
			}
		}
		switch {
		case len(missing) > 0:
			problems = append(problems, "there is no report of "+plural(total-len(shards), "shard")+": "+strings.Join(missing, ", "))
		case traces != of:
			problems = append(problems, fmt.Sprintf("the shards hold %d of %d traces together: they were not given the same recordings, or not the same timings", traces, of))
		}
	}
	return problems
}

// Timings are how long traces took in an earlier run.
type Timings struct {
	byFile map[string]float64
	byName map[string]float64 // negative for a name that occurs more than once
}

// ReadTimings reads them from results, those of a merged report too.
func ReadTimings(file string) (Timings, error) {
	d, err := ReadResults(file)
	if err != nil {
		return Timings{}, err
	}
	t := Timings{byFile: map[string]float64{}, byName: map[string]float64{}}
	for _, r := range d.Results {
		ms := wholeTime(r)
		t.byFile[key(r.File)] = ms
		if _, twice := t.byName[r.Trace]; twice {
			ms = -1
		}
		t.byName[r.Trace] = ms
	}
	return t, nil
}

// Of is how long the recording at a path took, in milliseconds with all attempts: that of the same path, else that of the only
// one of the same name. It is 0 when that is not known.
func (t Timings) Of(file string) float64 {
	if ms, ok := t.byFile[key(file)]; ok {
		return ms
	}
	return max(0, t.byName[path.Base(key(file))])
}

// key is the path of a bundle or of a file, in one form for all systems.
func key(file string) string {
	return path.Clean(strings.TrimSuffix(filepath.ToSlash(filepath.Clean(file)), "/trace.json"))
}
