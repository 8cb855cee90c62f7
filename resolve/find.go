package resolve

import (
	"fmt"
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// Thresholds of the decision. Score is the share of the recorded surroundings that an element has.
const (
	clearScore  = 0.5  // the best of several must have at least this much
	clearMargin = 0.2  // and be this far ahead of the next
	loneScore   = 0.34 // what the only one left of several recorded equals must have
	maxContra   = 0.5
	maxListed   = 20
)

// Find looks for the live element that the query means. It returns the element only when the decision's outcome is One.
func Find(q Query, live *axtree.Tree) (*axtree.Node, Decision) {
	if q.Target.Empty() || q.Target.Role == "" && q.Target.Name == "" && q.Target.NameAttr == "" {
		return nil, Decision{Outcome: Missing, Why: "the recording says neither role nor name of the target"}
	}
	a := q.findAnchor()
	all := q.matches(live, a.line)
	for _, m := range all {
		q.ruleOut(a, live, m)
	}
	var out []*match
	for len(all) > 0 {
		tier, left := best(all)
		if tier == nil {
			break
		}
		tier = innermost(tier)
		n, d := q.decide(a, live, tier)
		if d.Outcome != Missing || len(left) == 0 {
			return n, q.report(d, append(tier, remaining(all, tier)...))
		}
		out = tier
		all = left
		_ = out
	}
	d := Decision{Outcome: Missing, Why: q.nothing(live)}
	ruled := q.matches(live, a.line)
	for _, m := range ruled {
		q.ruleOut(a, live, m)
	}
	for _, m := range ruled {
		if m.ruledOut != "" {
			d.Why = fmt.Sprintf("the only %s %s", q.Target.Describe(), m.ruledOut)
			if len(ruled) > 1 {
				d.Why = fmt.Sprintf("none of %d fits: the first %s", len(ruled), m.ruledOut)
			}
			break
		}
	}
	return nil, q.report(d, ruled)
}

func remaining(all, tier []*match) []*match {
	var out []*match
	for _, m := range all {
		if !slices.Contains(tier, m) {
			out = append(out, m)
		}
	}
	return out
}

// best splits off the candidates of the highest tier that are not ruled out; left are those of lower tiers.
func best(ms []*match) (tier, left []*match) {
	rank := 0
	for _, m := range ms {
		if r := tierRank[m.tier]; m.ruledOut == "" && (rank == 0 || r < rank) {
			rank = r
		}
	}
	for _, m := range ms {
		switch r := tierRank[m.tier]; {
		case rank == 0 || m.ruledOut != "" && r <= rank:
		case m.ruledOut == "" && r == rank:
			tier = append(tier, m)
		case m.ruledOut == "":
			left = append(left, m)
		}
	}
	return tier, left
}

// ruleOut notes why an element cannot be the target whatever else speaks for it: another frame, not in the dialog.
func (q *Query) ruleOut(a anchor, live *axtree.Tree, m *match) {
	if a.line == nil {
		return
	}
	want, have := frames(a.line), frames(m.node)
	switch {
	case len(want) > 0 && len(have) == 0:
		m.ruledOut = "is in the page itself; recorded in the frame " + quote(want[0])
	case len(want) == 0 && len(have) > 0 && a.from == "ref":
		m.ruledOut = "is in the frame " + quote(have[0]) + "; recorded in the page itself"
	case len(want) > 0 && want[0] != have[0] && !(softSame(want[0], have[0])) && want[0] != "":
		m.ruledOut = "is in the frame " + quote(have[0]) + "; recorded in the frame " + quote(want[0])
	}
	if d := dialog(a.line); d != nil && m.ruledOut == "" {
		e := dialog(m.node)
		switch {
		case e == nil:
			m.ruledOut = "is not in a dialog; recorded in the dialog " + quote(d.Name)
		case d.Name != "" && e.Name != "" && !softSame(Normalise(d.Name), Normalise(e.Name)) && !slices.ContainsFunc(live.Nodes, func(n *axtree.Node) bool { return n == e && similar(d, e) }):
			m.ruledOut = "is in the dialog " + quote(e.Name) + "; recorded in the dialog " + quote(d.Name)
		}
	}
}

// similar reports whether two dialogs hold mostly the same, so that only their titles differ.
func similar(recorded, live *axtree.Node) bool {
	want := textsIn(recorded, nil, 0)
	have, soft := set(textsIn(live, nil, 0))
	n := 0
	for _, t := range want {
		if have[t] || soft[softKey(t)] {
			n++
		}
	}
	return len(want) > 0 && 3*n >= 2*len(want)
}

// decide chooses among candidates of one tier.
func (q *Query) decide(a anchor, live *axtree.Tree, ms []*match) (*axtree.Node, Decision) {
	tier := ms[0].tier
	if a.line != nil {
		q.weigh(a, live, ms)
	}
	slices.SortStableFunc(ms, func(x, y *match) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		}
		return 0
	})
	if len(ms) == 1 {
		return q.lone(a, live, ms[0])
	}
	if a.line != nil && ms[0].score >= clearScore && ms[0].score-ms[1].score >= clearMargin && ms[0].contra <= maxContra {
		d := Decision{Outcome: One, Tier: tier, Why: fmt.Sprintf("one of %d %s, told apart by what stands around it", len(ms), q.plural())}
		return ms[0].node, q.warn(d, ms[0])
	}
	if m, why, weak := q.follow(a, live, ms); m != nil && m.contra <= maxContra {
		d := Decision{Outcome: One, Tier: tier, Why: fmt.Sprintf("one of %d %s, told apart by what follows: %s", len(ms), q.plural(), why)}
		if weak {
			d.Warnings = append(d.Warnings, "only a later step says which of "+fmt.Sprint(len(ms))+" equal elements was meant: "+why)
		}
		return m.node, q.warn(d, m)
	}
	if m := q.ordinal(a, ms); m != nil {
		d := Decision{Outcome: One, Tier: tier, Why: fmt.Sprintf("number %d of %d equal %s, as recorded", slices.Index(a.twins, a.line)+1, len(ms), q.plural())}
		d.Warnings = append(d.Warnings, "only its position tells it from its equals")
		return m.node, q.warn(d, m)
	}
	if a.line != nil && len(a.twins) > 1 && ms[0].score < loneScore && ms[0].score >= 0 {
		return nil, Decision{Outcome: Missing, Tier: tier, Why: fmt.Sprintf("there are %d %s, but none stands where the recorded one stood", len(ms), q.plural())}
	}
	return nil, Decision{Outcome: Ambiguous, Tier: tier, Why: fmt.Sprintf("%d %s fit, and nothing in the recording says which", len(ms), q.plural())}
}

// lone decides about the only candidate of its tier.
func (q *Query) lone(a anchor, live *axtree.Tree, m *match) (*axtree.Node, Decision) {
	d := Decision{Outcome: One, Tier: m.tier, Why: "the only " + q.Target.Describe()}
	refuse := func(outcome Outcome, format string, args ...any) (*axtree.Node, Decision) {
		return nil, Decision{Outcome: outcome, Tier: m.tier, Why: fmt.Sprintf(format, args...)}
	}
	if a.line == nil {
		if len(a.twins) > 1 {
			if x, why, _ := q.follow(a, live, []*match{m}); x == nil || why == "" {
				return refuse(Ambiguous, "the recorded page had %d %s and the recording does not say which was meant; one is left", len(a.twins), q.plural())
			}
		}
		if m.tier == TierVolatile && len(a.twins) != 1 || m.tier == TierTolerant {
			if m.tier == TierVolatile && q.Before != nil && len(q.Before.Nodes) > 0 {
				return refuse(Missing, "no %s; the only similar one is %s, and the recording does not say what stood around it", q.Target.Describe(), quote(firstName(m.node)))
			}
		}
		return m.node, q.warn(d, m)
	}
	if len(a.twins) > 1 {
		if m.score >= 0 && m.score < loneScore || m.contra > maxContra {
			return refuse(Missing, "the only %s left is not the recorded one: it %s", q.Target.Describe(), m.against())
		}
		if m.score < 0 {
			return refuse(Ambiguous, "the recorded page had %d %s and nothing tells them apart; one is left", len(a.twins), q.plural())
		}
		d.Warnings = append(d.Warnings, fmt.Sprintf("the recorded page had %d %s; one is left, in the recorded place", len(a.twins), q.plural()))
	}
	if want := itemOf(a.line); want != nil {
		texts := slices.DeleteFunc(textsIn(want, a.line, 0), meaningless)
		if have := itemOf(m.node); len(texts) > 0 && have != nil {
			plain, soft := set(textsIn(have, m.node, 0))
			if !slices.ContainsFunc(texts, func(t string) bool { return plain[t] || soft[softKey(t)] }) {
				return refuse(Missing, "the only %s is in another %s: it has none of %s", q.Target.Describe(), want.Role, quoteAll(texts, 3))
			}
		}
	}
	if m.tier == TierVolatile || m.tier == TierTolerant || m.tier == TierRole {
		if n := q.softTwins(a); n > 1 && m.tier == TierVolatile {
			return refuse(Missing, "no %s; %s differs in a number, and the recorded page had %d names that differ only so", q.Target.Describe(), quote(firstName(m.node)), n)
		}
		if m.score >= 0 && m.score < loneScore {
			return refuse(Missing, "no %s; the nearest is %s, but it %s", q.Target.Describe(), quote(firstName(m.node)), m.against())
		}
	}
	if m.tier == TierStructural && m.score >= 0 && m.score < clearScore {
		return refuse(Missing, "the only %s stands elsewhere: it %s", q.Target.Describe(), m.against())
	}
	return m.node, q.warn(d, m)
}

// softTwins counts the recorded lines whose names differ from the target's at most in numbers.
func (q *Query) softTwins(a anchor) int {
	n, want := 0, softKey(Normalise(a.line.Name))
	for _, m := range a.tree.Nodes {
		if Family(m.Role) == Family(a.line.Role) && m.Ref != "" && softKey(Normalise(m.Name)) == want {
			n++
		}
	}
	return n
}

func (m *match) against() string {
	for _, e := range m.verdicts {
		if !e.Agrees {
			return e.Text
		}
	}
	return "agrees with nothing that was recorded around it"
}

func (q *Query) warn(d Decision, m *match) Decision {
	m.score = max(m.score, 0)
	for _, e := range m.notes {
		switch m.tier {
		case TierFamily, TierRecorder, TierRole, TierVolatile, TierTolerant:
			d.Warnings = append(d.Warnings, q.Target.Describe()+": "+e.Text)
		}
	}
	return d
}

func (q *Query) report(d Decision, ms []*match) Decision {
	d.Total = len(ms)
	for i, m := range ms {
		if i == maxListed {
			break
		}
		c := m.candidate()
		c.Chosen = d.Outcome == One && i == 0
		c.Score = max(c.Score, 0)
		d.Candidates = append(d.Candidates, c)
	}
	return d
}

func (q *Query) plural() string {
	s := q.Target.Describe()
	if role, rest, ok := strings.Cut(s, " "); ok {
		return role + "s " + rest
	}
	return s
}

// nothing says what is there instead of the target.
func (q *Query) nothing(live *axtree.Tree) string {
	s := "no " + q.Target.Describe() + " on the page"
	want := Normalise(q.Target.Name)
	for _, h := range live.Hidden {
		if want != "" && Normalise(firstName(h.Node)) == want {
			return s + "; one is in the document but not shown"
		}
	}
	for _, n := range live.Nodes {
		if want != "" && n.Role != "StaticText" && Normalise(n.Name) == want && n.Live != nil {
			return fmt.Sprintf("%s; a %s has that name", s, n.Role)
		}
	}
	for _, n := range live.Nodes {
		if want != "" && n.Role == "StaticText" && Normalise(n.Name) == want {
			return s + "; the text is there, but not on such a control"
		}
	}
	return s
}
