package assert

import (
	"strconv"
	"strings"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

func isText(n *axtree.Node) bool {
	return n.Role == "StaticText" || n.Role == "InlineTextBox" || n.Role == axtree.TextRole
}

// longestText is how much text of one part of a page is put together.
const longestText = 4000

// text looks for a text on the page. A text may be spread over elements that stand side by side ("<b>3</b> items"): the
// texts of a part of the page are put together, with and without a space between them.
func (a Assertion) text(p Page) Finding {
	want := resolve.Normalise(a.Text)
	found := false
	var where *axtree.Node
	for _, n := range nodes(p.Tree) {
		if strings.Contains(resolve.Normalise(n.Name), want) {
			found, where = true, n
			break
		}
	}
	if !found && p.Tree != nil {
		for _, n := range p.Tree.Nodes {
			if n.Parent != nil {
				continue
			}
			if part := spread(n, want); part != nil {
				found, where = true, part
				break
			}
		}
	}
	switch {
	case found != a.Absent:
		return Finding{Holds: true}
	case found:
		return Finding{Instead: []string{"it is in " + describe(where)}}
	}
	return Finding{Instead: says(p)}
}

// spread finds the smallest part of the page whose texts together hold the wanted one.
func spread(root *axtree.Node, want string) *axtree.Node {
	var in *axtree.Node
	var collect func(n *axtree.Node) (tight, loose string)
	collect = func(n *axtree.Node) (tight, loose string) {
		if n.Live != nil && n.Live.Hidden {
			return "", ""
		}
		if isText(n) {
			return n.Name, resolve.Normalise(n.Name)
		}
		var close, apart strings.Builder
		for _, c := range n.Children {
			t, l := collect(c)
			close.WriteString(t)
			if l != "" && apart.Len() > 0 {
				apart.WriteByte(' ')
			}
			apart.WriteString(l)
		}
		tight, loose = close.String(), apart.String()
		if len(tight) > longestText {
			return "", ""
		}
		if in == nil && (strings.Contains(resolve.Normalise(tight), want) || strings.Contains(loose, want)) {
			in = n
		}
		return tight, loose
	}
	collect(root)
	return in
}

// says tells what a page says where messages stand: live regions, dialogs and headings.
func says(p Page) []string {
	out := []string{"the page is " + strconv.Quote(p.Title) + " at " + p.URL}
	seen := map[string]bool{}
	for _, n := range nodes(p.Tree) {
		name := resolve.Normalise(n.Name)
		switch {
		case name == "" || seen[name] || len(out) > fewest:
			continue
		case n.Role == "heading" || n.Role == "dialog" || n.Role == "alertdialog":
		case isText(n) && inMessage(n):
		default:
			continue
		}
		seen[name] = true
		out = append(out, "it says "+strconv.Quote(short(name)))
	}
	return out
}

func inMessage(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		switch a.Role {
		case "status", "alert", "log", "alertdialog":
			return true
		}
	}
	return false
}
