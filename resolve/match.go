package resolve

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"

	"retrace/resolve/axtree"
)

// tierRank is the order of the tiers. An element without a name competes with none that has one.
var tierRank = map[Tier]int{TierExact: 1, TierFamily: 2, TierRecorder: 3, TierRole: 4, TierVolatile: 5, TierStructural: 1, TierTolerant: 7}

// match is a live element whose role and name fit the target.
type match struct {
	node  *axtree.Node
	tier  Tier
	notes []Evidence // of role and name

	// What the comparison of the surroundings found; see [scale.weigh].
	score    float64
	contra   float64
	told     bool       // of what tells the recorded one from its equals it has something, if there is anything
	stranger bool       // it stands with something else than what the recorded one belongs to
	verdicts []Evidence // of the surroundings

	ruledOut string // why it cannot be the one whatever else speaks for it; empty when it can
}

// weak reports whether the name itself is not certain.
func (t Tier) weak() bool { return t == TierVolatile || t == TierTolerant }

// usable reports whether a person could do to the element what the step did.
func usable(n *axtree.Node, use Use) bool {
	l := n.Live
	if l == nil || l.Hidden || l.Backend == 0 || n.Role == "StaticText" {
		return false
	}
	if l.OffPage && use != ToPress && l.Type != "checkbox" && l.Type != "radio" && l.Type != "file" {
		return false // a link that only shows when the keyboard reaches it can be pressed, a box be switched by its label
	}
	switch use {
	case ToFill:
		switch Family(n.Role) {
		case "text field", "slider":
			return true
		}
		return n.Role == "combobox" && l.Tag != "select" || l.Tag == "textarea" ||
			l.Tag == "input" && l.Type != "checkbox" && l.Type != "radio" && l.Type != "button" && l.Type != "submit"
	case ToSelect:
		return l.Tag == "select" || Family(n.Role) == "choice"
	}
	return clickable[n.Role] || l.Clickable
}

// matches finds the live elements that fit the target at all, each at its best tier, in reading order.
func (q *Query) matches(a anchor, live *axtree.Tree) []*match {
	want := newName(q.Target.Name)
	if a.line != nil && want.prefix != "" && cutName(Normalise(a.line.Name)) == "" {
		want.whole = Normalise(a.line.Name)
	}
	var out []*match
	for _, n := range live.Nodes {
		if !usable(n, q.Use) {
			continue
		}
		if m := q.fit(n, want); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// fromDOM reports whether role and name of the target come from the DOM and not from the accessibility tree.
func (d Descriptor) fromDOM() bool { return d.Unmatched || d.Tag != "" }

// fit says at which tier an element fits the target; nil when it does not.
func (q *Query) fit(n *axtree.Node, want name) *match {
	d, l := q.Target, n.Live
	if d.Tag != "" && !strings.EqualFold(d.Tag, l.Tag) {
		return nil
	}
	if d.NameAttr != "" && l.NameAttr != "" && d.NameAttr != l.NameAttr {
		return nil
	}
	sameRole := d.Role == n.Role || d.fromDOM() && d.Role == l.DOMRole
	family := sameRole || d.Role == "" || sameFamily(d.Role, n)
	have := Normalise(n.Name)
	m := &match{node: n}
	if want.plain == "" {
		if d.Role == "" && d.NameAttr == "" || !family || have != "" && !(d.fromDOM() && l.DOMName == "") {
			return nil
		}
		m.tier = TierStructural
		m.note("name", true, "has no name, like the recorded one")
		return m
	}
	sameName := want.equal(have) || d.fromDOM() && want.equal(Normalise(l.DOMName))
	if want.whole != "" && want.whole != have {
		return nil // the page text has the whole name, and this is another one with the same beginning
	}
	switch {
	case sameName && sameRole, sameName && d.Role == "" && (l.Recovered || l.Clickable):
		m.tier = TierExact
	case sameName && family:
		m.tier = TierFamily
		if d.Role != "" {
			m.note("role", true, "is a %s; recorded as %s, which is the same kind of control", n.Role, d.Role)
		}
	case family && otherName(want, n):
		m.tier = TierRecorder
		m.note("name", true, "has the recorded name by its label, title, placeholder or text, not as accessible name (%s)", quote(n.Name))
	case sameName && q.Use != ToFill && q.Use != ToSelect && replaces(n, d.Role):
		m.tier = TierRole
		if l.Tag == "label" {
			m.note("role", false, "is the label of a %s", d.Role)
			break
		}
		m.note("role", false, "is a %s now; recorded as %s", n.Role, d.Role)
	case family && contradicts(want.plain, have):
		m.tier = TierVolatile
		m.ruledOut = "is another one of its kind: " + quote(n.Name)
	case family && (want.isSoft && softEqual(want, have) || want.counted(have)):
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

// sameFamily reports whether a live element can be the control that was recorded with another role.
func sameFamily(recorded string, n *axtree.Node) bool {
	want, have := Family(recorded), Family(n.Role)
	switch {
	case want == have:
		return true
	case n.Live.Type == "file":
		return want == "text field" || want == "button"
	case want == "text field":
		return n.Role == "combobox" && n.Live.Tag != "select"
	case recorded == "combobox":
		return have == "text field" && n.Live.Tag == "input"
	}
	return false
}

// replaces reports whether a control that was recorded with a role may have become a live element, which is of another kind: a
// button a link, say. A field that is typed into is never what is clicked on.
func replaces(n *axtree.Node, recorded string) bool {
	typed := func(role string) bool { return Family(role) == "text field" || role == "slider" }
	switch {
	case !clickable[recorded]:
		return false
	case n.Live.Tag == "label":
		return labels(n.Live.Control, recorded)
	}
	return typed(n.Role) == typed(recorded)
}

// labels reports whether a label that is for c can stand for a control that was recorded with a role. A label of nothing does
// nothing.
func labels(c *axtree.Control, role string) bool {
	switch {
	case c == nil:
		return false
	case c.Type == "file":
		return Family(role) == "text field" || Family(role) == "button"
	}
	return c.Role != "" && Family(c.Role) == Family(role)
}

func softEqual(want name, have string) bool {
	s, ok := Soften(have)
	return ok && s == want.soft
}

// otherName reports whether one of the names that a recorder may have used instead of the accessible name fits.
func otherName(want name, n *axtree.Node) bool {
	fits := func(s string) bool {
		s = Normalise(s)
		return s != "" && (want.equal(s) || want.folded == fold(s))
	}
	if fits(n.Name) || fits(n.Live.DOMName) {
		return true
	}
	for _, s := range n.Live.Names {
		if fits(s) {
			return true
		}
	}
	return false
}

// shareWords reports whether at least half of the words of each name are in the other.
func shareWords(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	have := map[string]bool{}
	for _, w := range y {
		have[w] = true
	}
	n := 0
	for _, w := range x {
		if have[w] {
			n++
		}
	}
	return n > 0 && 2*n >= len(x) && 2*n >= len(y)
}

// innermost drops candidates that are other candidates' containers or labels, since a click on either is the same click.
func innermost(ms []*match) []*match {
	type element struct {
		frame   cdp.FrameID
		backend cdp.BackendNodeID
	}
	at, is := make(map[*axtree.Node]*match, len(ms)), make(map[element]bool, len(ms))
	for _, m := range ms {
		at[m.node] = m
		is[element{m.node.Live.Frame, m.node.Live.Backend}] = true
	}
	outer := map[*match]bool{}
	for _, m := range ms {
		for a := range m.node.Ancestors() {
			if o := at[a]; o != nil && (o.node.Live.Tag == "label" || displayName(o.node) == displayName(m.node)) {
				outer[o] = true
			}
		}
		if c := m.node.Live.Control; c != nil && is[element{m.node.Live.Frame, c.Backend}] {
			outer[m] = true
		}
	}
	var out []*match
	for _, m := range ms {
		if !outer[m] {
			out = append(out, m)
		}
	}
	return out
}

// displayName is the name by which people know a live element.
func displayName(n *axtree.Node) string {
	if n.Name == "" && n.Live != nil {
		return Normalise(n.Live.DOMName)
	}
	return Normalise(n.Name)
}
