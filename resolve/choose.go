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
		scale := newScale(s.q.Mode, s.anchor, s.live, ms)
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
	if a.line != nil && best.clear() && (ms[1].stranger || best.score-ms[1].score >= clearMargin) {
		return one(best, "one of %d %s, told apart by what stands around it", len(ms), s.plural())
	}
	if !tier.weak() {
		if f := s.follow(ms); f.chosen != nil {
			n, d := one(f.chosen, "one of %d %s, told apart by what follows: %s", len(ms), s.plural(), f.why)
			if f.weak {
				d.Warnings = append(d.Warnings, fmt.Sprintf("only what follows says which of %d equal elements was meant: %s", len(ms), f.why))
			}
			return n, d
		}
		if m := s.ordinal(ms); m != nil {
			n, d := one(m, "number %d of %d equal %s, as recorded", slices.Index(a.twins, a.line)+1, len(ms), s.plural())
			d.Warnings = append(d.Warnings, "only its position tells it from its equals")
			return n, d
		}
	}
	if best.stranger || a.line != nil && len(a.twins) > 1 && best.score >= 0 && best.score < loneScore {
		return nil, Decision{Outcome: Missing, Tier: tier, Why: fmt.Sprintf("there are %d %s, but none stands where the recorded one stood", len(ms), s.plural())}
	}
	return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("%d %s fit, and nothing in the recording says which", len(ms), s.plural())}
}

// clear reports whether the surroundings alone speak for the candidate.
func (m *match) clear() bool {
	return !m.stranger && m.score >= clearScore && m.contra <= maxContra
}

// ordinal chooses by position: only when as many equals are there as were recorded, and no other place fits better.
func (s *search) ordinal(ms []*match) *match {
	a := s.anchor
	if a.line == nil || len(a.twins) != len(ms) || s.q.Truncated {
		return nil
	}
	byPlace := slices.Clone(ms)
	slices.SortFunc(byPlace, func(x, y *match) int { return x.node.Index - y.node.Index })
	m := byPlace[slices.Index(a.twins, a.line)]
	if m.stranger || m.score < ms[0].score || m.score >= 0 && m.score < clearScore || m.contra > 0 {
		return nil
	}
	return m
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
