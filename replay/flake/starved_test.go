package flake

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/trace"
)

// kept has a step kept from the processor for so many milliseconds.
func kept(s replay.StepResult, ms float64) replay.StepResult {
	s.Course.Starved = ms
	return s
}

// TestStarved: what goes wrong where the machine had no processor for the page says nothing of the page. The deadline is 2 s.
func TestStarved(t *testing.T) {
	missing := bad(replay.TargetMissing, "no button")
	twice := with(good(), func(s *replay.StepResult) { s.Verdict, s.Retried = replay.Warned, true })
	late := with(good(), func(s *replay.StepResult) {
		s.Course.Waits = []replay.Wait{{For: replay.AwaitsTarget, MS: 1900, Idle: 1700, Times: 9}}
	})
	of := func(n int, s replay.StepResult) []*Run {
		var out []*Run
		for i := range 10 {
			x := good()
			if i < n {
				x = s
			}
			out = append(out, runOf(plain(uint64(i)), x, nil))
		}
		return out
	}
	cpu := Variant{"cpu-6x", CPU, 1}
	tests := []struct {
		name string
		runs []*Run
		want Verdict
		why  Cause
	}{
		{"one failure", of(1, kept(missing, 1500)), Unsteady, Environment},
		{"several failures", of(4, kept(missing, 1500)), Starved, Environment},
		{"all fail", of(10, kept(missing, 1500)), Starved, Environment},
		{"all pass", of(10, kept(good(), 1500)), Stable, ""},
		{"several done twice", of(4, kept(twice, 1500)), Starved, Environment},
		{"near the deadline", of(4, kept(late, 1500)), Stable, ""},
		{"waits that are the machine's", of(5, kept(with(good(), waits(replay.AwaitsTarget, 900, 0)), 800)), Stable, ""},
		{"waits that are always as long, on a busy machine", append(of(10, with(good(), waits(replay.AwaitsTarget, 1100, 0))), runOf(plain(11), kept(with(good(), waits(replay.AwaitsTarget, 1100, 0)), 600), nil)), Stable, ""},
		{"waits that are the page's", of(5, kept(with(good(), waits(replay.AwaitsTarget, 900, 0)), 100)), Unsteady, LateRender},
		{"not long enough to be to blame", of(4, kept(missing, 900)), Flaky, LateRender},
		{"beside failures that are the page's", append(of(4, kept(missing, 1500)), runOf(plain(11), missing, nil)), Flaky, LateRender},
		{"under stress", append(of(0, good()), runOf(cpu, kept(missing, 1500), nil), runOf(cpu, kept(missing, 1500), nil)), Unsteady, Environment},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyse(tt.runs, deadline, 1)
			if r.Verdict != tt.want || r.Cause() != tt.why {
				t.Fatalf("%s for %q, want %s for %q", r.Verdict, r.Cause(), tt.want, tt.why)
			}
			if tt.why != Environment {
				return
			}
			s := r.Steps[r.First]
			if len(s.Causes) != 1 || !strings.Contains(s.Causes[0].Evidence[0], "no processor for 1.5") || !strings.Contains(s.Why, "the machine") {
				t.Errorf("%s: %+v", s.Why, s.Causes)
			}
		})
	}
}

// TestStarvedRunsAreRepeated with nothing beside them, a few of them.
func TestStarvedRunsAreRepeated(t *testing.T) {
	for _, tt := range []struct{ starved, want int }{{0, 8}, {1, 9}, {8, 10}} {
		p := &played{}
		h := &hunt{Settings: Settings{Runs: 8, Workers: 3, Replay: replay.Options{Timeout: deadline}}}
		h.replay = func(ctx context.Context, tr *trace.Trace, o replay.Options) (*replay.Result, error) {
			n := int(p.begun.Add(1))
			p.running.Add(1)
			defer p.running.Add(-1)
			for range 1000 { // others may begin now, if anything lets them
				runtime.Gosched()
				if n > 8 && p.running.Load() > 1 {
					t.Error("a run that is repeated is not alone")
					break
				}
			}
			if n > tt.starved {
				return runOf(plain(1), good(), nil).Result, nil
			}
			return runOf(plain(1), kept(bad(replay.TargetMissing, ""), 1500), nil).Result, nil
		}
		runs, err := h.all(t.Context())
		if err != nil || len(runs) != tt.want {
			t.Errorf("%d starved: %d runs, %v", tt.starved, len(runs), err)
		}
		if slices.ContainsFunc(runs, func(r *Run) bool { return r.Kind != Plain }) {
			t.Error("stress")
		}
	}
}
