package resolve

import (
	"slices"

	"retrace/resolve/axtree"
)

// A table may say of several rows at once what they are about: in a cell that spans them, which the page text shows in the first of
// them only, or in a row of its own above them.

// cellRoles are the roles of what a row consists of.
var cellRoles = map[string]bool{"cell": true, "gridcell": true, "rowheader": true, "columnheader": true, "LayoutTableCell": true}

// isRow reports whether a node is a row of a table, one that is only for layout included.
func isRow(n *axtree.Node) bool { return n.Role == "row" || n.Role == "LayoutTableRow" }

// cells are the cells of a row.
func cells(row *axtree.Node) []*axtree.Node {
	var out []*axtree.Node
	for _, c := range row.Children {
		if cellRoles[c.Role] {
			out = append(out, c)
		}
	}
	return out
}

// spanning are the texts, last first, of the cells of earlier rows that span a row: it has fewer cells than a row before, so that
// the first cells of that one reach down to it. Of a single cell this is supposed only when it says nothing itself.
func spanning(row *axtree.Node, says bool) []string {
	own := len(cells(row))
	if row.Parent == nil || own == 0 || own == 1 && says {
		return nil
	}
	var out []string
	siblings := row.Parent.Children
	for i := position(row) - 1; i >= 0 && len(out) < maxNear; i-- {
		c := cells(siblings[i])
		if !isRow(siblings[i]) || len(c) <= own {
			continue
		}
		if !slices.ContainsFunc(c, func(n *axtree.Node) bool { return n.Role != "columnheader" }) {
			break
		}
		for _, n := range slices.Backward(c[:len(c)-own]) {
			out = append(out, textsIn(n, nil, maxNear)...)
		}
		own = len(c)
	}
	return out
}

// rowHeading is the text of a row that is one cell above rows of several; "" for another row. The rows of a table that is parted so
// begin with one. A control in it does not belong to the text.
func rowHeading(row *axtree.Node) string {
	c := cells(row)
	if row.Parent == nil || len(c) != 1 {
		return ""
	}
	text := ownText(c[0])
	if text == "" {
		return ""
	}
	if first := firstRow(row.Parent); first == nil || len(cells(first)) != 1 {
		return ""
	}
	for _, next := range row.Parent.Children[position(row)+1:] {
		if isRow(next) {
			if len(cells(next)) > 1 {
				return text
			}
			return ""
		}
	}
	return ""
}

// firstRow is the first row in a part of a table that is not the head of its columns, or nil.
func firstRow(part *axtree.Node) *axtree.Node {
	for _, r := range part.Children {
		if isRow(r) && slices.ContainsFunc(cells(r), func(n *axtree.Node) bool { return n.Role != "columnheader" }) {
			return r
		}
	}
	return nil
}

// ownText is the first text in a cell that is not of a control.
func ownText(cell *axtree.Node) string {
	if len(cell.Children) == 0 {
		return Normalise(cell.Name)
	}
	var find func(n *axtree.Node) string
	find = func(n *axtree.Node) string {
		for _, c := range n.Children {
			if clickable[c.Role] {
				continue
			}
			if s := Normalise(c.Name); s != "" {
				return s
			}
			if s := find(c); s != "" {
				return s
			}
		}
		return ""
	}
	return find(cell)
}
