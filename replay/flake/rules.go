package flake

import (
	"cmp"
	"fmt"
	"slices"

	"retrace/replay"
)

// leastWeight is what a cause must have to be told at all.
const leastWeight = 0.15

// rule weighs one cause: how much speaks for it, from 0 to 1, and what.
type rule struct {
	cause Cause
	weigh func(g group) (float64, []string)
}

var rules = []rule{
	{Environment, environment}, {Network, requests}, {NavigationRace, navigation}, {Rerendered, rerendered}, {CoveredTarget, covered},
	{LateEnabling, enabling}, {NameChanges, naming}, {OrderChanges, ordering}, {AmbiguousLoad, ambiguity}, {EffectLate, effectLate},
	{EffectLost, effectLost}, {UnstableText, unstable}, {LateRender, rendering},
}

// causes weighs all causes for a parted step, the likeliest first.
func causes(g group) []Finding {
	var out []Finding
	for _, r := range rules {
		if g.mode == starves && r.cause != Environment {
			continue // what such runs show says nothing of the page
		}
		w, evidence := r.weigh(g)
		if w = min(w, 1); w >= leastWeight {
			f := Finding{Cause: r.cause, Weight: float64(int(w*100+0.5)) / 100, Evidence: evidence, Cure: cures[r.cause]}
			if g.mode == starves {
				f.Cure = feed
			}
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(b.Weight, a.Weight) })
	return out
}

// of writes how many of the bad samples something is true for.
func (g group) of(what string, cond func(sample) bool) string {
	n := 0
	for _, s := range g.bad {
		if cond(s) {
			n++
		}
	}
	if len(g.bad) == 1 {
		return what
	}
	return fmt.Sprintf("%s (%d of %d)", what, n, len(g.bad))
}

// coded is the share of the bad samples that failed with one of the codes, and the text of one of them.
func (g group) coded(codes ...replay.Code) (float64, string) {
	text := ""
	is := func(s sample) bool { return slices.Contains(codes, s.code()) }
	for _, s := range g.bad {
		if is(s) {
			text = g.of(string(s.code())+": "+clip(s.step.Failure.Text), is)
			break
		}
	}
	return share(g.bad, is), text
}

// lates is the share of the bad samples in which something came after the deadline, and when.
func (g group) lates(what ...string) (float64, string) {
	is := func(s sample) bool { l := s.step.Course.Late; return l != nil && slices.Contains(what, l.What) }
	var at []float64
	for _, s := range g.bad {
		if is(s) {
			at = append(at, s.step.Course.Late.MS)
		}
	}
	if len(at) == 0 {
		return 0, ""
	}
	return share(g.bad, is), fmt.Sprintf("it came after the deadline of %.1f s, %.1f to %.1f s after the step began", g.timeout/1000, slices.Min(at)/1000, slices.Max(at)/1000)
}

// hindered is the share of the waiting of the bad samples that one of the obstacles took, and what was in the way. Only a group
// that is parted by its waits, or that failed for one, is judged by them.
func (g group) hindered(obstacles ...replay.Obstacle) (float64, string) {
	var all, these float64
	times, text := 0, ""
	for _, s := range g.bad {
		for _, w := range s.waits() {
			all += w.MS
			if slices.Contains(obstacles, w.For) {
				these += w.MS
				times += w.Times
				if w.Text != "" {
					text = w.Text
				}
			}
		}
	}
	if these == 0 || all == 0 {
		return 0, ""
	}
	line := fmt.Sprintf("waited %.1f s for it in all, at %d looks", these/1000, times)
	if text != "" {
		line += ": " + clip(text)
	}
	return these / all, line
}

// waiting reports whether the group is parted by what it waited for.
func (g group) waiting() bool { return g.mode == late || g.mode == varies }

func lines(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// only reports whether a group fails under no other stress than of these kinds.
func (g group) only(kinds ...Kind) bool {
	return g.mode == strains && !slices.ContainsFunc(g.kinds, func(k Kind) bool { return !slices.Contains(kinds, k) })
}
