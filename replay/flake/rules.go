package flake

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"retrace/replay"
	"retrace/resolve"
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
		w, evidence := r.weigh(g)
		if w = min(w, 1); w >= leastWeight {
			out = append(out, Finding{Cause: r.cause, Weight: float64(int(w*100+0.5)) / 100, Evidence: evidence, Cure: cures[r.cause]})
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

func environment(g group) (float64, []string) {
	if g.only(Viewport, Locale, Timezone, Animations) {
		var names []string
		for _, s := range g.bad {
			if !slices.Contains(names, s.run.Name) {
				names = append(names, s.run.Name)
			}
		}
		return 0.95, lines("it fails only under "+strings.Join(names, ", "), clip(string(g.bad[0].code())+": "+g.bad[0].step.Failure.Text))
	}
	n, text := g.coded(replay.PageCrashed)
	mute := func(s sample) bool { return s.code() == replay.Timeout && !replaced(s) }
	if m := share(g.bad, mute); m > n {
		for _, s := range g.bad {
			if mute(s) {
				text = g.of("the browser or the page's own scripts were too busy to answer: "+clip(s.step.Failure.Text), mute)
				break
			}
		}
		return 0.5 * m, lines(text)
	}
	return 0.95 * n, lines(text)
}

func requests(g group) (float64, []string) {
	if n, text := g.coded(replay.NavigationFailed); n > 0.5 {
		return 0.9 * n, lines(text)
	}
	usual := map[string]bool{} // what fails in good runs too says nothing
	for _, s := range g.good {
		for _, q := range s.requests() {
			usual[q] = true
		}
	}
	line := ""
	failing := func(s sample) bool {
		for _, q := range s.requests() {
			if !usual[q] {
				line = q
				return true
			}
		}
		return false
	}
	if n := share(g.bad, failing); n >= 0.5 {
		return 0.92 * n, lines(g.of("a request failed in the runs that did not go well, and in no other: "+clip(line), failing))
	}
	if g.only(Net) {
		return 0.9, lines("it fails only when the network is slow or uneven", clip(string(g.bad[0].code())+": "+g.bad[0].step.Failure.Text))
	}
	var waited, under float64
	for _, s := range g.bad {
		for _, w := range s.waits() {
			waited += w.MS
			under += w.Requests
		}
	}
	if waited < 100 || under < 0.6*waited {
		return 0, nil
	}
	return 0.9 * under / waited, lines(fmt.Sprintf("%.0f%% of the waiting was for the answer to a request of the page", 100*under/waited))
}

func navigation(g group) (float64, []string) {
	good := map[string]bool{}
	most := int64(0)
	for _, s := range g.good {
		good[s.step.URL] = true
		most = max(most, s.step.Course.Documents)
	}
	elsewhere := func(s sample) bool {
		return len(good) > 0 && s.step.URL != "" && !good[s.step.URL] && s.step.URL != s.before()
	}
	loads := func(s sample) bool { return len(g.good) > 0 && s.step.Course.Documents > most }
	var w float64
	var out []string
	if n := share(g.bad, elsewhere); n > 0 && g.mode != varies {
		w = max(w, 0.8*n)
		out = append(out, g.of("the page was at another address than in the good runs, which the step did not lead to", elsewhere))
	}
	if n := share(g.bad, loads); n > 0 {
		w = max(w, 0.88*n)
		out = append(out, g.of("the page was loaded anew during the step, which it was not in the good runs", loads))
	}
	n, text := g.coded(replay.TabMissing)
	mismatch := func(s sample) bool {
		return s.code() == replay.PageMismatch && s.step.URL != "" && len(good) > 0 && !good[s.step.URL]
	}
	if m := share(g.bad, mismatch); m > 0 {
		out = append(out, g.of("another page than the recorded one was there", mismatch))
		w = max(w, 0.85*m)
	}
	return max(w, 0.8*n), append(out, lines(text)...)
}

// unheard are the notes of package act and of the replay about a press that the page never took for a click.
func unheard(s sample) bool {
	return slices.ContainsFunc(s.step.Notes, func(n string) bool { return strings.Contains(n, "replaced between press and release") })
}

func replaced(s sample) bool {
	return strings.Contains(s.step.Course.Wait(replay.AwaitsMoving).Text, "under the pointer") || s.step.Failure != nil && strings.Contains(s.step.Failure.Text, "replaced again and again") || s.restless()
}

func rerendered(g group) (float64, []string) {
	if n := share(g.bad, unheard); n >= 0.5 {
		return 0.93 * n, lines(g.of("the element was replaced between press and release, so that the page saw no click", unheard))
	}
	n := share(g.bad, replaced)
	if g.waiting() || n > 0 && share(g.bad, func(s sample) bool {
		return s.code() == replay.Timeout || s.code() == replay.TargetMoving || s.code() == replay.TargetHidden
	}) >= 0.5 {
		times := 0
		for _, s := range g.bad {
			times += s.step.Course.Wait(replay.AwaitsElement).Times + s.step.Course.Wait(replay.AwaitsPointer).Times
		}
		h, _ := g.hindered(replay.AwaitsElement, replay.AwaitsPointer)
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

func effectLate(g group) (float64, []string) {
	n, text := g.lates("effect")
	if n > 0 {
		return 0.6 + 0.3*n, lines(text)
	}
	if h, line := g.hindered(replay.AwaitsEffect); g.waiting() && h > 0.3 {
		return 0.4 + 0.45*h, lines(line)
	}
	return 0, nil
}

func effectLost(g group) (float64, []string) {
	twice := func(s sample) bool { return s.step.Retried }
	if n := share(g.bad, twice); n > 0 {
		return 0.85 * n, lines(g.of("the first action changed nothing, and it was done again", twice))
	}
	n, text := g.coded(replay.EffectNotSeen)
	r, rejected := g.coded(replay.ValueRejected)
	return max(0.6*n, 0.6*r), lines(text, rejected)
}

func unstable(g group) (float64, []string) {
	partly := func(s sample) bool {
		return s.step.Effect != nil && (s.step.Effect.Verdict == "partly" || s.step.Effect.Verdict == "nothing_to_check")
	}
	n := share(g.bad, partly)
	if n == 0 && g.mode == differs {
		n = share(g.good, partly)
	}
	if n > 0 {
		missing := ""
		for _, s := range append(slices.Clone(g.bad), g.good...) {
			if s.step.Effect != nil && len(s.step.Effect.Missing) > 0 {
				missing = "not seen in one run: " + clip(s.step.Effect.Missing[0])
				break
			}
		}
		return 0.75 * n, lines("what the page says after the step is not the same in all runs", missing)
	}
	instead := func(s sample) bool { return s.step.Effect != nil && len(s.step.Effect.Instead) > 0 }
	if n := share(g.bad, instead); n > 0 {
		return 0.65 * n, lines(g.of("the page said something else instead", instead))
	}
	a, text := g.coded(replay.AssertionFailed)
	return 0.8 * a, lines(text)
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
