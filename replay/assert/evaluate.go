package assert

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"retrace/replay/jsonast"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Page is what assertions are compared with: a live tree, and the address and title that belong to it.
type Page struct {
	Tree       *axtree.Tree
	URL, Title string
}

// Finding says whether an assertion holds, and what was there instead when it does not.
type Finding struct {
	Holds bool
	// Instead are facts about the page, a line each, most telling first.
	Instead []string
}

// Holds compares an assertion with a page.
func (a Assertion) Holds(p Page) Finding {
	switch {
	case a.URL != "":
		return Finding{matchURL(a.URL, p.URL), []string{"the address is " + strconv.Quote(p.URL)}}
	case a.Title != "":
		return Finding{matchPattern(resolve.Normalise(a.Title), resolve.Normalise(p.Title)), []string{"the title is " + strconv.Quote(p.Title)}}
	case a.Text != "":
		return a.text(p)
	}
	return a.elements(p)
}

// matchURL compares an address with a pattern: a complete address, or the part of it that the pattern has. A pattern that
// begins with "/" is about the path, and about query and fragment only when it has those.
func matchURL(pattern, address string) bool {
	if !strings.HasPrefix(pattern, "/") {
		return matchPattern(pattern, address)
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	have := u.EscapedPath()
	if have == "" {
		have = "/"
	}
	if strings.Contains(pattern, "?") && u.RawQuery != "" {
		have += "?" + u.RawQuery
	}
	if strings.Contains(pattern, "#") && u.Fragment != "" {
		have += "#" + u.EscapedFragment()
	}
	return matchPattern(pattern, have)
}

// matchPattern compares text with a pattern in which * stands for any text.
func matchPattern(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, last)
}

const fewest = 5 // facts of one kind that are told

// elements compares an assertion about role and name.
func (a Assertion) elements(p Page) Finding {
	var there []*axtree.Node
	for _, n := range nodes(p.Tree) {
		if a.fits(n) {
			there = append(there, n)
		}
	}
	switch {
	case a.Absent && len(there) == 0, !a.Absent && len(there) > 0 && a.State == "" && a.Value == nil:
		return Finding{Holds: true}
	case a.Absent:
		return Finding{Instead: []string{"there is " + list(there)}}
	case len(there) == 0:
		return Finding{Instead: a.nearest(p)}
	}
	var against []string
	for _, n := range there {
		have, ok := a.has(n)
		if !ok && len(against) < fewest {
			against = append(against, describe(n)+" "+have)
		}
	}
	if len(against) > 0 && len(there) > 1 {
		against = append(against, fmt.Sprintf("%d elements are called so, and all must be as asserted", len(there)))
	}
	return Finding{Holds: len(against) == 0, Instead: against}
}

// fits reports whether an element is one that the assertion speaks of. Roles of one family (a text field and a search field)
// count as the same.
func (a Assertion) fits(n *axtree.Node) bool {
	if a.Role != "" && n.Role != a.Role && resolve.Family(n.Role) != resolve.Family(a.Role) {
		return false
	}
	if a.Role == "" && isText(n) {
		return false
	}
	return a.Name == "" || resolve.Normalise(n.Name) == resolve.Normalise(a.Name)
}

// has compares state or value of an element, and says what it is instead.
func (a Assertion) has(n *axtree.Node) (have string, ok bool) {
	if a.Value != nil {
		switch value := resolve.Normalise(n.Value); {
		case value != "" && strings.Trim(value, "•") == "":
			return "hides what it holds", false
		case value == resolve.Normalise(*a.Value):
			return "", true
		case value == "":
			return "holds nothing", false
		default:
			return "holds " + strconv.Quote(jsonast.Short(n.Value)), false
		}
	}
	now := stateOf(n)
	if slices.Contains(now, a.State) {
		return "", true
	}
	if l := n.Live; l != nil {
		for _, kind := range []struct {
			of    []State
			value string
			noun  string
		}{
			{[]State{Checked, Unchecked, Mixed}, l.Checked, "a checked state"}, {[]State{Pressed, Unpressed}, l.Pressed, "a pressed state"},
			{[]State{Expanded, Collapsed}, l.Expanded, "an expanded state"}, {[]State{Selected, Unselected}, l.Selected, "a selected state"},
		} {
			if slices.Contains(kind.of, a.State) && kind.value == "" {
				return "has not " + kind.noun, false
			}
		}
	}
	return "is " + join(now), false
}

// stateOf lists the states that an element is in.
func stateOf(n *axtree.Node) []State {
	l := n.Live
	if l == nil {
		l = &axtree.Live{}
	}
	var out []State
	for _, s := range []struct {
		value string
		words map[string]State
	}{
		{value: l.Checked, words: map[string]State{"true": Checked, "false": Unchecked, "mixed": Mixed}},
		{value: l.Pressed, words: map[string]State{"true": Pressed, "false": Unpressed, "mixed": Mixed}},
		{value: l.Expanded, words: map[string]State{"true": Expanded, "false": Collapsed}},
		{value: l.Selected, words: map[string]State{"true": Selected, "false": Unselected}},
	} {
		if w := s.words[s.value]; w != "" {
			out = append(out, w)
		}
	}
	enabled := Enabled
	if l.Disabled {
		enabled = Disabled
	}
	out = append(out, enabled)
	if l.ReadOnly {
		out = append(out, ReadOnly)
	}
	if l.Focused {
		out = append(out, Focused)
	}
	return out
}

// nearest tells what is there when nothing fits: the name in another role, else other names in the role.
func (a Assertion) nearest(p Page) []string {
	var named, roled []*axtree.Node
	for _, n := range nodes(p.Tree) {
		switch {
		case a.Name != "" && resolve.Normalise(n.Name) == resolve.Normalise(a.Name):
			named = append(named, n)
		case a.Role != "" && n.Name != "" && resolve.Family(n.Role) == resolve.Family(a.Role):
			roled = append(roled, n)
		}
	}
	var out []string
	if p.Tree != nil {
		for _, h := range p.Tree.Hidden {
			if a.Name != "" && resolve.Normalise(h.Node.Name) == resolve.Normalise(a.Name) {
				out = append(out, "one is in the document, but not shown")
				break
			}
		}
	}
	switch {
	case len(named) > 0:
		out = append(out, "there is "+list(named))
	case len(roled) > 0:
		out = append(out, "there is "+list(roled))
	case a.Role != "":
		out = append(out, "there is no "+a.Role+" at all")
	}
	return append(out, "the page is "+strconv.Quote(p.Title)+" at "+p.URL)
}

// nodes are the elements and texts of a page that a person can see.
func nodes(t *axtree.Tree) []*axtree.Node {
	if t == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Nodes), func(n *axtree.Node) bool { return n.Live != nil && n.Live.Hidden })
}

func describe(n *axtree.Node) string {
	if n.Name == "" {
		return n.Role
	}
	return n.Role + " " + strconv.Quote(jsonast.Short(resolve.Normalise(n.Name)))
}

// list names some elements, each kind once.
func list(ns []*axtree.Node) string {
	var out []string
	for _, n := range ns {
		if d := describe(n); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) > fewest {
		return strings.Join(out[:fewest], ", ") + fmt.Sprintf(" and %d more", len(out)-fewest)
	}
	return strings.Join(out, ", ")
}
