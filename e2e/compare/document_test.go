package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/e2e/harness"
)

// TestSum: a stop counts as right only where nothing else will do.
func TestSum(t *testing.T) {
	verdicts := func(ours, theirs harness.Verdict) map[string]harness.Verdict {
		return map[string]harness.Verdict{tools[0]: ours, tools[1]: theirs, tools[2]: harness.Late}
	}
	d := &document{Versions: map[string]string{}, Rows: []row{
		{Set: sets[0].name, Want: []harness.Verdict{harness.OK}, Verdicts: verdicts(harness.OK, harness.Stop)},
		{Set: sets[0].name, Want: []harness.Verdict{harness.Stop}, Verdicts: verdicts(harness.Stop, harness.Wrong)},
		{Set: sets[1].name, Want: []harness.Verdict{harness.OK, harness.Stop}, Verdicts: verdicts(harness.Stop, harness.Silent)},
	}}
	d.sum()
	want := []sum{
		{Set: sets[0].name, Tool: tools[0], Right: 2, Of: 2}, {Set: sets[0].name, Tool: tools[1], Stopped: 1, Wrong: 1, Of: 2},
		{Set: sets[0].name, Tool: tools[2], Stopped: 2, Of: 2}, {Set: sets[1].name, Tool: tools[0], Right: 1, Of: 1},
		{Set: sets[1].name, Tool: tools[1], Silent: 1, Of: 1}, {Set: sets[1].name, Tool: tools[2], Stopped: 1, Of: 1},
	}
	if diff := cmp.Diff(want, d.Sums); diff != "" {
		t.Error(diff)
	}
	if table := d.table(); !strings.Contains(table, "| 2 recordings | retrace | 2 | 0 | 0 | 0 |") {
		t.Error(table)
	}
}
