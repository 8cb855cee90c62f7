// Package axtree holds the accessibility tree of one page: the tree that a recording kept as page text, and the tree
// that a live page shows now. Both have the same shape, so that they can be compared node by node.
//
// There are two ways in. [Parse] reads a recorded page text (the "vom" form of a state). [Capture] reads a live page
// over the DevTools protocol, all frames stitched together under their Iframe nodes. Roles that say nothing (generic,
// none, presentation) are skipped in a recorded tree and add no depth; a live tree keeps those that group several nodes.
package axtree

import "iter"

// TextRole is the role of a line that is kept as plain text: an unknown line of a page text, or a line inside an
// active-scope block. Such a node has Name and no Ref.
const TextRole = "#text"

// Node is one accessible node.
type Node struct {
	// Role is the role as the source gave it: Chrome's own name for it ("textbox", "DisclosureTriangle", "Iframe").
	Role string
	// Name is the accessible name as the source gave it, a state suffix (" [expanded]") included.
	Name string
	// Ref is the recorded reference without its "@" ("e12"); empty on a live tree.
	Ref string
	// Ctx is the recorded context text ("Row B"), without "[ctx: ]".
	Ctx string
	// Host is the host name that a recorded link to another origin shows.
	Host string
	// Field is the recorded state of a text field: "empty", "filled", "default", "unknown" or "".
	Field string
	// Placeholder is the placeholder text of a text field.
	Placeholder string
	// Value is the value shown for the node; it is meaningful only when HasValue is set. A masked value is "•••".
	Value    string
	HasValue bool
	// Marks are the recorded notes of the steps that acted on the node.
	Marks []Mark

	Parent   *Node
	Children []*Node
	// Index is the node's place in the tree in reading order, from 0.
	Index int

	// Live is what only a live page knows; nil on a parsed tree.
	Live *Live
}

// Mark is the note that a recorded line carries for a step: ` ⟵ step 3: fill: "text"`.
type Mark struct {
	Step   int
	Op     string
	Detail string // the JSON string, decoded; empty when there is none
}

// Layer is one "Ln" section of a page text.
type Layer struct {
	Name  string // "L1"
	Kind  string // "page", "modal", "mask"
	Cover int    // percent of the viewport, 0 when not said
	// Occluded is set for a layer of which the text only says that it is covered by another.
	Occluded bool
	// Roots are the nodes at depth 1 of the layer.
	Roots []*Node
}

// Tree is the accessibility tree of one page.
type Tree struct {
	URL   string
	Title string
	// Width and Height are the layout viewport in CSS pixels (the "@view" line); 0 when unknown.
	Width, Height int
	// ScrollX and ScrollY are how far the top document of a live page was scrolled, in CSS pixels.
	ScrollX, ScrollY float64
	// Focus is the layer that was in front ("L1").
	Focus  string
	Layers []Layer
	// Nodes are all nodes in reading order.
	Nodes []*Node
	// Truncated is set when the recorder stopped before the end of the page.
	Truncated bool
	// Hidden are elements of a live page that are not rendered now (items of a closed menu); nil on a parsed tree.
	Hidden []Hidden
}

// Hidden is an element that is in the document but not rendered.
type Hidden struct {
	Node *Node
	// Above are its rendered ancestors, nearest first: pointing at one of them may show the element.
	Above []*Live
}

// Modal reports whether a modal layer was in front, so that only its content is in the tree.
func (t *Tree) Modal() bool {
	for _, l := range t.Layers {
		if l.Name == t.Focus {
			return l.Kind == "modal" || l.Kind == "mask"
		}
	}
	return false
}

// ByRef returns the node with the recorded reference, or nil.
func (t *Tree) ByRef(ref string) *Node {
	if t == nil || ref == "" {
		return nil
	}
	for _, n := range t.Nodes {
		if n.Ref == ref {
			return n
		}
	}
	return nil
}

// Ancestors yields the node's ancestors, nearest first.
func (n *Node) Ancestors() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for a := n.Parent; a != nil; a = a.Parent {
			if !yield(a) {
				return
			}
		}
	}
}

// Subtree yields the node and all its descendants in reading order.
func (n *Node) Subtree() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.walk(yield) }
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, c := range n.Children {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}
