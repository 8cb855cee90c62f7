package resolve

import "retrace/resolve/axtree"

// otherFrames judges the live frames that are called like the one in which the target was recorded by what stands around them, as
// controls are judged: the player beside one film is not the player beside another. It gives those that cannot be the recorded
// one, each with the reason.
func otherFrames(q *Query, a anchor, live *axtree.Tree) map[*axtree.Node]string {
	line := frameAround(a.line)
	if line == nil {
		return nil
	}
	path := pathText(framePath(a.line))
	is := func(n *axtree.Node) bool {
		return n.Role == "Iframe" && pathText(append([]string{Normalise(n.Name)}, framePath(n)...)) == path
	}
	own := anchor{line: line, from: a.from, tree: a.tree}
	for _, n := range a.tree.Nodes {
		if is(n) {
			own.twins = append(own.twins, n)
		}
	}
	var ms []*match
	for _, n := range live.Nodes {
		if is(n) {
			ms = append(ms, &match{node: n, tier: TierExact})
		}
	}
	out := map[*axtree.Node]string{}
	switch len(ms) {
	case 0:
	case 1:
		frame := &Query{Target: Descriptor{Role: "Iframe", Name: line.Name}, Mode: q.Mode, Before: q.Before, After: q.After, Truncated: q.Truncated}
		s := &search{q: frame, anchor: own, live: live}
		if _, d := s.decide(ms, nil); d.Outcome == Missing {
			out[ms[0].node] = "is in another frame of that name: " + d.Why
		}
	default:
		if heldApart(line, ms) {
			break // what they hold tells more
		}
		scale := newScale(own, live, ms)
		best := ms[0]
		for _, m := range ms {
			scale.weigh(m)
			if !m.stranger && (best.stranger || m.score > best.score) {
				best = m
			}
		}
		for _, m := range ms {
			if m.stranger || best.clear() && best.score-m.score >= clearMargin {
				out[m.node] = "is in another frame of that name: that one " + m.against()
			}
		}
	}
	return out
}

// heldApart reports whether frames are told apart by what they hold: some, and not all, have a text of the recorded one.
func heldApart(recorded *axtree.Node, ms []*match) bool {
	count := map[string]int{}
	for _, m := range ms {
		for _, t := range textsIn(m.node, m.node, maxNear) {
			count[t]++
		}
	}
	for _, t := range textsIn(recorded, recorded, maxNear) {
		if n := count[t]; n > 0 && n < len(ms) && !meaningless(t) {
			return true
		}
	}
	return false
}
