package assert

import (
	"strconv"
	"strings"

	"retrace/replay/jsonast"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

func isText(n *axtree.Node) bool {
	return n.Role == "StaticText" || n.Role == "InlineTextBox" || n.Role == axtree.TextRole
}

// longestText is how much text of one part of a page is put together.
const longestText = 4000

// text looks for a text on the page. A text may be spread over elements that stand side by side ("<b>3</b> items"): the
// texts of a part of the page are put together, and between two of them there may be a space or none, since a tree does not
// say which.
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

// joint stands between two texts that were put together.
const joint = '\x00'

// spread finds the smallest part of the page whose texts together hold the wanted one.
func spread(root *axtree.Node, want string) *axtree.Node {
	var in *axtree.Node
	var collect func(n *axtree.Node) string
	collect = func(n *axtree.Node) string {
		if n.Live != nil && n.Live.Hidden {
			return ""
		}
		if isText(n) {
			return resolve.Normalise(strings.ReplaceAll(n.Name, string(joint), ""))
		}
		var b strings.Builder
		for _, c := range n.Children {
			t := collect(c)
			if t != "" && b.Len() > 0 {
				b.WriteRune(joint)
			}
			b.WriteString(t)
		}
		all := b.String()
		if len(all) > longestText {
			return ""
		}
		if in == nil && containsJoined(all, want) {
			in = n
		}
		return all
	}
	collect(root)
	return in
}

// containsJoined reports whether text holds want when each joint in it stands for a space or for nothing.
func containsJoined(text, want string) bool {
	for start := range len(text) {
		if beginsJoined(text[start:], want) {
			return true
		}
	}
	return false
}

func beginsJoined(text, want string) bool {
	for i := 0; i < len(text) && want != ""; i++ {
		switch text[i] {
		case joint:
			want = strings.TrimPrefix(want, " ")
		case want[0]:
			want = want[1:]
		default:
			return false
		}
	}
	return want == ""
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
		out = append(out, "it says "+strconv.Quote(jsonast.Short(name)))
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
