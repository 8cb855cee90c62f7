package flake

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/verify"
	"retrace/resolve"
)

const deadline = 2 * time.Second

// good is a step that passed.
func good() replay.StepResult {
	return replay.StepResult{
		Index: 1, Steps: []int{1}, Title: `click button "Save"`, Verdict: replay.Passed, URL: "http://localhost/a", Effect: &replay.Effect{Verdict: verify.Confirmed},
		Decision: &resolve.Decision{Outcome: resolve.One, Tier: resolve.TierExact, Total: 1, Candidates: []resolve.Candidate{{Role: "button", Name: "Save", Chosen: true, Score: 1}}},
		Course:   replay.Course{Found: 20, Ready: 60, Acted: 80, Shown: 120},
	}
}

// bad is a step that failed.
func bad(code replay.Code, text string) replay.StepResult {
	s := good()
	s.Verdict, s.Failure = replay.Failed, &replay.Failure{Code: code, Text: text}
	s.Course = replay.Course{}
	switch code {
	case replay.TargetMissing, replay.PageMismatch:
		s.Decision = &resolve.Decision{Outcome: resolve.Missing}
	case replay.TargetAmbiguous:
		s.Decision = &resolve.Decision{Outcome: resolve.Ambiguous, Total: 2}
	}
	return s
}

// with changes a copy of a step.
func with(s replay.StepResult, change func(*replay.StepResult)) replay.StepResult {
	change(&s)
	return s
}

func waits(o replay.Obstacle, ms, requests float64) func(*replay.StepResult) {
	return func(s *replay.StepResult) {
		s.Course.Waits = []replay.Wait{{For: o, MS: ms, Idle: ms * 0.9, Requests: requests, Times: 9, Text: "it is so"}}
	}
}

func comes(what string) func(*replay.StepResult) {
	return func(s *replay.StepResult) { s.Course.Late = &replay.Late{What: what, MS: 3100} }
}

// shown are the pages of a run with the target at a place.
func shown(target int, names ...string) map[int]Page { return map[int]Page{1: {names, target}} }

// runOf makes a run of an opening and one step.
func runOf(v Variant, s replay.StepResult, pages map[int]Page) *Run {
	r := &replay.Result{Trace: "made", Verdict: s.Verdict, Failure: s.Failure, Steps: []replay.StepResult{{Title: "open", Verdict: replay.Passed, URL: "http://localhost/a"}, s}}
	return &Run{Variant: v, Result: r, Pages: pages}
}

// half are eight plain runs: every second is as good, the others as bad.
func half(bad replay.StepResult) []*Run {
	var out []*Run
	for i := range 8 {
		s := bad
		if i%2 == 0 {
			s = good()
		}
		out = append(out, runOf(plain(uint64(i)), s, nil))
	}
	return out
}

// paged is half with what the pages showed.
func paged(bad replay.StepResult, goodPage, badPage map[int]Page) []*Run {
	out := half(bad)
	for i, r := range out {
		r.Pages = badPage
		if i%2 == 0 {
			r.Pages = goodPage
		}
	}
	return out
}

// stressed are eight good plain runs and stressed ones that fail.
func stressed(bad replay.StepResult, variants ...Variant) []*Run {
	var out []*Run
	for i := range 8 {
		out = append(out, runOf(plain(uint64(i)), good(), nil))
	}
	for _, v := range variants {
		out = append(out, runOf(v, bad, nil))
	}
	return out
}

// TestCauses gives each cause its signs.
func TestCauses(t *testing.T) {
	missing := bad(replay.TargetMissing, `no button "Save" on the page`)
	unseen := bad(replay.EffectNotSeen, "what the recording shows next did not come")
	unseen.Effect = &replay.Effect{Verdict: verify.NotSeen, Missing: []string{"Saved"}}
	de := Variant{"locale-de-DE", Locale, 1}
	tests := []struct {
		name string
		runs []*Run
		want Cause
	}{
		{"target comes later", half(with(missing, comes("target"))), LateRender},
		{"target never comes", half(missing), LateRender},
		{"hidden", half(bad(replay.TargetHidden, "it is hidden")), LateRender},
		{"options come late", half(bad(replay.OptionMissing, "no option")), LateRender},
		{"disabled", half(bad(replay.TargetDisabled, "it is disabled")), LateEnabling},
		{"read only", half(with(bad(replay.TargetReadOnly, "it is read only"), comes("enabled"))), LateEnabling},
		{"covered", half(bad(replay.TargetCovered, `covered by div "Loading"`)), CoveredTarget},
		{"replaced for ever", half(with(bad(replay.Timeout, `button "Save" was replaced again and again`), waits(replay.AwaitsElement, 1900, 0))), Rerendered},
		{"replaced between press and release", half(with(unseen, func(s *replay.StepResult) {
			s.Course.Unheard = true
		})), Rerendered},
		{"twins", half(bad(replay.TargetAmbiguous, "2 buttons fit")), AmbiguousLoad},
		{"another name, proposed", func() []*Run {
			runs := half(missing)
			for _, r := range runs {
				if r.failed() {
					r.Result.Proposals = []replay.Proposal{{Step: 1, Field: "name", From: "Save", To: "Store"}}
				}
			}
			return runs
		}(), NameChanges},
		{"another name in its place", paged(missing, shown(1, `heading "Form"`, `button "Save"`), shown(-1, `heading "Form"`, `button "Keep"`)), NameChanges},
		{"a count in the name", half(with(good(), func(s *replay.StepResult) {
			s.Verdict = replay.Warned
			s.Decision = &resolve.Decision{Outcome: resolve.One, Tier: resolve.TierVolatile, Warnings: []string{"differs in a number"}, Candidates: []resolve.Candidate{{Role: "button", Name: "Save 3", Chosen: true}}}
		})), NameChanges},
		{"another order", paged(with(unseen, func(s *replay.StepResult) { s.Decision = &resolve.Decision{Outcome: resolve.One, Total: 2} }), shown(1, `listitem "A"`, `button "Go"`, `listitem "B"`), shown(1, `listitem "B"`, `button "Go"`, `listitem "A"`)), OrderChanges},
		{"effect comes later", half(with(unseen, comes("effect"))), EffectLate},
		{"effect never comes", half(unseen), EffectLost},
		{"done twice", half(with(good(), func(s *replay.StepResult) { s.Verdict, s.Retried = replay.Warned, true })), EffectLost},
		{"another page", half(with(bad(replay.PageMismatch, "another page"), func(s *replay.StepResult) { s.URL = "http://localhost/login" })), NavigationRace},
		{"loaded anew", half(with(unseen, func(s *replay.StepResult) { s.Course.Documents = 1 })), NavigationRace},
		{"request fails", half(with(missing, func(s *replay.StepResult) { s.Requests = []string{"503 http://localhost/data"} })), Network},
		{"request under way", half(with(missing, waits(replay.AwaitsTarget, 1900, 1800))), Network},
		{"navigation fails", half(bad(replay.NavigationFailed, "net::ERR_CONNECTION_RESET")), Network},
		{"language, on a busy machine", append(stressed(missing, de, de), runOf(Variant{"cpu-6x", CPU, 1}, bad(replay.Timeout, "the page did not answer in time"), nil), runOf(Variant{"cpu-6x", CPU, 2}, bad(replay.Timeout, "the page did not answer in time"), nil)), Environment},
		{"slipped away", half(with(bad(replay.TargetMoving, "it moved away"), waits(replay.AwaitsSlip, 1900, 0))), Rerendered},
		{"slow network only", stressed(missing, Variant{"net-slow", Net, 1}, Variant{"net-slow", Net, 2}), Network},
		{"locale only", stressed(missing, de, de), Environment},
		{"slow processor only", stressed(bad(replay.TargetDisabled, "it is disabled"), Variant{"cpu-6x", CPU, 1}, Variant{"cpu-6x", CPU, 1}), LateEnabling},
		{"effect in part", half(with(good(), func(s *replay.StepResult) {
			s.Verdict, s.Effect = replay.Warned, &replay.Effect{Verdict: verify.Partly, Seen: []string{"Saved"}, Missing: []string{"Tip"}}
		})), UnstableText},
		{"another message", half(with(unseen, func(s *replay.StepResult) {
			s.Effect = &replay.Effect{Verdict: verify.NotSeen, Instead: []string{"Much obliged"}}
		})), UnstableText},
		{"near the deadline", half(with(good(), waits(replay.AwaitsDisabled, 1700, 0))), LateEnabling},
		{"the page does not answer", half(bad(replay.Timeout, "the page did not answer in time")), Environment},
		{"crash", half(bad(replay.PageCrashed, "the renderer crashed")), Environment},
	}
	seen := map[Cause]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyse(tt.runs, deadline, 1)
			if r.Verdict != Flaky || r.First != 1 || r.Cause() != tt.want {
				t.Errorf("%s at %d for %q, want %q\n%+v", r.Verdict, r.First, r.Cause(), tt.want, r.Steps)
			}
			for _, f := range r.Steps[1].Causes {
				if f.Cure == "" || len(f.Evidence) == 0 {
					t.Errorf("%s lacks evidence or cure: %+v", f.Cause, f)
				}
			}
			seen[r.Cause()] = true
		})
	}
	for _, c := range Causes {
		if !seen[c] {
			t.Errorf("no test ends with %s", c)
		}
	}
}

// TestVerdicts draws the line between stable, unsteady, flaky and failing.
func TestVerdicts(t *testing.T) {
	varied := func(ms ...float64) []*Run {
		var out []*Run
		for i, m := range ms {
			out = append(out, runOf(plain(uint64(i)), with(good(), waits(replay.AwaitsTarget, m, 0)), nil))
		}
		return out
	}
	warned := with(good(), func(s *replay.StepResult) { s.Verdict, s.Notes = replay.Warned, []string{"left out"} })
	few := func(s replay.StepResult, n int) []*Run {
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
	missing, mute := bad(replay.TargetMissing, "no button"), bad(replay.Timeout, "the page did not answer in time")
	tests := []struct {
		name  string
		runs  []*Run
		want  Verdict
		first int
	}{
		{"none", nil, Unknown, -1},
		{"all alike", few(good(), 0), Stable, -1},
		{"always late", varied(900, 950, 1000, 990, 930, 940), Stable, -1},
		{"one slow run", varied(10, 10, 10, 900, 10, 10, 10, 10), Stable, -1},
		{"waits vary", varied(10, 900, 200, 1000, 700, 50, 800, 900), Unsteady, 1},
		{"near the deadline once", varied(10, 10, 10, 10, 10, 1900), Flaky, 1},
		{"one failure", few(missing, 1), Flaky, 1},
		{"one with other evidence of many", few(warned, 1), Stable, -1},
		{"two with other evidence", few(warned, 2), Flaky, 1},
		{"always with the same warning", few(warned, 10), Stable, -1},
		{"always fails", few(missing, 10), Failing, 1},
		{"one failure under stress", stressed(missing, Variant{"cpu-6x", CPU, 1}), Stable, -1},
		{"two failures under stress", stressed(missing, Variant{"cpu-6x", CPU, 1}, Variant{"cpu-6x", CPU, 1}), Flaky, 1},
		{"one run without an answer", few(mute, 1), Unsteady, 1},
		{"two runs without an answer", few(mute, 2), Flaky, 1},
		{"never an answer", few(mute, 10), Failing, 1},
		{"no answer on a slow processor", stressed(mute, Variant{"cpu-6x", CPU, 1}, Variant{"cpu-6x", CPU, 1}), Unsteady, 1},
		{"no answer on a slow processor, and two with other evidence", func() []*Run {
			return append(few(warned, 2), runOf(Variant{"cpu-6x", CPU, 1}, mute, nil), runOf(Variant{"cpu-6x", CPU, 1}, mute, nil))
		}(), Flaky, 1},
		{"no answer beside failures", func() []*Run {
			runs := few(missing, 1)
			return append(runs, runOf(plain(11), mute, nil))
		}(), Flaky, 1},
		{"no answer once, and a later step that fails", func() []*Run {
			runs := few(missing, 3)
			for _, r := range runs {
				before := good()
				before.Index = 0
				r.Result.Steps[0] = before
			}
			lost := runOf(plain(11), missing, nil)
			lost.Result.Steps[0], lost.Result.Steps[1].Verdict = mute, replay.NotRun
			return append(runs, lost)
		}(), Flaky, 1},
		{"replaced in passing", func() []*Run {
			return half(with(good(), func(s *replay.StepResult) {
				s.Course.Waits = []replay.Wait{{For: replay.AwaitsElement, MS: 30, Idle: 20, Times: 1}}
			}))
		}(), Unsteady, 1},
		{"no browser", []*Run{{Variant: plain(1), Result: &replay.Result{Verdict: replay.Error, Failure: &replay.Failure{Code: replay.BrowserMissing}}}}, Unknown, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if r := Analyse(tt.runs, deadline, 1); r.Verdict != tt.want || r.First != tt.first {
				t.Errorf("%s at %d, want %s at %d", r.Verdict, r.First, tt.want, tt.first)
			}
		})
	}
}

func TestReportCounts(t *testing.T) {
	runs := half(bad(replay.TargetCovered, "covered"))
	runs[0].Result.Steps[1].Decision.Candidates = append(runs[0].Result.Steps[1].Decision.Candidates, resolve.Candidate{Role: "button", Name: "Save", Score: 0.25})
	runs = append(runs, runOf(Variant{"cpu-2x", CPU, 1}, good(), nil))
	s := Analyse(runs, deadline, 1).Steps[1]
	want := []Rate{{Of: Plain, Passed: 4, Reached: 8}, {Of: CPU, Variant: "cpu-2x", Passed: 1, Reached: 1}}
	if d := cmp.Diff(want, s.Rates); d != "" {
		t.Error(d)
	}
	if s.Found.N != 4 || s.Found.Median != 20 || s.Margin.Max != 0.75 || s.Alone != 8 {
		t.Errorf("found %+v, margin %+v, alone %d", s.Found, s.Margin, s.Alone)
	}
	if i := slices.IndexFunc(s.Changed, func(c Change) bool { return c.What == "outcome" }); i < 0 || s.Changed[i].Values[0].Runs != 5 {
		t.Errorf("changed %+v", s.Changed)
	}
}

func TestSpread(t *testing.T) {
	got := spread([]float64{4, 1, 3, 2})
	want := &Spread{N: 4, Min: 1, Q1: 1.75, Median: 2.5, Q3: 3.25, Max: 4, Values: []float64{4, 1, 3, 2}}
	if d := cmp.Diff(want, got); d != "" || spread(nil) != nil {
		t.Error(d)
	}
}

func TestPermuted(t *testing.T) {
	names := func(s string) Page { return Page{Names: strings.Fields(s), Target: -1} }
	for _, tt := range []struct {
		a, b string
		want bool
	}{{"a b c", "a b c", false}, {"a b c", "c b a", true}, {"a b c", "x y z", false}, {"", "", false}, {"a a b", "a b a", true}, {"a b c d e f g h i j k", "a b c d e f g h i j k l", false},
		{"a b c d e f g h i j", "a b c b d e f g h i j", false}} {
		if got := permuted(names(tt.a), names(tt.b)); got != tt.want {
			t.Errorf("permuted(%q, %q) = %t", tt.a, tt.b, got)
		}
	}
}

func TestStress(t *testing.T) {
	for _, tt := range []struct {
		list string
		n    int
		err  string
	}{
		{"none", 0, ""}, {"all", 11, ""}, {"cpu", 3, ""}, {"cpu,net", 5, ""}, {"net-jitter, timers", 2, ""}, {"locale-sv-SE", 1, ""}, {"timezone-Asia/Tokyo", 1, ""},
		{"gpu", 0, "gpu"}, {"locale-", 0, "locale-"}, {"plain", 0, "plain"},
	} {
		got, err := Stress(tt.list, 1)
		if len(got) != tt.n || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), fmt.Sprintf("%q", tt.err)) {
			t.Errorf("%q: %d variants, %v", tt.list, len(got), err)
		}
	}
	// The same name and seed give the same conditions, another seed others.
	all, _ := Stress("all", 7)
	changed := map[string]bool{}
	for _, v := range all {
		a, b := v.Options(replay.Options{}), v.Options(replay.Options{})
		if a.Stress != b.Stress || a.Widen != b.Widen || a.Heighten != b.Heighten {
			t.Errorf("%s is not repeatable", v.Name)
		}
		changed[fmt.Sprint(a.Stress.Zero(), a.CPUThrottle, a.Widen, a.Emulation.Locale, a.Emulation.Timezone, a.Stress)] = true
		v.Seed++
		if o := v.Options(replay.Options{}); v.Kind == Viewport && o.Widen == a.Widen && o.Heighten == a.Heighten {
			t.Errorf("%s does not depend on the seed", v.Name)
		}
	}
	if len(changed) != len(all) {
		t.Errorf("%d different conditions for %d variants", len(changed), len(all))
	}
}
