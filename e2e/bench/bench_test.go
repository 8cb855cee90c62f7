package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/e2e/peers"
	"retrace/replay/plan"
	"retrace/replay/trace"
)

// TestFlows: every generated recording is one that retrace takes without a complaint, and its plan does what was recorded.
func TestFlows(t *testing.T) {
	for _, f := range flows() {
		t.Run(f.Name, func(t *testing.T) {
			dir := t.TempDir()
			r := f.make("http://127.0.0.1:1")
			if err := r.write(dir); err != nil {
				t.Fatal(err)
			}
			got, err := trace.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Warnings) > 0 {
				t.Error(got.Warnings)
			}
			if want := f.Rows > 0; got.States[0].Truncated != want {
				t.Errorf("truncated = %t with %d rows", got.States[0].Truncated, f.Rows)
			}
			done := 0
			for _, it := range plan.Make(got) {
				if it.Step != nil && it.Kind != plan.Skip {
					done++
				}
			}
			if done != len(r.steps) {
				t.Errorf("%d of %d steps are planned", done, len(r.steps))
			}
			for i, s := range got.Steps {
				if s.State.Tree.ByRef(s.Target.Ref) == nil {
					t.Errorf("step %d: the page text has no %s", i+1, s.Target.Ref)
				}
			}
		})
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   spread
	}{
		{nil, spread{}},
		{[]float64{7}, spread{7, 7, 7, 1}},
		{[]float64{4, 1, 3, 2, 5}, spread{3, 2, 4, 5}},
		{[]float64{1, 2}, spread{1.5, 1.25, 1.75, 2}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("spread of %v = %v, want %v", c.values, got, c.want)
		}
	}
	if d := cmp.Diff([]float64{.5, 2}, ratios([]float64{1, 4, 9, 9}, []float64{2, 2, 0})); d != "" {
		t.Error(d)
	}
}

// TestPerStep: what passes between two steps belongs to the earlier one, and what passes before and after all to none.
func TestPerStep(t *testing.T) {
	steps := []peers.Step{{ID: 1, Op: "fill", Began: 10, Ended: 20}, {ID: 2, Op: "click", Began: 30, Ended: 40}}
	all := []passed{{5, true, 1}, {10, true, 2}, {12, false, 4}, {25, true, 8}, {30, true, 16}, {39, false, 32}, {40, true, 64}}
	w := &wire{}
	w.perStep(steps, all)
	if d := cmp.Diff(map[string]float64{"fill": 2, "click": 1}, w.Commands); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"fill": 14, "click": 48}, w.Bytes); d != "" {
		t.Error(d)
	}
}
