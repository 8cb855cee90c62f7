package main

import (
	"context"
	"slices"
	"sync"

	"retrace/replay/assert"
	"retrace/replay/batch"
	"retrace/replay/trace"
)

// keptInMemory is how many recordings are kept from the check to their replay. More of them are read again when it is their
// turn, so that memory does not grow with their number.
const keptInMemory = 8

// job is one recording to replay.
type job struct {
	path   string
	name   string       // of the recording
	trace  *trace.Trace // nil when it is to be read again
	assert *assert.Set  // nil for none
}

// load gives the recording.
func (j *job) load(a *app) (*trace.Trace, error) {
	if j.trace != nil {
		return j.trace, nil
	}
	return a.load(j.path)
}

// loadAll reads every recording, and the assertions that go with it, before it gives up, so that one call shows all problems.
func (a *app) loadAll(ctx context.Context, paths []string, o *runOptions) ([]job, error) {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return nil, usagef("", "standard input can be read only once")
	}
	given, err := o.givenAsserts()
	if err != nil {
		return nil, err
	}
	jobs := make([]job, len(paths))
	var (
		lanes batch.Lanes
		mu    sync.Mutex
		bad   bool
	)
	batch.Run(ctx, len(paths), batch.Workers(), func(i int) bool {
		defer lanes.Done(i)
		j, err := a.prepare(paths[i], given[o.each[i].assertFile])
		if err != nil {
			mu.Lock()
			bad = true
			mu.Unlock()
			lanes.Do(i, func() { a.complain(err.Error(), "") })
			return true
		}
		if len(paths) > keptInMemory && paths[i] != "-" {
			j.trace = nil
		}
		jobs[i] = j
		return true
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if bad {
		return nil, codeError(exitUsage)
	}
	return jobs, nil
}

// prepare reads one recording and its assertions.
func (a *app) prepare(path string, given *assert.Set) (job, error) {
	t, err := a.load(path)
	if err != nil {
		return job{}, err
	}
	set, err := assertsFor(t, given)
	return job{path: path, name: t.Name, trace: t, assert: set}, err
}
