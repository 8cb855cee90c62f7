package verify

import (
	"slices"

	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// maxItems bounds the number of changes of one step that are looked at.
const maxItems = 120

func difference(before, after *trace.State) []*item {
	var items []*item
	if !SamePage(before.URL, after.URL) || !SameQuery(before.URL, after.URL) {
		items = append(items, &item{kind: address, name: after.URL, weight: 3})
	}
	if before.Title != after.Title && after.Title != "" {
		items = append(items, &item{kind: retitled, name: resolve.Normalise(after.Title), weight: 1})
	}
	if len(before.Tree.Nodes) == 0 || len(after.Tree.Nodes) == 0 {
		return items
	}
	was, is := recorded(before.Tree), recorded(after.Tree)
	add := func(k kind, n *axtree.Node, other, own *index, inDocument bool) {
		name := resolve.Normalise(n.Name)
		if name == "" || len(items) >= maxItems || skip(n, inDocument) {
			return
		}
		kk := key{resolve.Family(n.Role), name}
		if own.counts[kk] <= other.counts[kk] {
			return
		}
		if textual[n.Role] && other.texts[name] >= own.texts[name] {
			return
		}
		for _, it := range items {
			if it.kind == k && it.name == name && (textual[it.role] && textual[n.Role] || resolve.Family(it.role) == kk.family) {
				it.message = it.message || inLiveRegion(n)
				return
			}
		}
		items = append(items, &item{kind: k, role: n.Role, name: name, count: is.count(n.Role, name), message: inLiveRegion(n), weight: weight(n)})
	}
	for _, n := range after.Tree.Nodes {
		add(appeared, n, was, is, hasDocument(after.Tree))
	}
	if before.Tree.Modal() == after.Tree.Modal() && !after.Truncated {
		for _, n := range before.Tree.Nodes {
			add(vanished, n, is, was, hasDocument(before.Tree))
		}
	}
	return items
}

// skip leaves out what is not part of the page's own content: options of closed lists, the document itself, and inner parts.
func skip(n *axtree.Node, inDocument bool) bool {
	return n.Role == "option" || n.Role == "RootWebArea" || innerPart(n, inDocument)
}

// innerPart reports whether a recorded node is the text in a field, which is its value and may have been typed in a step before,
// or an inner part of a native control, which a page text shows apart from the document.
func innerPart(n *axtree.Node, inDocument bool) bool {
	for a := range n.Ancestors() {
		if a.Role == "textbox" || a.Role == "searchbox" {
			return true
		}
	}
	if !inDocument {
		return false
	}
	top := n
	for top.Parent != nil {
		top = top.Parent
	}
	return top.Role != "RootWebArea" && resolve.Family(top.Role) != "button"
}

// hasDocument reports whether the recorded text has the document itself, and not only a layer above it.
func hasDocument(t *axtree.Tree) bool {
	return slices.ContainsFunc(t.Nodes, func(n *axtree.Node) bool { return n.Role == "RootWebArea" && n.Parent == nil })
}

func weight(n *axtree.Node) float64 {
	switch {
	case n.Role == "dialog" || n.Role == "alertdialog" || n.Role == "heading" || inLiveRegion(n):
		return 3
	case n.Ref != "":
		return 2
	}
	return 1
}
