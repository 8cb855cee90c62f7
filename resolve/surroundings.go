package resolve

import (
	"slices"

	"retrace/resolve/axtree"
)

// itemOf is the row, list item or article around a node, or nil.
func itemOf(n *axtree.Node) *axtree.Node {
	for a := range n.Ancestors() {
		if itemRoles[a.Role] {
			return a
		}
		if a.Role == "Iframe" {
			return nil
		}
	}
	return nil
}

// framePath lists the names of the frames around a node, innermost first.
func framePath(n *axtree.Node) []string {
	var out []string
	for a := range n.Ancestors() {
		if a.Role == "Iframe" {
			out = append(out, Normalise(a.Name))
		}
	}
	return out
}

// dialogOf is the dialog around a node, or nil; a frame may be in a dialog.
func dialogOf(n *axtree.Node) *axtree.Node {
	for a := range n.Ancestors() {
		if a.Role == "dialog" || a.Role == "alertdialog" {
			return a
		}
	}
	return nil
}

// frameAround is the frame that holds a node, or nil for one in the page itself.
func frameAround(n *axtree.Node) *axtree.Node {
	for a := range n.Ancestors() {
		if a.Role == "Iframe" {
			return a
		}
	}
	return nil
}

// landmarkRoles hold what belongs together under a name.
var landmarkRoles = map[string]bool{
	"region": true, "group": true, "form": true, "dialog": true, "alertdialog": true, "navigation": true, "toolbar": true, "tabpanel": true,
	"menu": true, "listbox": true, "tree": true, "treeitem": true, "article": true, "complementary": true, "radiogroup": true, "grid": true,
	"table": true, "search": true, "list": true, "menubar": true, "tablist": true, "Iframe": true,
}

// landmark is a named group.
type landmark struct {
	role, name string
	node       *axtree.Node
}

func (l landmark) String() string { return l.role + " " + quote(l.name) }

// same reports whether two groups are called the same, up to numbers.
func (l landmark) same(m landmark) bool { return l.role == m.role && softSame(l.name, m.name) }

// landmarksOf are the named groups around a node, nearest first.
func landmarksOf(n *axtree.Node) []landmark {
	var out []landmark
	for a := range n.Ancestors() {
		if landmarkRoles[a.Role] {
			if s := Normalise(a.Name); s != "" {
				out = append(out, landmark{a.Role, s, a})
			}
		}
	}
	return out
}

func hasLandmark(n *axtree.Node, l landmark) bool {
	return slices.ContainsFunc(landmarksOf(n), l.same)
}

// headings gives for every node of a tree, by its index, the nearest heading before it in its own document: "" when there is
// none. A row that says what the rows below it are about is a heading to them.
func headings(t *axtree.Tree) []string {
	out := make([]string, len(t.Nodes))
	var walk func(n *axtree.Node, current string) string
	walk = func(n *axtree.Node, current string) string {
		if n.Index < len(out) {
			out[n.Index] = current
		}
		if n.Role == "heading" {
			if s := Normalise(n.Name); s != "" {
				current = s
			}
		}
		if isRow(n) {
			if s := rowHeading(n); s != "" {
				current = s
			}
		}
		inner := current
		if n.Role == "Iframe" {
			inner = ""
		}
		for _, c := range n.Children {
			inner = walk(c, inner)
		}
		if n.Role != "Iframe" && !tableRoles[n.Role] {
			current = inner
		}
		return current
	}
	current := ""
	for _, n := range t.Nodes {
		if n.Parent == nil {
			current = walk(n, current)
		}
	}
	return out
}

// tableRoles hold rows.
var tableRoles = map[string]bool{"table": true, "grid": true, "treegrid": true, "LayoutTable": true}

// similar reports whether two parts of a page hold mostly the same, so that only their names differ. What is the same but for a
// key is about another thing.
func similar(recorded, live *axtree.Node) bool {
	want, texts := textsIn(recorded, recorded, 0), textsIn(live, live, 0)
	have, soft := set(texts)
	if contradicts(Normalise(recorded.Name), Normalise(live.Name)) {
		return false
	}
	n := 0
	for _, t := range want {
		switch {
		case have[t] || soft[softKey(t)]:
			n++
		case slices.ContainsFunc(texts, func(l string) bool { return contradicts(t, l) }):
			return false
		}
	}
	return len(want) > 0 && 3*n >= 2*len(want)
}

func set(texts []string) (plain, soft map[string]bool) {
	plain, soft = make(map[string]bool, len(texts)), make(map[string]bool, len(texts))
	for _, t := range texts {
		plain[t] = true
		soft[softKey(t)] = true
	}
	return plain, soft
}
