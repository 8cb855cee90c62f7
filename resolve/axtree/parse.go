package axtree

import (
	"strconv"
	"strings"
)

// Parse reads a recorded page text. It never fails: a page text is a rendering for people and models whose newer forms
// may hold lines that this parser does not know, and a recording is still worth replaying then. Such a line becomes a
// node with TextRole at its depth, so that nothing below it changes place.
//
// The text is front matter (optional: a first line "# bsk-observation 1", "key: value" lines, a line "---"), directives
// at the margin ("@vom 1", "@view 1280x720", "@layers 1 focus=L1"), and then per layer a line "L1 page" and its nodes,
// two spaces of indentation a level:
//
//	L1 page
//	  RootWebArea "Shop"
//	    @e2 button "Add" [ctx: Rain jacket] ⟵ step 4: click
//
// Depth comes from comparing indentations, so bodies without a layer line, without the first level of indentation or
// with uneven indentation are read as well. Line ends may be LF or CRLF. Time and memory are linear in the text.
func Parse(body string) *Tree {
	body = strings.TrimPrefix(strings.ToValidUTF8(body, "\uFFFD"), "\uFEFF")
	p := parser{tree: &Tree{}}
	body = p.frontMatter(body)
	p.left = strings.Count(body, "\n") + 1
	p.tree.Nodes = make([]*Node, 0, min(p.left, 1024))
	for line := range strings.SplitSeq(body, "\n") {
		p.line(line)
		p.left--
	}
	p.adopt()
	if len(p.tree.Nodes) == 0 {
		p.tree.Nodes = nil
	}
	return p.tree
}

// parser holds the place in the tree at which the next line is added.
type parser struct {
	tree *Tree
	// open are the nodes that the next line may be a child of, outermost first, with growing indentation.
	open []openNode
	// scope is the least indentation of the raw lines of the active-scope block that is being read; 0 outside of one.
	scope int
	// slab holds nodes not yet used. Nodes are made many at a time, but never more than there are lines left.
	slab []Node
	left int
}

type openNode struct {
	indent int
	node   *Node
}

// frontMatter reads the "key: value" lines at the head of a body and returns the rest.
func (p *parser) frontMatter(body string) string {
	first, rest, _ := strings.Cut(body, "\n")
	if !strings.HasPrefix(first, "# bsk-observation") {
		return body
	}
	for rest != "" {
		line, next, _ := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t\r")
		if line == "---" {
			return next
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok && line != "" || strings.ContainsAny(key, " @\"") {
			return rest // the closing line is missing: the page has begun
		}
		value = strings.TrimSpace(value)
		if s, after, ok := jsonString(value); ok && after == "" {
			value = s
		}
		switch key {
		case "url":
			p.tree.URL = value
		case "title":
			p.tree.Title = value
		}
		rest = next
	}
	return ""
}

func (p *parser) line(line string) {
	line = strings.TrimRight(line, " \t\r")
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if text == "" {
		return
	}
	if p.scope > 0 && indent >= p.scope {
		p.add(p.scope, Node{Role: TextRole, Name: text})
		return
	}
	p.scope = 0
	if indent == 0 && (p.directive(text) || p.layer(text)) {
		return
	}
	n, ok := parseNode(text)
	if !ok {
		n = Node{Role: TextRole, Name: text}
		if isScope(text) {
			p.scope = indent + 1
		}
	}
	p.add(indent, n)
}

// isScope reports whether a line opens an active-scope block: the text of the panel that a selected tab or an expanded
// button controls, which is printed as plain lines below the trigger.
func isScope(text string) bool {
	return strings.HasPrefix(text, "[§ active: ") && strings.HasSuffix(text, "]")
}

// add puts a node into the tree below the nearest open node that is less indented.
func (p *parser) add(indent int, n Node) {
	if len(p.slab) == 0 {
		p.slab = make([]Node, max(1, min(128, p.left)))
	}
	node := &p.slab[0]
	p.slab = p.slab[1:]
	*node = n

	node.Index = len(p.tree.Nodes)
	p.tree.Nodes = append(p.tree.Nodes, node)
	for len(p.open) > 0 && p.open[len(p.open)-1].indent >= indent {
		p.open = p.open[:len(p.open)-1]
	}
	if len(p.open) > 0 {
		node.Parent = p.open[len(p.open)-1].node
	} else {
		if len(p.tree.Layers) == 0 {
			p.tree.Layers = append(p.tree.Layers, Layer{Kind: "page"})
		}
		layer := &p.tree.Layers[len(p.tree.Layers)-1]
		layer.Roots = append(layer.Roots, node)
	}
	p.open = append(p.open, openNode{indent, node})
}

// adopt gives every node its children, all in one piece of memory.
func (p *parser) adopt() {
	nodes := p.tree.Nodes
	counts := make([]int, len(nodes))
	total := 0
	for _, n := range nodes {
		if n.Parent != nil {
			counts[n.Parent.Index]++
			total++
		}
	}
	places := make([]*Node, total)
	for _, n := range nodes {
		parent := n.Parent
		if parent == nil {
			continue
		}
		if parent.Children == nil {
			count := counts[parent.Index]
			parent.Children, places = places[:0:count], places[count:]
		}
		parent.Children = append(parent.Children, n)
	}
}

// directive reads a line that begins with "@" and is no node ("@view 1280x720"). Unknown directives are skipped. What comes after one
// does not belong to a node before it.
func (p *parser) directive(text string) bool {
	if text[0] != '@' {
		return false
	}
	if _, _, isRef := cutRef(text); isRef {
		return false
	}
	p.open = p.open[:0]
	name, rest, _ := strings.Cut(text[1:], " ")
	switch name {
	case "view":
		w, h, _ := strings.Cut(rest, "x")
		p.tree.Width, p.tree.Height = number(w), number(h)
	case "layers":
		for word := range strings.FieldsSeq(rest) {
			if focus, ok := strings.CutPrefix(word, "focus="); ok {
				p.tree.Focus = focus
			}
		}
	}
	return true
}

// layer reads the line that opens a layer: "L1 page", "L1 modal cover=80%" or, for a layer of which nothing is shown,
// "L2 page … occluded by L1 (~12 nodes, not actionable)".
func (p *parser) layer(text string) bool {
	name, rest, _ := strings.Cut(text, " ")
	if len(name) < 2 || name[0] != 'L' || !digits(name[1:]) {
		return false
	}
	kind, rest, _ := strings.Cut(rest, " ")
	if kind == "" || strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	l := Layer{Name: name, Kind: kind, Occluded: strings.Contains(rest, "occluded by")}
	for word := range strings.FieldsSeq(rest) {
		if cover, ok := strings.CutPrefix(word, "cover="); ok {
			l.Cover = number(strings.TrimSuffix(cover, "%"))
		}
	}
	p.tree.Layers = append(p.tree.Layers, l)
	p.open = p.open[:0]
	return true
}

// number reads a whole number that is not negative; anything else is 0.
func number(s string) int {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
