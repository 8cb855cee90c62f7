package flake

import (
	"fmt"
	"slices"
	"time"
)

// hungry is the part of the deadline of a step from which on it is the machine that is to blame when the page was kept from the
// processor for so long. A page that waits for something has nothing to do and is not kept from anything.
const hungry = 0.5

// starved reports whether the machine kept the page from doing what the step needs.
func (s sample) starved(timeout float64) bool {
	return timeout > 0 && s.step.Course.Starved >= hungry*timeout
}

// starved reports whether the run failed at a step in which the machine kept the page from its work.
func (r *Run) starved(timeout float64) bool {
	for i := range r.Result.Steps {
		if s := (sample{run: r, i: i, step: &r.Result.Steps[i]}); s.failed() && s.starved(timeout) {
			return true
		}
	}
	return false
}

// weighed parts the samples of a step by those that tell of the page. What the others tell counts when these agree, and then
// against the machine.
func weighed(all, plain []sample, timeout time.Duration) group {
	limit := float64(timeout.Milliseconds())
	is := func(s sample) bool { return s.starved(limit) }
	fed := func(from []sample) []sample { return slices.DeleteFunc(slices.Clone(from), is) }
	g := group{verdict: Stable, timeout: limit}
	if len(plain) == 0 || len(fed(plain)) > 0 {
		g = divide(fed(all), fed(plain), timeout)
	}
	if g.verdict != Stable || len(fed(all)) == len(all) {
		return g
	}
	usual := map[string]bool{}
	for _, s := range fed(plain) {
		usual[s.signature()] = true
	}
	other := func(s sample) bool { return is(s) && (s.failed() || len(usual) > 0 && !usual[s.signature()]) }
	keep := func(from []sample) []sample {
		return slices.DeleteFunc(slices.Clone(from), func(s sample) bool { return !other(s) })
	}
	bad, what := keep(plain), "plain runs"
	n := len(plain)
	if len(bad) == 0 {
		bad, what, n = keep(all), "runs", len(all)
	}
	if len(bad) == 0 {
		return g
	}
	g.mode, g.bad, g.good = starves, bad, fed(plain)
	g.verdict = Unsteady
	if what == "plain runs" && len(bad) > byChance(n) {
		g.verdict = Starved
	}
	g.why = fmt.Sprintf("went otherwise in %d of %d %s, in which the machine had no processor for the page", len(bad), n, what)
	return g
}
