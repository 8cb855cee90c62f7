package main

import (
	"path/filepath"

	"retrace/replay/assert"
	"retrace/replay/trace"
)

// bundleTrace is the name of the recording in a bundle directory, beside which assertions may lie.
const bundleTrace = "trace.json"

// givenAsserts reads the files of assertions that the options name, each once.
func (o *runOptions) givenAsserts() (map[string]*assert.Set, error) {
	given := map[string]*assert.Set{}
	for _, one := range o.each {
		file := one.assertFile
		if file == "" || given[file] != nil {
			continue
		}
		set, err := assert.Load(file)
		if err != nil {
			return nil, &usageError{err: err, hint: "see docs/assertions.md"}
		}
		given[file] = set
	}
	return given, nil
}

// assertsFor are the assertions about a recording: the given ones, else those that lie beside it, nil for none. Their steps
// must be steps of the recording.
func assertsFor(t *trace.Trace, given *assert.Set) (*assert.Set, error) {
	set, err := given, error(nil)
	if given == nil && filepath.Base(t.File) == bundleTrace {
		set, err = assert.LoadBundle(filepath.Dir(t.File))
	}
	if err == nil {
		err = set.Check(stepIDs(t))
	}
	return set, err
}

func stepIDs(t *trace.Trace) []int {
	ids := make([]int, len(t.Steps))
	for i, s := range t.Steps {
		ids[i] = s.ID
	}
	return ids
}
