package resolve

import (
	"strings"

	"retrace/resolve/axtree"
)

// tierRank is the order of the tiers; 0 is none.
var tierRank = map[Tier]int{TierExact: 1, TierFamily: 2, TierRecorder: 3, TierRole: 4, TierVolatile: 5, TierStructural: 1, TierTolerant: 7}

// match is a live element whose role and name fit the target.
type match struct {
	node  *axtree.Node
	tier  Tier
	notes []Evidence

	score    float64
	contra   float64
	verdicts []Evidence
	ruledOut string // why it cannot be the one; empty when it can
}

// usable reports whether a person could do to the element what the step did.
func usable(n *axtree.Node, use Use) bool {
	l := n.Live
	if l == nil || l.Hidden || l.Backend == 0 {
		return false
	}
	switch use {
	case ToFill:
		switch Family(n.Role) {
		case "text field", "slider":
			return true
		}
		return n.Role == "combobox" && l.Tag != "select" || l.Tag == "textarea" || l.Recovered && n.Role == "textbox" ||
			l.Tag == "input" && l.Type != "checkbox" && l.Type != "radio" && l.Type != "button" && l.Type != "submit"
	case ToSelect:
		return l.Tag == "select" || Family(n.Role) == "choice"
	}
	return clickable[n.Role] || l.Clickable
}

// matches finds the live elements that fit the target at all, each at its best tier.
func (q *Query) matches(live *axtree.Tree, line *axtree.Node) []*match {
	want := newName(q.Target.Name)
	var out []*match
	for _, n := range live.Nodes {
		if !usable(n, q.Use) || n.Role == "StaticText" {
			continue
		}
		if m := q.fit(n, want); m != nil {
			out = append(out, m)
		}
	}
	return out
}

func (q *Query) fit(n *axtree.Node, want name) *match {
	d, l := q.Target, n.Live
	if d.Tag != "" && !tagFits(d.Tag, l.Tag) {
		return nil
	}
	if d.NameAttr != "" && l.NameAttr != "" && d.NameAttr != l.NameAttr {
		return nil
	}
	roleSame := d.Role == n.Role || (d.Unmatched || d.Tag != "") && d.Role == l.DOMRole
	family := roleSame || d.Role == "" || Family(d.Role) == Family(n.Role) || l.Type == "file" && (Family(d.Role) == "text field" || Family(d.Role) == "button") ||
		Family(d.Role) == "text field" && n.Role == "combobox" && l.Tag != "select" || d.Role == "combobox" && Family(n.Role) == "text field" && l.Tag == "input"
	if want.plain == "" {
		if d.Role == "" && d.NameAttr == "" || !family {
			return nil
		}
		if Normalise(n.Name) != "" && !((d.Unmatched || d.Tag != "") && l.DOMName == "") {
			return nil
		}
		return &match{node: n, tier: TierStructural, notes: []Evidence{{"name", true, "has no name, like the recorded one"}}}
	}
	have := Normalise(n.Name)
	domName := Normalise(l.DOMName)
	fromDOM := d.Unmatched || d.Tag != ""
	nameSame := want.equal(have) || fromDOM && want.equal(domName)
	m := &match{node: n}
	switch {
	case nameSame && roleSame:
		m.tier = TierExact
	case nameSame && family:
		m.tier = TierFamily
		if d.Role != "" {
			m.note("role", true, "is a %s; recorded as %s, which is the same kind of control", n.Role, d.Role)
		}
		if d.Role == "" && (l.Recovered || l.Clickable) {
			m.tier = TierExact
		}
	case family && otherName(want, n):
		m.tier = TierRecorder
		m.note("name", true, "has the recorded name by its label, title, placeholder or text, not as accessible name (%s)", quote(n.Name))
	case nameSame && q.Use != ToFill && q.Use != ToSelect && (clickable[n.Role] || l.Clickable) && clickable[d.Role]:
		m.tier = TierRole
		m.note("role", false, "is a %s now; recorded as %s", n.Role, d.Role)
	case family && want.isSoft && softEqual(want, have):
		m.tier = TierVolatile
		m.note("name", false, "name differs only in a number or date (%s)", quote(n.Name))
	case q.Mode == Tolerant && family && shareWords(want.plain, have):
		m.tier = TierTolerant
		m.note("name", false, "name is now %s", quote(n.Name))
	default:
		return nil
	}
	return m
}

func softEqual(want name, have string) bool {
	s, ok := Soften(have)
	return ok && s == want.soft
}

// otherName reports whether one of the names that a recorder may have used instead of the accessible name fits.
func otherName(want name, n *axtree.Node) bool {
	if want.folded == fold(Normalise(n.Name)) {
		return true
	}
	for _, s := range append([]string{n.Live.DOMName}, n.Live.Names...) {
		if s = Normalise(s); s != "" && (want.equal(s) || want.folded == fold(s)) {
			return true
		}
	}
	return false
}

func tagFits(recorded, live string) bool {
	return strings.EqualFold(recorded, live)
}

// shareWords reports whether at least half of the words of each name are in the other.
func shareWords(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	n := 0
	for _, w := range x {
		for _, v := range y {
			if w == v {
				n++
				break
			}
		}
	}
	return 2*n >= len(x) && 2*n >= len(y)
}

// innermost drops candidates that are other candidates' containers or labels, since a click on either is the same click.
func innermost(ms []*match) []*match {
	var out []*match
	for _, m := range ms {
		keep := true
		for _, o := range ms {
			if o == m {
				continue
			}
			if within(o.node, m.node) && (sameName(o.node, m.node) || m.node.Live.Tag == "label") && tierRank[o.tier] <= tierRank[m.tier] {
				keep = false
			}
			if m.node.Live.Tag == "label" && o.node.Live.Tag != "label" && m.node.Parent == o.node.Parent && isToggle(o.node) && tierRank[o.tier] <= tierRank[m.tier] {
				keep = false
			}
		}
		if keep {
			out = append(out, m)
		}
	}
	return out
}

func isToggle(n *axtree.Node) bool {
	return n.Role == "checkbox" || n.Role == "radio" || n.Role == "switch"
}

func sameName(a, b *axtree.Node) bool {
	x, y := Normalise(firstName(a)), Normalise(firstName(b))
	return x == y
}

func firstName(n *axtree.Node) string {
	if n.Name != "" {
		return n.Name
	}
	if n.Live != nil {
		return n.Live.DOMName
	}
	return ""
}

func within(n, ancestor *axtree.Node) bool {
	for a := range n.Ancestors() {
		if a == ancestor {
			return true
		}
	}
	return false
}
