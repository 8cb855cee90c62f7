package resolve

import (
	"cmp"
	"fmt"
	"slices"

	"retrace/resolve/axtree"
)

// Thresholds of the decision. A score is the share of the recorded surroundings that an element has.
const (
	clearScore  = 0.5  // the best of several must have at least this much
	clearMargin = 0.2  // and be this far ahead of the next
	loneScore   = 0.34 // what the only one left of several recorded equals must have
	maxContra   = 0.5
)

// decide chooses among the candidates of one tier; lower are those of the tiers below.
func (s *search) decide(ms, lower []*match) (*axtree.Node, Decision) {
	if s.anchor.line != nil {
		scale := newScale(s.anchor, s.live, ms)
		for _, m := range ms {
			scale.weigh(m)
		}
		slices.SortStableFunc(ms, func(x, y *match) int {
			if x.stranger != y.stranger {
				if x.stranger {
					return 1
				}
				return -1
			}
			return cmp.Compare(y.score, x.score)
		})
	}
	if n := s.softTwins(); ms[0].tier == TierVolatile && n > 1 {
		return nil, Decision{Outcome: Missing, Tier: TierVolatile, Why: fmt.Sprintf("no %s; %s differs in a number, and the recorded page had %d names that differ only so",
			s.q.Target.Describe(), quote(displayName(ms[0].node)), n)}
	}
	if len(ms) == 1 {
		return s.lone(ms[0], lower)
	}
	return s.choose(ms)
}

// choose chooses among several.
func (s *search) choose(ms []*match) (*axtree.Node, Decision) {
	a, best, tier := s.anchor, ms[0], ms[0].tier
	one := func(m *match, format string, args ...any) (*axtree.Node, Decision) {
		return m.node, s.warn(Decision{Outcome: One, Tier: tier, Why: fmt.Sprintf(format, args...)}, m)
	}
	if tier.weak() {
		return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("no %s, and %d names are like it", s.q.Target.Describe(), len(ms))}
	}
	if s.inNewDialog(ms) {
		return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("there are %d %s, one of them in a dialog that the recorded page does not show", len(ms), s.plural())}
	}
	if m := inSight(ms); m != nil && a.line != nil && m.clear() {
		n, d := one(m, "the only one in sight of %d %s that stand in the recorded place", len(ms), s.plural())
		d.Warnings = append(d.Warnings, "another one that is the same lies out of sight")
		return n, d
	}
	if a.line != nil {
		if m := s.ordinal(ms); m != nil && best.score-ms[1].score < clearMargin && !ms[1].stranger {
			n, d := one(m, "number %d of %d equal %s, as recorded", slices.Index(a.twins, a.line)+1, len(ms), s.plural())
			d.Warnings = append(d.Warnings, "only its position tells it from its equals")
			return n, d
		}
	}
	if a.line != nil && s.crowded(best, ms) {
		return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("%d %s stand side by side, and the recorded page had not so many in one place", len(ms), s.plural())}
	}
	if a.line != nil && best.clear() && (ms[1].stranger || best.score-ms[1].score >= clearMargin) {
		return one(best, "one of %d %s, told apart by what stands around it", len(ms), s.plural())
	}
	if f := s.follow(ms); f.chosen != nil {
		n, d := one(f.chosen, "one of %d %s, told apart by what follows: %s", len(ms), s.plural(), f.why)
		if f.weak {
			d.Warnings = append(d.Warnings, fmt.Sprintf("only what follows says which of %d equal elements was meant: %s", len(ms), f.why))
		}
		return n, d
	}
	if best.stranger || a.line != nil && len(a.twins) > 1 && best.score >= 0 && best.score < loneScore {
		return nil, Decision{Outcome: Missing, Tier: tier, Why: fmt.Sprintf("there are %d %s, but none stands where the recorded one stood", len(ms), s.plural())}
	}
	return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("%d %s fit, and nothing in the recording says which", len(ms), s.plural())}
}

// inNewDialog reports whether one of the candidates is in a dialog that is not on the recorded page, when the recording tells
// only by the name which line was meant: then the person may have acted in that dialog.
func (s *search) inNewDialog(ms []*match) bool {
	a := s.anchor
	if a.line == nil || a.from == "ref" || dialogOf(a.line) != nil {
		return false
	}
	return slices.ContainsFunc(ms, func(m *match) bool {
		d := dialogOf(m.node)
		return d != nil && !slices.ContainsFunc(a.tree.Nodes, func(n *axtree.Node) bool { return n.Role == d.Role && softSame(Normalise(n.Name), Normalise(d.Name)) })
	})
}

// inSight returns the only one of the best candidates that no container cuts off; nil when that tells nothing.
func inSight(ms []*match) *match {
	var seen *match
	clipped := 0
	for _, m := range ms {
		if m.stranger || m.score < ms[0].score {
			break
		}
		if m.node.Live.Clipped {
			clipped++
			continue
		}
		if seen != nil {
			return nil
		}
		seen = m
	}
	if clipped == 0 {
		return nil
	}
	return seen
}

// clear reports whether the surroundings alone speak for the candidate.
func (m *match) clear() bool {
	return !m.stranger && m.told && m.score >= clearScore && m.contra <= maxContra
}

// ordinal chooses by position, among elements that nothing else tells apart: only when as many equals are there as were
// recorded, and as many of them stand in the same surroundings as of the recorded ones.
func (s *search) ordinal(ms []*match) *match {
	a := s.anchor
	twins := s.sameScope()
	if a.line == nil || len(twins) != len(ms) || s.q.Truncated {
		return nil
	}
	var tied []*match
	for _, m := range ms {
		if !m.stranger && m.score == ms[0].score {
			tied = append(tied, m)
		}
	}
	if len(tied) == 0 || tied[0].score >= 0 && tied[0].score < clearScore {
		return nil
	}
	slices.SortFunc(tied, func(x, y *match) int { return x.node.Index - y.node.Index })
	recorded := newEquals(s.q.Target.Name, a.twins)
	above := headings(a.tree)
	line := recorded.around(a.line).below(above[a.line.Index])
	var like []*axtree.Node
	for _, t := range twins {
		if t == a.line || line.same(recorded.around(t).below(above[t.Index])) && slices.EqualFunc(landmarksOf(t), landmarksOf(a.line), landmark.same) {
			like = append(like, t)
		}
	}
	m := tied[min(slices.Index(like, a.line), len(tied)-1)]
	if len(like) != len(tied) || m.contra > 0 {
		return nil
	}
	return m
}

// sameScope are the recorded equals in the same frame and dialog as the recorded line.
func (s *search) sameScope() []*axtree.Node {
	a := s.anchor
	if a.line == nil {
		return nil
	}
	frames, dialog := framePath(a.line), dialogOf(a.line)
	return slices.DeleteFunc(slices.Clone(a.twins), func(t *axtree.Node) bool {
		return dialogOf(t) != dialog || !slices.Equal(framePath(t), frames)
	})
}

// below is what stands around a node without the heading above it, which only the first of several stands next to.
func (n nearby) below(heading string) nearby {
	n.left = slices.DeleteFunc(slices.Clone(n.left), func(t string) bool { return t == heading })
	return n
}

// same reports whether two elements stand in surroundings that show the same.
func (n nearby) same(o nearby) bool {
	return slices.Equal(n.before, o.before) && slices.Equal(n.after, o.after) && slices.Equal(n.left, o.left) && slices.Equal(n.right, o.right)
}

// crowded reports whether a candidate has more or fewer equals close by than the recorded line had: in its row, or in the run
// of equals that no text parts. Then it cannot be told which of them was there before.
func (s *search) crowded(m *match, ms []*match) bool {
	nodes := make([]*axtree.Node, len(ms))
	for i, c := range ms {
		nodes[i] = c.node
	}
	live, recorded := newEquals(s.q.Target.Name, nodes), newEquals(s.q.Target.Name, s.anchor.twins)
	is, was := itemOf(m.node), itemOf(s.anchor.line)
	if is != nil && was != nil && live.below[is] != recorded.below[was] {
		return true
	}
	n, i := live.run(s.live, m.node)
	k, j := recorded.run(s.anchor.tree, s.anchor.line)
	return n != k && n > 1 || n == k && i != j
}

// warn adds what is weaker than exact role and exact name.
func (s *search) warn(d Decision, m *match) Decision {
	for _, e := range m.notes {
		if m.tier != TierExact && m.tier != TierStructural || !e.Agrees {
			d.Warnings = append(d.Warnings, s.q.Target.Describe()+": "+e.Text)
		}
	}
	return d
}
