package main

import (
	"path/filepath"

	"retrace/replay/assert"
	"retrace/replay/trace"
)

// bundleTrace is the name of the recording in a bundle directory, beside which assertions may lie.
const bundleTrace = "trace.json"

// loadAsserts reads the assertions of each recording, nil where it has none, and checks that they name its steps. It shows
// the problems of all before it gives up.
func (a *app) loadAsserts(recordings []*trace.Trace, o *runOptions) ([]*assert.Set, error) {
	out := make([]*assert.Set, len(recordings))
	bad := false
	for i, t := range recordings {
		set, err := (*assert.Set)(nil), error(nil)
		if file := o.each[i].assertFile; file != "" {
			if set, err = assert.Load(file); err != nil {
				return nil, &usageError{err: err, hint: "see docs/assertions.md"}
			}
		} else if filepath.Base(t.File) == bundleTrace {
			set, err = assert.LoadBundle(filepath.Dir(t.File))
		}
		if err == nil {
			err = set.Check(stepIDs(t))
		}
		if err != nil {
			a.complain(err.Error(), "")
			bad = true
		}
		out[i] = set
	}
	if bad {
		return nil, codeError(exitUsage)
	}
	return out, nil
}

func stepIDs(t *trace.Trace) []int {
	ids := make([]int, len(t.Steps))
	for i, s := range t.Steps {
		ids[i] = s.ID
	}
	return ids
}
