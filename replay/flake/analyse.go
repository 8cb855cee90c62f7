package flake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"retrace/replay"
)

// Thresholds of the analysis. Times are shares of a step's deadline, or milliseconds.
const (
	nearDeadline = 0.6 // a step that waits so long is ready only near the deadline
	nearIdle     = 0.3 // of which so long with nobody at work
	uneven       = 500 // waits that differ by so many idle milliseconds between the quartiles are unsteady
	manyRuns     = 8   // from so many runs on, one that differs by its evidence may be chance
	someRuns     = 0.25
)

// Analyse compares the runs of one recording. It is pure: the same runs give the same report. The first runs need not pass.
func Analyse(runs []*Run, timeout time.Duration, seed uint64) *Report {
	r := &Report{Schema: SchemaVersion, Generator: "retrace-flake", Verdict: Unknown, Seed: seed, TimeoutMS: float64(timeout.Milliseconds()), First: -1, Runs: []RunSummary{}, Steps: []Step{}}
	plan := 0
	for _, run := range runs {
		res := run.Result
		r.Runs = append(r.Runs, summary(run))
		if res.Failure != nil {
			r.Failure = res.Failure
		}
		if plan == 0 {
			r.Trace, r.File, r.Started, r.Environment = res.Trace, res.File, res.Started, res.Environment
		}
		plan = max(plan, len(res.Steps))
	}
	for i := range plan {
		if s, ok := step(samples(runs, i), i, timeout); ok {
			r.Steps = append(r.Steps, s)
		}
	}
	r.judge(runs)
	return r
}

func summary(run *Run) RunSummary {
	s := RunSummary{Variant: run.Variant, Verdict: run.Result.Verdict, DurationMS: run.Result.DurationMS, Step: -1}
	if f := run.Result.Failure; f != nil {
		s.Code, s.Text = f.Code, f.Text
	}
	for i, st := range run.Result.Steps {
		if st.Failure != nil {
			s.Step = i
		}
	}
	return s
}

// judge sums the steps up.
func (r *Report) judge(runs []*Run) {
	if len(r.Steps) == 0 {
		return
	}
	r.Verdict = Stable
	for _, s := range r.Steps {
		if rank(s.Verdict) > rank(r.Verdict) {
			r.Verdict, r.First = s.Verdict, s.Index
		}
	}
	plain, failed, last := 0, 0, (*Run)(nil)
	for _, run := range runs {
		if run.Kind == Plain && !run.lost() {
			plain++
			if run.failed() && !run.mute() && !run.starved(r.TimeoutMS) {
				failed++
				last = run
			}
		}
	}
	switch {
	case r.Verdict == Flaky || r.Verdict == Failing || r.Verdict == Starved || failed == 0:
		if r.Verdict != Failing {
			r.Failure = nil
		}
	case failed < plain: // by an assertion at the end
		r.Verdict, r.Failure = Flaky, last.Result.Failure
	default:
		r.Verdict, r.Failure = Failing, last.Result.Failure
	}
}

func rank(v Verdict) int {
	return slices.Index([]Verdict{Stable, Unsteady, Starved, Failing, Flaky}, v)
}

// step compares the samples of one step; false when no run reached it.
func step(all []sample, i int, timeout time.Duration) (Step, bool) {
	if len(all) == 0 {
		return Step{}, false
	}
	st := all[0].step
	s := Step{Index: i, Steps: st.Steps, Title: st.Title, Verdict: Stable, Rates: rates(all)}
	plain := slices.DeleteFunc(slices.Clone(all), func(x sample) bool { return x.run.Kind != Plain })
	times := func(of func(replay.Course) float64) *Spread {
		return spread(values(plain, func(x sample) (float64, bool) { v := of(x.step.Course); return v, v > 0 }))
	}
	s.Found = times(func(c replay.Course) float64 { return c.Found })
	s.Ready = times(func(c replay.Course) float64 { return c.Ready })
	s.Shown = times(func(c replay.Course) float64 { return c.Shown })
	s.Waited = spread(values(plain, func(x sample) (float64, bool) { v, _ := x.waited(); return v, true }))
	s.Starved = spread(values(all, func(x sample) (float64, bool) { return x.step.Course.Starved, true }))
	s.Margin = spread(values(all, sample.margin))
	for _, x := range all {
		if x.chosen() != nil && len(x.step.Decision.Candidates) == 1 {
			s.Alone++
		}
	}
	s.Changed = changes(all)
	g := weighed(all, plain, timeout)
	s.Verdict, s.Why = g.verdict, g.why
	if g.verdict == Flaky || g.verdict == Unsteady || g.verdict == Starved {
		s.Causes = causes(g)
	}
	return s, true
}

// rates counts by variant, plain runs first.
func rates(all []sample) []Rate {
	var out []Rate
	for _, x := range all {
		i := slices.IndexFunc(out, func(r Rate) bool { return r.Of == x.run.Kind && (r.Of == Plain || r.Variant == x.run.Name) })
		if i < 0 {
			i = len(out)
			out = append(out, Rate{Of: x.run.Kind})
			if x.run.Kind != Plain {
				out[i].Variant = x.run.Name
			}
		}
		out[i].Reached++
		switch x.step.Verdict {
		case replay.Warned:
			out[i].Warned++
			out[i].Passed++
		case replay.Passed:
			out[i].Passed++
		}
	}
	for i := range out {
		out[i].Repeated = out[i].Of != Plain && out[i].Reached-out[i].Passed > 1
	}
	slices.SortStableFunc(out, func(a, b Rate) int { return cmp.Compare(btoi(a.Of != Plain), btoi(b.Of != Plain)) })
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mode is in what way samples part.
type mode int

const (
	same    mode = iota
	fails        // it fails in some plain runs
	strains      // it fails under stress only
	differs      // it passes in different ways
	late         // it passes near the deadline
	varies       // its waits vary
	starves      // it goes otherwise where the machine had no processor for the page
)

// group are the samples of a step, parted.
type group struct {
	mode      mode
	verdict   Verdict
	why       string
	bad, good []sample
	kinds     []Kind // of stress, in mode strains
	timeout   float64
}

// divide parts the samples of a step into good and bad ones.
func divide(all, plain []sample, timeout time.Duration) group {
	g := group{verdict: Stable, timeout: float64(timeout.Milliseconds())}
	split := func(from []sample, bad func(sample) bool) {
		g.bad, g.good = nil, nil
		for _, s := range from {
			if bad(s) {
				g.bad = append(g.bad, s)
			} else {
				g.good = append(g.good, s)
			}
		}
	}
	split(plain, sample.failed)
	if len(g.bad) > 0 && len(g.good) == 0 {
		g.verdict, g.why = Failing, fmt.Sprintf("fails in each of %d plain runs", len(plain))
		return g
	}
	mute := slices.DeleteFunc(slices.Clone(g.bad), func(s sample) bool { return !s.mute() })
	if len(mute) < len(g.bad) || len(mute) > byChance(len(plain)) {
		if len(mute) < len(g.bad) {
			g.bad = slices.DeleteFunc(g.bad, sample.mute)
		}
		g.mode, g.verdict = fails, Flaky
		g.why = fmt.Sprintf("fails in %d of %d plain runs", len(g.bad), len(plain))
		return g
	}
	plain = g.good // those that got an answer
	stressed := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.run.Kind == Plain })
	if g.strained(slices.DeleteFunc(slices.Clone(stressed), sample.mute), plain) {
		g.verdict = Flaky
		return g
	}
	if g.other(plain, split) {
		return g
	}
	split(plain, func(s sample) bool { return s.near(g.timeout) })
	if len(g.bad) > 0 {
		g.mode, g.verdict = late, Flaky
		g.why = fmt.Sprintf("passes only near the deadline in %d of %d plain runs", len(g.bad), len(plain))
		return g
	}
	switch g.vary(plain, split); {
	case g.verdict != Stable:
	case len(mute) > 0:
		g.mode, g.verdict, g.bad, g.good = fails, Unsteady, mute, plain
		g.why = fmt.Sprintf("got no answer from the browser in %d of %d plain runs, which may be the machine", len(mute), len(mute)+len(plain))
	case g.strained(stressed, plain):
		g.verdict = Unsteady
	}
	return g
}

// byChance is how many of n plain runs may get no answer from the browser before that counts: on a busy machine it happens on any
// page.
func byChance(n int) int { return max(1, n/10) }

// strained parts by the failures among stressed samples. One failure alone may be chance; it was repeated, so that it counts from two
// on. Runs in which the browser did not answer tell of the machine, and under a slower processor they are bound to come: they count
// only where nothing else does, and not as flakiness.
func (g *group) strained(all, plain []sample) bool {
	count := map[Kind]int{}
	for _, s := range all {
		if s.failed() {
			count[s.run.Kind]++
		}
	}
	var bad []sample
	var names []string
	for _, s := range all {
		if count[s.run.Kind] > 1 && s.failed() {
			bad = append(bad, s)
			if !slices.Contains(g.kinds, s.run.Kind) {
				g.kinds = append(g.kinds, s.run.Kind)
			}
			if !slices.Contains(names, s.run.Name) {
				names = append(names, s.run.Name)
			}
		}
	}
	if len(bad) == 0 {
		return false
	}
	g.mode, g.bad, g.good = strains, bad, plain
	g.why = fmt.Sprintf("passes in all %d plain runs and fails under stress (%s)", len(plain), strings.Join(names, ", "))
	return true
}

// other parts by the way in which the step passes.
func (g *group) other(plain []sample, split func([]sample, func(sample) bool)) bool {
	count := map[string]int{}
	for _, s := range plain {
		count[s.signature()]++
	}
	usual, least := "", 1
	for sig, n := range count {
		if usual == "" || n > count[usual] || n == count[usual] && (sig == "passed" || usual != "passed" && sig < usual) {
			usual = sig
		}
	}
	if count["passed"] > 0 {
		usual = "passed"
	}
	if len(plain) >= manyRuns {
		least = 2
	}
	split(plain, func(s sample) bool { return s.signature() != usual })
	if min(len(g.bad), len(g.good)) < least {
		return false
	}
	g.mode, g.verdict = differs, Flaky
	g.why = fmt.Sprintf("passes in another way in %d of %d plain runs: %s, else %s", len(g.bad), len(plain), g.bad[0].signature(), usual)
	return true
}

// near reports whether a step that passed waited nearly as long as it may.
func (s sample) near(timeout float64) bool {
	for _, w := range s.waits() {
		if w.MS-s.step.Course.Starved > nearDeadline*timeout && w.Idle > nearIdle*timeout {
			return true
		}
	}
	return false
}

// restless counts how often the element was replaced or moved away, or something else was met, while it was acted on.
func (s sample) restless() int {
	n := 0
	for _, o := range restless {
		n += s.step.Course.Wait(o).Times
	}
	return n
}

// restless are the obstacles that come up between the look at an element and the press on it.
var restless = []replay.Obstacle{replay.AwaitsElement, replay.AwaitsPointer, replay.AwaitsSlip}

// vary parts by how long the step waits, and by what gets into its way.
func (g *group) vary(plain []sample, split func([]sample, func(sample) bool)) {
	// A busy machine makes waits longer: the least is the page's, and of the longer ones what the machine cannot have caused.
	own := func(s sample) float64 {
		_, idle := s.waited()
		return max(0, idle-s.step.Course.Starved)
	}
	idle := spread(values(plain, func(s sample) (float64, bool) { _, i := s.waited(); return i, true }))
	longer := spread(values(plain, func(s sample) (float64, bool) { return own(s), true }))
	if idle != nil && idle.N > 2 && longer.Q3-idle.Min > uneven {
		split(plain, func(s sample) bool { return own(s) >= longer.Median && own(s) > idle.Min+uneven/2 })
		g.mode, g.verdict = varies, Unsteady
		g.why = fmt.Sprintf("waits between %.1f and %.1f s", idle.Min/1000, idle.Max/1000)
		return
	}
	split(plain, replaced)
	if n := len(g.bad); n > 1 && float64(n) >= someRuns*float64(len(plain)) {
		g.mode, g.verdict = varies, Unsteady
		g.why = fmt.Sprintf("something got into its way in %d of %d plain runs", n, len(plain))
		return
	}
	g.bad, g.good = nil, plain
}
