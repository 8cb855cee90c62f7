package axtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// savedTree is the form in which a tree is kept in a file.
type savedTree struct {
	URL       string        `json:"url,omitempty"`
	Title     string        `json:"title,omitempty"`
	Width     int           `json:"width,omitempty"`
	Height    int           `json:"height,omitempty"`
	Focus     string        `json:"focus,omitempty"`
	Truncated bool          `json:"truncated,omitempty"`
	Layers    []savedLayer  `json:"layers"`
	Nodes     []savedNode   `json:"nodes"`
	Hidden    []savedHidden `json:"hidden,omitempty"`
}

type savedLayer struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Cover    int    `json:"cover,omitempty"`
	Occluded bool   `json:"occluded,omitempty"`
	Roots    int    `json:"roots"` // how many of the nodes at depth 0 belong to the layer
}

type savedNode struct {
	Depth       int     `json:"depth"`
	Role        string  `json:"role"`
	Name        string  `json:"name,omitempty"`
	Ref         string  `json:"ref,omitempty"`
	Ctx         string  `json:"ctx,omitempty"`
	Host        string  `json:"host,omitempty"`
	Field       string  `json:"field,omitempty"`
	Placeholder string  `json:"placeholder,omitempty"`
	Value       *string `json:"value,omitempty"`
	Marks       []Mark  `json:"marks,omitempty"`
	Live        *Live   `json:"live,omitempty"`
}

type savedHidden struct {
	Node  savedNode `json:"node"`
	Above []*Live   `json:"above,omitempty"`
}

// Encode writes a tree as JSON, one node a line, so that it can be kept in a file and compared line by line. Everything that
// is known of the page is kept except the sessions of the nodes, which mean nothing later.
func Encode(t *Tree) ([]byte, error) {
	s := savedTree{URL: t.URL, Title: t.Title, Width: t.Width, Height: t.Height, Focus: t.Focus, Truncated: t.Truncated}
	var nodes []savedNode
	for _, l := range t.Layers {
		s.Layers = append(s.Layers, savedLayer{l.Name, l.Kind, l.Cover, l.Occluded, len(l.Roots)})
		for _, r := range l.Roots {
			nodes = appendSaved(nodes, r, 0)
		}
	}
	for _, h := range t.Hidden {
		s.Hidden = append(s.Hidden, savedHidden{save(h.Node, 0), h.Above})
	}
	head, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding the tree of %s: %w", t.URL, err)
	}
	before, after, _ := bytes.Cut(head, []byte(`"nodes":null`))
	var b bytes.Buffer
	b.Write(before)
	b.WriteString("\"nodes\":[")
	for i, n := range nodes {
		line, err := json.Marshal(n)
		if err != nil {
			return nil, fmt.Errorf("encoding the tree of %s: node %d: %w", t.URL, i, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]")
	b.Write(after)
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func appendSaved(out []savedNode, n *Node, depth int) []savedNode {
	out = append(out, save(n, depth))
	for _, c := range n.Children {
		out = appendSaved(out, c, depth+1)
	}
	return out
}

func save(n *Node, depth int) savedNode {
	s := savedNode{
		Depth: depth, Role: n.Role, Name: n.Name, Ref: n.Ref, Ctx: n.Ctx, Host: n.Host, Field: n.Field,
		Placeholder: n.Placeholder, Marks: n.Marks, Live: n.Live,
	}
	if n.HasValue {
		s.Value = &n.Value
	}
	return s
}

// Decode reads a tree that [Encode] wrote. Nodes without live data stay without; those with it have no session.
func Decode(data []byte) (*Tree, error) {
	var s savedTree
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("decoding a saved tree: %w", err)
	}
	t := &Tree{URL: s.URL, Title: s.Title, Width: s.Width, Height: s.Height, Focus: s.Focus, Truncated: s.Truncated}
	var roots, path []*Node
	for i, saved := range s.Nodes {
		if saved.Depth < 0 || saved.Depth > len(path) {
			return nil, fmt.Errorf("decoding a saved tree: node %d is at depth %d below one at depth %d", i, saved.Depth, len(path)-1)
		}
		n := saved.node()
		n.Index = i
		path = append(path[:saved.Depth], n)
		if saved.Depth == 0 {
			roots = append(roots, n)
		} else {
			n.Parent = path[saved.Depth-1]
			n.Parent.Children = append(n.Parent.Children, n)
		}
		t.Nodes = append(t.Nodes, n)
	}
	for _, l := range s.Layers {
		if l.Roots < 0 || l.Roots > len(roots) {
			return nil, fmt.Errorf("decoding a saved tree: layer %s has %d roots, and %d are left", l.Name, l.Roots, len(roots))
		}
		t.Layers = append(t.Layers, Layer{Name: l.Name, Kind: l.Kind, Cover: l.Cover, Occluded: l.Occluded, Roots: roots[:l.Roots:l.Roots]})
		roots = roots[l.Roots:]
	}
	if len(roots) > 0 {
		return nil, errors.New("decoding a saved tree: nodes that belong to no layer")
	}
	for _, h := range s.Hidden {
		t.Hidden = append(t.Hidden, Hidden{Node: h.Node.node(), Above: h.Above})
	}
	return t, nil
}

func (s savedNode) node() *Node {
	n := &Node{Role: s.Role, Name: s.Name, Ref: s.Ref, Ctx: s.Ctx, Host: s.Host, Field: s.Field, Placeholder: s.Placeholder, Marks: s.Marks, Live: s.Live}
	if s.Value != nil {
		n.Value, n.HasValue = *s.Value, true
	}
	return n
}
