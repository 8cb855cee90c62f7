package flake

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"retrace/replay"
	"retrace/resolve"
)

// Causes at the target: when it is there, ready, reachable and single, and under which name.

func unheard(s sample) bool { return s.step.Course.Unheard }

func replaced(s sample) bool { return s.restless() > 0 }

func rerendered(g group) (float64, []string) {
	if n := share(g.bad, unheard); n >= 0.5 {
		return 0.93 * n, lines(g.of("the element was replaced or moved away between press and release, so that the page saw no click", unheard))
	}
	n := share(g.bad, replaced)
	if g.waiting() || n > 0 && share(g.bad, func(s sample) bool {
		return s.code() == replay.Timeout || s.code() == replay.TargetMoving || s.code() == replay.TargetHidden
	}) >= 0.5 {
		times := 0
		for _, s := range g.bad {
			times += s.restless()
		}
		h, _ := g.hindered(restless...)
		if g.mode == varies && h < 0.3 && n < 0.9 {
			return 0, nil
		}
		return 0.9 * n, lines(g.of(fmt.Sprintf("the element was drawn anew, or moved away, while it was acted on; %d times in all", times), replaced))
	}
	n, text := g.coded(replay.ValueRejected)
	return 0.5 * n, lines(text)
}

// obstructed weighs a cause by the codes with which the bad samples failed and by what the group waited for.
func (g group) obstructed(codes []replay.Code, waits ...replay.Obstacle) (float64, []string) {
	n, text := g.coded(codes...)
	w := 0.87 * n
	h, line := g.hindered(waits...)
	if g.waiting() && h > 0.3 {
		w = max(w, 0.4+0.45*h)
	}
	if w == 0 {
		return 0, nil
	}
	return w, lines(text, line)
}

func covered(g group) (float64, []string) {
	return g.obstructed([]replay.Code{replay.TargetCovered}, replay.AwaitsCovered)
}

func enabling(g group) (float64, []string) {
	w, out := g.obstructed([]replay.Code{replay.TargetDisabled, replay.TargetReadOnly}, replay.AwaitsDisabled, replay.AwaitsReadOnly)
	if _, text := g.lates("enabled"); text != "" {
		out = append(out, text)
	}
	return w, out
}

func ambiguity(g group) (float64, []string) {
	w, out := g.obstructed([]replay.Code{replay.TargetAmbiguous}, replay.AwaitsChoice)
	if n := share(g.bad, weakly); w == 0 && g.mode == differs && n > 0 {
		return 0.6 * n, lines(g.of("which of several equal elements was meant was told by weak evidence only", weakly))
	}
	return w, append(out, g.crowd()...)
}

// weakly reports whether the element was told from its equals by weak evidence.
func weakly(s sample) bool {
	d := s.step.Decision
	return d != nil && d.Total > 1 && len(d.Warnings) > 0
}

// crowd compares the numbers of candidates.
func (g group) crowd() []string {
	total := func(s sample) (float64, bool) {
		if s.step.Decision == nil {
			return 0, false
		}
		return float64(s.step.Decision.Total), true
	}
	bad, good := spread(values(g.bad, total)), spread(values(g.good, total))
	if bad == nil || good == nil || bad.Max <= good.Max {
		return nil
	}
	return []string{fmt.Sprintf("up to %.0f elements fit, in the good runs %.0f", bad.Max, good.Max)}
}

func naming(g group) (float64, []string) {
	weak := func(s sample) bool {
		d := s.step.Decision
		return d != nil && d.Outcome == resolve.One && (d.Tier == resolve.TierVolatile || d.Tier == resolve.TierTolerant || d.Tier == resolve.TierRole)
	}
	if g.mode == differs {
		n := share(g.bad, weak)
		if n == 0 && share(g.good, weak) == 1 {
			return 0.8, lines("it has the recorded name in some runs only")
		}
		return 0.9 * n, lines(g.of("it was found by a name that is not the recorded one", weak), g.called())
	}
	n := share(g.bad, func(s sample) bool { return g.renamed(s) != "" })
	if n == 0 {
		return 0, nil
	}
	return 0.9 * n, lines(g.of("something else stands in its place: "+g.called(), func(s sample) bool { return g.renamed(s) != "" }))
}

// called lists the names that were there instead.
func (g group) called() string {
	var names []string
	for _, s := range g.bad {
		name := g.renamed(s)
		if c := s.chosen(); name == "" && c != nil {
			name = label(c.Role, c.Name)
		}
		if name != "" && !slices.Contains(names, name) && len(names) < 4 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// renamed is what a page has in the place of a target that it has not: what an unstrict search found, or the only element of
// the role of the target that no good run shows. Empty when that is not known.
func (g group) renamed(s sample) string {
	if s.code() != replay.TargetMissing && s.code() != replay.PageMismatch || s.step.Course.Late != nil {
		return ""
	}
	for _, p := range s.run.Result.Proposals {
		if slices.Contains(s.step.Steps, p.Step) && p.Field == "name" {
			return fmt.Sprintf("%q instead of %q", p.To, p.From)
		}
	}
	if s.page == nil {
		return ""
	}
	known, own := map[string]bool{}, map[string]bool{}
	for _, o := range g.good {
		if o.page == nil || o.page.Target < 0 {
			continue
		}
		own[o.page.Names[o.page.Target]] = true
		for _, n := range o.page.Names {
			known[n] = true
		}
	}
	fresh := ""
	for _, n := range s.page.Names {
		if own[n] {
			return ""
		}
		if !known[n] && slices.ContainsFunc(slices.Collect(maps.Keys(own)), func(o string) bool { return role(o) == role(n) }) {
			if fresh != "" {
				return ""
			}
			fresh = n
		}
	}
	return fresh
}

func ordering(g group) (float64, []string) {
	var ref *Page
	for _, s := range g.good {
		if s.page != nil && len(s.page.Names) > 0 {
			ref = s.page
			break
		}
	}
	if ref == nil || g.waiting() {
		return 0, nil
	}
	example := ""
	is := func(s sample) bool {
		if s.page == nil || !permuted(*ref, *s.page) {
			return false
		}
		example = moved(*ref, *s.page)
		return true
	}
	n := share(g.bad, is)
	if n == 0 {
		return 0, nil
	}
	w := 0.3
	apart := share(g.good, func(s sample) bool { return s.page != nil && permuted(*ref, *s.page) })
	if len(g.bad) > 1 && len(g.good) > 1 {
		w = max(w, 0.9*(1-apart)) // the good runs have one order, and the bad ones another
	}
	several := func(s sample) bool {
		d := s.step.Decision
		return d != nil && (d.Total > 1 || d.Outcome != resolve.One)
	}
	if share(g.bad, several) >= 0.5 {
		w = 0.95 // the order was what told the equals apart
	}
	return w * n, lines(g.of("the page had the same things in another order: "+clip(example), is))
}

func rendering(g group) (float64, []string) {
	w, out := g.obstructed([]replay.Code{replay.TargetMissing, replay.PageMismatch, replay.TargetHidden, replay.TargetMoving, replay.OptionMissing},
		replay.AwaitsTarget, replay.AwaitsPage, replay.AwaitsHidden, replay.AwaitsMoving, replay.AwaitsOptions, replay.AwaitsBusy)
	if n, text := g.lates("target"); n > 0 {
		return max(w, 0.85), append(out, text)
	}
	if !g.waiting() {
		w *= 0.7 // it never came: something else may be the matter
	}
	return w, out
}
