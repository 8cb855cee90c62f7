package resolve

import (
	"slices"

	"retrace/resolve/axtree"
)

// textsIn lists the normalised texts below root in reading order, without those of the subtree of skip, each once; at most
// max (0: all).
func textsIn(root, skip *axtree.Node, max int) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(n *axtree.Node) bool
	walk = func(n *axtree.Node) bool {
		if n == skip {
			return true
		}
		if n != root || skip == nil {
			if s := Normalise(n.Name); s != "" && !seen[s] && n.Role != "option" && n.Role != "Iframe" {
				seen[s] = true
				out = append(out, s)
				if max > 0 && len(out) == max {
					return false
				}
			}
		}
		for _, c := range n.Children {
			if !walk(c) {
				return false
			}
		}
		return true
	}
	walk(root)
	return out
}

// nearby is what stands around a node: what belongs to it and to none of its twins.
type nearby struct {
	// box is the largest part of the page that holds the node and no twin; top says that it is the whole page.
	box *axtree.Node
	top bool
	// before and after are the texts inside the box, nearest first.
	before, after []string
	// left and right are the texts between the box and the twins beside it, nearest first.
	left, right []string
}

const maxNear = 40

// around computes what stands around n, with twins as its equals (n may be among them).
func around(n *axtree.Node, twins []*axtree.Node) nearby {
	near := nearby{box: n}
	holds := map[*axtree.Node]bool{} // nodes whose subtree has a twin
	for _, t := range twins {
		if t == n || within(n, t) || within(t, n) {
			continue
		}
		for a := t; a != nil; a = a.Parent {
			holds[a] = true
		}
	}
	for near.box.Parent != nil && !holds[near.box.Parent] && near.box.Role != "Iframe" {
		near.box = near.box.Parent
	}
	near.top = near.box.Parent == nil
	near.before, near.after = splitTexts(near.box, n)
	if p := near.box.Parent; p != nil {
		i := slices.Index(p.Children, near.box)
		for j := i - 1; j >= 0 && !holds[p.Children[j]] && len(near.left) < maxNear; j-- {
			t := textsIn(p.Children[j], nil, maxNear)
			slices.Reverse(t)
			near.left = append(near.left, t...)
		}
		for j := i + 1; j < len(p.Children) && !holds[p.Children[j]] && len(near.right) < maxNear; j++ {
			near.right = append(near.right, textsIn(p.Children[j], nil, maxNear)...)
		}
	}
	return near
}

// splitTexts lists the texts inside box that come before and after n, nearest first.
func splitTexts(box, n *axtree.Node) (before, after []string) {
	if box == n {
		return nil, nil
	}
	passed := false
	var walk func(m *axtree.Node)
	walk = func(m *axtree.Node) {
		if m == n {
			passed = true
			return
		}
		if s := Normalise(m.Name); s != "" && m.Role != "option" && m != box && !within(n, m) {
			if passed {
				if len(after) < maxNear && !slices.Contains(after, s) {
					after = append(after, s)
				}
			} else if !slices.Contains(before, s) {
				before = append(before, s)
			}
		}
		for _, c := range m.Children {
			walk(c)
		}
	}
	walk(box)
	slices.Reverse(before)
	if len(before) > maxNear {
		before = before[:maxNear]
	}
	return before, after
}

// inside lists the texts of the box.
func (n nearby) inside() []string { return append(slices.Clone(n.before), n.after...) }

// comparable picks the recorded texts that should stand with the element, given how the live element is laid out: a
// recording is flat where the page has plain containers, so that the texts of an item may lie beside it instead of in it.
func comparable(recorded, live nearby) (want, have []string) {
	switch r, l := recorded.inside(), live.inside(); {
	case len(r) > 0 && !recorded.top && len(l) > 0:
		return r, l
	case len(l) > 0 && recorded.top:
		return append(first(recorded.before, 4), first(recorded.after, 2)...), l
	case len(l) > 0:
		want = append(first(recorded.left, len(live.before)), first(recorded.right, len(live.after))...)
		return want, l
	case len(r) > 0 && !recorded.top:
		return r, append(slices.Clone(live.left), live.right...)
	case recorded.top:
		return append(first(recorded.before, 3), first(recorded.after, 1)...), append(slices.Clone(live.left), live.right...)
	}
	return append(mark("<", recorded.left), mark(">", recorded.right)...), append(mark("<", live.left), mark(">", live.right)...)
}

// mark tells texts before and after apart where nothing else says what belongs together.
func mark(sign string, texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, t := range first(texts, 4) {
		out = append(out, sign+t)
	}
	return out
}

func first(s []string, n int) []string {
	if len(s) < n {
		n = len(s)
	}
	return slices.Clone(s[:n])
}

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

// frames lists the names of the frames around a node, innermost first.
func frames(n *axtree.Node) []string {
	var out []string
	for a := range n.Ancestors() {
		if a.Role == "Iframe" {
			out = append(out, Normalise(a.Name))
		}
	}
	return out
}

// dialog is the dialog around a node, or nil.
func dialog(n *axtree.Node) *axtree.Node {
	for a := range n.Ancestors() {
		if a.Role == "dialog" || a.Role == "alertdialog" {
			return a
		}
		if a.Role == "Iframe" {
			return nil
		}
	}
	return nil
}

// landmarks are the named groups around a node, nearest first: "region Home address".
func landmarks(n *axtree.Node) []string {
	var out []string
	for a := range n.Ancestors() {
		switch a.Role {
		case "region", "group", "form", "dialog", "alertdialog", "navigation", "toolbar", "tabpanel", "menu", "listbox", "tree",
			"treeitem", "article", "complementary", "radiogroup", "grid", "table", "search", "list", "menubar", "tablist", "Iframe":
			if s := Normalise(a.Name); s != "" {
				out = append(out, a.Role+" "+s)
			}
		}
	}
	return out
}

// heading is the nearest heading before a node in its own frame.
func heading(n *axtree.Node, nodes []*axtree.Node) string {
	for i := n.Index; i >= 0 && i < len(nodes); i-- {
		m := nodes[i]
		if m.Role == "heading" && m.Name != "" && !within(m, n) {
			return Normalise(m.Name)
		}
		if m.Role == "Iframe" && within(n, m) {
			return ""
		}
	}
	return ""
}
