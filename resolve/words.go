package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"retrace/resolve/axtree"
)

// note adds what was found about role or name.
func (m *match) note(kind string, agrees bool, format string, args ...any) {
	m.notes = append(m.notes, Evidence{Kind: kind, Agrees: agrees, Text: fmt.Sprintf(format, args...)})
}

// quote quotes a text for people, cut to 80 characters.
func quote(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:79]) + "…"
	}
	return strconv.Quote(s)
}

// quoteAll quotes up to max texts.
func quoteAll(list []string, max int) string {
	var out []string
	for i, s := range list {
		if i == max {
			out = append(out, "…")
			break
		}
		out = append(out, quote(s))
	}
	return strings.Join(out, ", ")
}

// Describe names a recorded target for people: `button "Save"`.
func (d Descriptor) Describe() string {
	role := d.Role
	if role == "" {
		role = d.Tag
	}
	if role == "" {
		role = "element"
	}
	if n := StripSuffix(d.Name); n != "" {
		return role + " " + quote(n)
	}
	if d.NameAttr != "" {
		return role + " named " + quote(d.NameAttr)
	}
	return role + " without a name"
}

// where lists the named ancestors of a node, outermost first.
func where(n *axtree.Node) string {
	var parts []string
	for a := range n.Ancestors() {
		if a.Role == "RootWebArea" || a.Role == "generic" {
			continue
		}
		switch {
		case a.Name != "":
			parts = append(parts, a.Role+" "+quote(a.Name))
		case itemRoles[a.Role]:
			texts := textsIn(a, n, 2)
			if len(texts) > 0 {
				parts = append(parts, a.Role+" with "+quoteAll(texts, 2))
			}
		}
		if len(parts) == 4 {
			break
		}
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, " › ")
}

// frameOf is the name of the frame around a node; empty for the page itself.
func frameOf(n *axtree.Node) string {
	for a := range n.Ancestors() {
		if a.Role == "Iframe" {
			return a.Name
		}
	}
	return ""
}

// plural names several elements of the target's kind: `buttons "Save"`.
func (s *search) plural() string {
	one := s.q.Target.Describe()
	role, rest, ok := strings.Cut(one, " ")
	if !ok {
		return one + "s"
	}
	if strings.HasSuffix(role, "x") {
		return role + "es " + rest
	}
	return role + "s " + rest
}

// candidate is the match as it is reported.
func (m *match) candidate() Candidate {
	l := m.node.Live
	var state []string
	if l.Disabled {
		state = append(state, "disabled")
	}
	if l.ReadOnly {
		state = append(state, "readonly")
	}
	if l.Checked != "" {
		state = append(state, "checked="+l.Checked)
	}
	if l.Expanded != "" {
		state = append(state, "expanded="+l.Expanded)
	}
	c := Candidate{
		Role: m.node.Role, Name: displayName(m.node), Where: where(m.node), Frame: frameOf(m.node), State: strings.Join(state, " "),
		Tier: m.tier, Score: max(m.score, 0), Index: m.node.Index, Evidence: append(append([]Evidence{}, m.notes...), m.verdicts...),
	}
	if m.ruledOut != "" {
		c.Evidence = append(c.Evidence, Evidence{Kind: "ruled out", Agrees: false, Text: m.ruledOut})
	}
	return c
}
