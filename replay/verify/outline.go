package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Line is a node of a page in the form in which people read a tree.
type Line struct {
	Depth int    `json:"depth"`
	Text  string `json:"text"` // role, name, value and states: `button "Save" disabled`
	// Target marks the node that a step acted on, or would have.
	Target bool `json:"target,omitempty"`
}

// line is a line with what it is compared by.
type line struct {
	Line
	key   string // role family and name: what is the same on both pages
	role  string
	name  string
	value string // the value that it shows; empty when the source does not say
	sent  string // what the chosen option of a list stands for; empty when that is not known
	open  bool   // it is in a dialog
}

// silent are roles that say nothing without a name: what is inside stands for them.
var silent = map[string]bool{
	"generic": true, "none": true, "presentation": true, "RootWebArea": true, "InlineTextBox": true, "LineBreak": true, "paragraph": true, "LabelText": true,
	"strong": true, "emphasis": true, "rowgroup": true, "section": true, "ListMarker": true, "sectionheader": true, "sectionfooter": true,
}

// outline writes a tree as lines. What no person sees is left out, and so is text that only repeats the name around it.
func outline(t *axtree.Tree) []line {
	var out []line
	inDocument := hasDocument(t)
	for _, l := range t.Layers {
		for _, n := range l.Roots {
			out = appendLines(out, n, 0, "", inDocument, false)
		}
	}
	return out
}

func appendLines(out []line, n *axtree.Node, depth int, around string, inDocument, open bool) []line {
	if l := n.Live; l != nil && l.Hidden || inDocument && depth == 0 && n.Parent == nil && n.Role != "RootWebArea" && resolve.Family(n.Role) != "button" {
		return out // an inner part of a native control, which a page text shows apart
	}
	open = open || n.Role == "dialog" || n.Role == "alertdialog"
	name := resolve.Normalise(resolve.StripSuffix(n.Name))
	said := name == "" && silent[n.Role] || n.Role == "RootWebArea" || n.Role == "LabelText" ||
		(n.Role == "StaticText" || n.Role == axtree.TextRole) && (name == "" || repeats(around, name)) || n.Role == "option" && closedList(n)
	if !said {
		out = append(out, lineOf(n, depth, open))
		depth++
	}
	if !said {
		around = ""
		if phrases[n.Role] {
			around = name
		}
	}
	for _, c := range n.Children {
		out = appendLines(out, c, depth, around, inDocument, open)
	}
	return out
}

// phrases are roles that are named by their text.
var phrases = map[string]bool{
	"heading": true, "cell": true, "gridcell": true, "columnheader": true, "rowheader": true, "link": true, "button": true, "tab": true, "option": true,
	"menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "treeitem": true, "listitem": true, "DisclosureTriangle": true, "caption": true,
	"checkbox": true, "radio": true, "switch": true, "textbox": true, "searchbox": true, "spinbutton": true, "combobox": true, "StaticText": true,
}

// repeats reports whether a text is told by the name around it already.
func repeats(around, text string) bool { return around != "" && strings.Contains(around, text) }

// closedList reports whether an option is one of a list that shows only the chosen one.
func closedList(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		if a.Role == "combobox" || a.Role == "MenuListPopup" {
			return true
		}
	}
	return false
}

// longestLine are the runes of a name that a line shows.
const longestLine = 120

// lineOf writes a node.
func lineOf(n *axtree.Node, depth int, open bool) line {
	name := resolve.Normalise(resolve.StripSuffix(n.Name))
	l := line{Line: Line{Depth: depth}, role: n.Role, name: name, open: open, key: resolve.Family(n.Role) + "\x00" + name}
	text := n.Role
	if n.Role == axtree.TextRole || n.Role == "StaticText" {
		text, l.key = "text", "text\x00"+name
	}
	if name != "" {
		text += " " + quoted(name)
	}
	var states []string
	if n.HasValue && n.Value != name && !(n.Live == nil && switched[n.Role]) {
		l.value = n.Value
	}
	if l.value != "" {
		states = append(states, "= "+quoted(l.value))
	}
	if n.Live != nil {
		l.sent = chosenOption(n)
		states = append(states, liveStates(n.Live)...)
	} else if s := strings.TrimPrefix(n.Name, resolve.StripSuffix(n.Name)); s != "" {
		states = append(states, strings.Trim(s, " []"))
	}
	if len(states) > 0 {
		text += " " + strings.Join(states, " ")
	}
	l.Text = text
	return l
}

// switched are roles of controls for which a recording notes what they stand for when they are sent ("on"), and not whether they
// are on.
var switched = map[string]bool{"checkbox": true, "radio": true, "switch": true, "menuitemcheckbox": true, "menuitemradio": true}

// chosenOption is what the chosen option of a closed list stands for.
func chosenOption(n *axtree.Node) string {
	if n.Role != "combobox" && n.Role != "listbox" {
		return ""
	}
	for o := range n.Subtree() {
		if o.Live != nil && o.Live.Selected == "true" && o.Live.Option != "" {
			return o.Live.Option
		}
	}
	return ""
}

func liveStates(l *axtree.Live) []string {
	var out []string
	for _, s := range []struct {
		on   bool
		text string
	}{
		{l.Disabled, "disabled"}, {l.ReadOnly, "readonly"}, {l.Checked == "true", "checked"}, {l.Checked == "mixed", "half checked"}, {l.Pressed == "true", "pressed"},
		{l.Expanded == "true", "expanded"}, {l.Selected == "true", "selected"}, {l.Focused, "focused"}, {l.Modal, "modal"}, {l.Clipped, "out of sight"}, {l.OffPage, "off the page"},
	} {
		if s.on {
			out = append(out, s.text)
		}
	}
	return out
}

func quoted(s string) string {
	if r := []rune(s); len(r) > longestLine {
		s = string(r[:longestLine-1]) + "…"
	}
	return strconv.Quote(s)
}

// Limits of what is shown around a target.
const (
	mostAncestors = 8
	mostSiblings  = 5 // on each side
	mostInside    = 12
)

// Around shows a node of a live page in its place: what it is in, what stands beside it, and what it holds. What is left out is
// counted in a line of its own.
func Around(n *axtree.Node) []Line {
	top := n // what stands beside the target: wrappers around it alone have nothing beside them
	path := []*axtree.Node{}
	for top.Parent != nil && len(top.Parent.Children) == 1 {
		top = top.Parent
		if spoken(top) {
			path = append(path, top)
		}
	}
	var up []*axtree.Node
	for a := range top.Ancestors() {
		if spoken(a) {
			up = append(up, a)
		}
	}
	var out []Line
	depth := 0
	if len(up) > mostAncestors {
		out = append(out, Line{Text: fmt.Sprintf("… %d more around it", len(up)-mostAncestors)})
		up = up[:mostAncestors]
	}
	slices.Reverse(up)
	for _, a := range up {
		out = append(out, lineOf(a, depth, false).Line)
		depth++
	}
	siblings := []*axtree.Node{top}
	if top.Parent != nil {
		siblings = top.Parent.Children
	}
	at := slices.Index(siblings, top)
	from, to := max(0, at-mostSiblings), min(len(siblings), at+mostSiblings+1)
	if from > 0 {
		out = append(out, Line{Depth: depth, Text: fmt.Sprintf("… %d before", from)})
	}
	slices.Reverse(path)
	for _, s := range siblings[from:to] {
		if s == top {
			for i, p := range path {
				out = append(out, lineOf(p, depth+i, false).Line)
			}
			out = append(out, inside(n, depth+len(path))...)
			continue
		}
		lines := appendLines(nil, s, depth, "", false, false)
		for i, l := range lines {
			if i > 0 && len(lines) > 2 {
				out = append(out, Line{Depth: depth + 1, Text: fmt.Sprintf("… %d inside", len(lines)-i)})
				break
			}
			out = append(out, l.Line)
		}
	}
	if rest := len(siblings) - to; rest > 0 {
		out = append(out, Line{Depth: depth, Text: fmt.Sprintf("… %d after", rest)})
	}
	return out
}

// spoken reports whether a node has something to say where a target stands in it.
func spoken(n *axtree.Node) bool {
	return n.Role != "RootWebArea" && (!silent[n.Role] || resolve.Normalise(n.Name) != "")
}

// inside is the target with what it holds.
func inside(n *axtree.Node, depth int) []Line {
	self := lineOf(n, depth, false)
	self.Target = true
	out := []Line{self.Line}
	var held []line
	for _, c := range n.Children {
		held = appendLines(held, c, depth+1, self.name, false, false)
	}
	for i, l := range held {
		if i == mostInside {
			return append(out, Line{Depth: depth + 1, Text: fmt.Sprintf("… %d more inside", len(held)-i)})
		}
		out = append(out, l.Line)
	}
	return out
}
