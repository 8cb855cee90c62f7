package e2e

import (
	"fmt"

	"retrace/resolve/axtree"
)

// refRoles are the roles to whose lines the recorder gives a ref.
var refRoles = map[string]bool{
	"button": true, "checkbox": true, "combobox": true, "listbox": true, "link": true, "menuitem": true, "menuitemcheckbox": true,
	"menuitemradio": true, "option": true, "radio": true, "scrollbar": true, "searchbox": true, "slider": true, "spinbutton": true,
	"switch": true, "tab": true, "textbox": true, "treeitem": true,
}

// pageText is what the recorder would have written of a live page: no containers that say nothing, nothing that is hidden,
// refs in reading order, names from the further sources where the accessible name is empty. The second result leads from live
// nodes to their lines.
func pageText(live *axtree.Tree) (*axtree.Tree, map[*axtree.Node]*axtree.Node) {
	var order []*axtree.Node
	count := 0
	var lines func(n *axtree.Node) []*axtree.Node
	lines = func(n *axtree.Node) []*axtree.Node {
		kept := *n
		kept.Children, kept.Live = nil, nil
		skip := n.Role == "generic" || n.Role == "LabelText" && n.Name == "" || n.Live.Hidden
		if !skip {
			order = append(order, n)
			if refRoles[n.Role] {
				count++
				kept.Ref = fmt.Sprintf("e%d", count)
				if kept.Name == "" && len(n.Live.Names) > 0 {
					kept.Name = n.Live.Names[0]
				}
				if p := n.Live.HasPopup; p != "" {
					suffix := " [has-submenu]"
					if n.Live.Expanded == "true" {
						suffix = " [expanded]"
					}
					kept.Name += suffix
				}
			}
		}
		var children []*axtree.Node
		for _, c := range n.Children {
			children = append(children, lines(c)...)
		}
		if skip {
			return children
		}
		kept.Children = children
		return []*axtree.Node{&kept}
	}
	made := &axtree.Tree{URL: live.URL, Title: live.Title, Width: 1280, Height: 720, Focus: "L1"}
	for _, l := range live.Layers {
		l.Roots = lines(l.Roots[0])
		made.Layers = append(made.Layers, l)
	}
	text := axtree.Parse(axtree.Format(made))
	byLive := map[*axtree.Node]*axtree.Node{}
	for i, n := range order {
		if i < len(text.Nodes) {
			byLive[n] = text.Nodes[i]
		}
	}
	return text, byLive
}
