package resolve

import (
	"fmt"

	"retrace/resolve/axtree"
)

// Find looks for the live element that the query means. It returns the element only when the decision's outcome is One.
func Find(q Query, live *axtree.Tree) (*axtree.Node, Decision) {
	if q.Target.Role == "" && q.Target.Name == "" && q.Target.NameAttr == "" {
		return nil, Decision{Outcome: Missing, Why: "the recording says neither role nor name of the target"}
	}
	s := &search{q: &q, anchor: q.findAnchor(), live: live}
	all := q.matches(s.anchor, live)
	scope := newScope(&q, s.anchor, live)
	for _, m := range all {
		scope.ruleOut(m)
	}
	var refused *Decision
	best := 0.0 // score of what was refused
	var listed []*match
	rest := all
	for {
		tier, lower := strongest(rest)
		if len(tier) == 0 {
			break
		}
		n, d := s.decide(innermost(tier), lower)
		listed = append(listed, tier...)
		switch {
		case d.Outcome != Missing && refused == nil, n != nil && scoreOf(tier, n) >= best+clearMargin:
			return n, report(d, n, listed, all)
		case d.Outcome != Missing:
			return nil, report(*refused, nil, listed, all) // what has the recorded name more nearly stands as well in the recorded place
		}
		if refused == nil {
			refused = &d
		}
		for _, m := range tier {
			best = max(best, m.score)
		}
		rest = lower
	}
	if refused == nil {
		refused = &Decision{Outcome: Missing, Why: s.nothing(all)}
	}
	return nil, report(*refused, nil, listed, all)
}

// search is the state of one call of Find.
type search struct {
	q      *Query
	anchor anchor
	live   *axtree.Tree
}

func scoreOf(ms []*match, n *axtree.Node) float64 {
	for _, m := range ms {
		if m.node == n {
			return m.score
		}
	}
	return 0
}

// strongest splits off the candidates of the highest tier; lower are those of lower tiers. What is ruled out is in neither.
func strongest(ms []*match) (tier, lower []*match) {
	rank := 0
	for _, m := range ms {
		if r := tierRank[m.tier]; m.ruledOut == "" && (rank == 0 || r < rank) {
			rank = r
		}
	}
	for _, m := range ms {
		switch {
		case m.ruledOut != "":
		case tierRank[m.tier] == rank:
			tier = append(tier, m)
		default:
			lower = append(lower, m)
		}
	}
	return tier, lower
}

// nothing says why there is no candidate, and what is there instead.
func (s *search) nothing(all []*match) string {
	d := s.q.Target
	for _, m := range all {
		if m.ruledOut != "" {
			if len(all) > 1 {
				return fmt.Sprintf("none of %d fits: the first %s", len(all), m.ruledOut)
			}
			return fmt.Sprintf("the only %s %s", d.Describe(), m.ruledOut)
		}
	}
	why := "no " + d.Describe() + " on the page"
	want := Normalise(d.Name)
	if want == "" {
		return why
	}
	for _, h := range s.live.Hidden {
		if displayName(h.Node) == want {
			return why + "; one is in the document but not shown"
		}
	}
	text := false
	for _, n := range s.live.Nodes {
		if Normalise(n.Name) != want {
			continue
		}
		if n.Role != "StaticText" {
			return fmt.Sprintf("%s; a %s has that name", why, n.Role)
		}
		text = true
	}
	if text {
		return why + "; the text is there, but not on such a control"
	}
	return why
}

// report completes a decision with the candidates: those that were compared first, the chosen one before all.
func report(d Decision, chosen *axtree.Node, listed, all []*match) Decision {
	d.Total = len(all)
	done := map[*match]bool{}
	add := func(m *match) {
		if done[m] || len(d.Candidates) == maxListed {
			return
		}
		done[m] = true
		c := m.candidate()
		c.Chosen = m.node == chosen && chosen != nil
		d.Candidates = append(d.Candidates, c)
	}
	for _, m := range listed {
		if m.node == chosen {
			add(m)
		}
	}
	for _, list := range [][]*match{listed, all} {
		for _, m := range list {
			add(m)
		}
	}
	return d
}

// maxListed bounds the candidates of a decision.
const maxListed = 20
