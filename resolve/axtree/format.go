package axtree

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Format writes a tree as page text, in the form that Parse reads. For a tree that came from Parse, reading the result
// gives the same tree again, except for Truncated, which no page text says.
func Format(t *Tree) string {
	var b strings.Builder
	b.WriteString("# bsk-observation 1\n")
	if t.URL != "" {
		b.WriteString("url: " + quote(t.URL) + "\n")
	}
	if t.Title != "" {
		b.WriteString("title: " + quote(t.Title) + "\n")
	}
	b.WriteString("---\n@vom 1\n")
	if t.Width != 0 || t.Height != 0 {
		b.WriteString("@view " + strconv.Itoa(t.Width) + "x" + strconv.Itoa(t.Height) + "\n")
	}
	if t.Focus != "" {
		b.WriteString("@layers " + strconv.Itoa(len(t.Layers)) + " focus=" + t.Focus + "\n")
	}
	for _, l := range t.Layers {
		formatLayer(&b, l)
	}
	return b.String()
}

func formatLayer(b *strings.Builder, l Layer) {
	if l.Name != "" {
		b.WriteString(l.Name + " " + l.Kind)
		if l.Cover != 0 {
			b.WriteString(" cover=" + strconv.Itoa(l.Cover) + "%")
		}
		if l.Occluded {
			b.WriteString(" … occluded by another layer")
		}
		b.WriteByte('\n')
	}
	for _, n := range l.Roots {
		formatNode(b, n, 1)
	}
}

func formatNode(b *strings.Builder, n *Node, depth int) {
	for range depth {
		b.WriteString("  ")
	}
	if n.Role == TextRole {
		b.WriteString(n.Name)
	} else {
		formatLine(b, n)
	}
	b.WriteByte('\n')
	for _, c := range n.Children {
		formatNode(b, c, depth+1)
	}
}

func formatLine(b *strings.Builder, n *Node) {
	if n.Ref != "" {
		b.WriteString("@" + n.Ref + " ")
	}
	b.WriteString(n.Role)
	if n.Name != "" {
		b.WriteString(" " + quote(n.Name))
	}
	if n.Ctx != "" {
		b.WriteString(ctxOpen + n.Ctx + "]")
	}
	if n.Host != "" {
		b.WriteString(hostOpen + n.Host + "]")
	}
	if n.Field != "" {
		b.WriteString(" [" + n.Field + "]")
	}
	if n.Placeholder != "" {
		b.WriteString(placeholderOpen + quote(n.Placeholder))
	}
	if n.HasValue {
		b.WriteString(valueOpen + quote(n.Value))
	}
	for _, m := range n.Marks {
		b.WriteString(markOpen + strconv.Itoa(m.Step) + ": " + m.Op)
		if m.Detail != "" {
			b.WriteString(": " + quote(m.Detail))
		}
	}
}

// quote writes a JSON string literal that leaves all but quotes, backslashes and control characters as they are.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // not reached: a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
