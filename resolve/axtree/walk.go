package axtree

import (
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/accessibility"
)

// scope is what a walk down the DOM carries along.
type scope struct {
	silent bool // inside aria-hidden or inert: not there for a person who uses the accessibility tree
	behind bool // behind a modal dialog
	folded bool // in the closed part of a disclosure
	closed bool // inside a named control whose content belongs to the control
	sight  sight
}

type walker struct {
	c     *capture
	frame Frame
	dom   *dom
	ax    axNodes
}

func (w *walker) children(i int, parent *Node, s scope) {
	for _, c := range w.dom.nodes[i].children {
		w.node(c, parent, s)
	}
}

// closedRoles are the roles whose content a recording does not show when they have a name.
var closedRoles = map[string]bool{
	"button": true, "link": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "tab": true,
	"switch": true, "checkbox": true, "radio": true, "combobox": true, "textbox": true, "searchbox": true, "spinbutton": true,
}

func (w *walker) node(i int, parent *Node, s scope) {
	d := &w.dom.nodes[i]
	switch d.kind {
	case textNode:
		w.text(i, parent, s)
		return
	case fragmentNode:
		w.children(i, parent, s)
		return
	case elementNode:
	default:
		return
	}
	if d.pseudo || d.tag == "script" || d.tag == "style" || d.tag == "template" || d.tag == "noscript" || d.tag == "head" {
		return
	}
	if strings.EqualFold(d.attrs["aria-hidden"], "true") {
		s.silent = true
	}
	if _, ok := d.attrs["inert"]; ok {
		s.silent = true
	}
	ax := w.ax[d.backend]
	seen := ax != nil && !ax.Ignored
	if seen {
		s.behind = false // the dialog itself
	} else if ax != nil && behindModal(ax) {
		s.behind = true
	}
	accessible := ""
	if seen {
		accessible = squash(text(ax.Name))
	}
	n := &Node{Role: "generic", Parent: parent, Live: w.live(i, accessible)}
	if seen {
		w.fill(n, ax)
		w.owns(n, ax)
	}
	n.Live.Hidden = s.folded || !w.visible(i, seen)
	s.sight = s.sight.enter(d)
	n.Live.Clipped, n.Live.OffPage = s.sight.clips(d), w.offPage(d)
	out := s.silent || s.behind
	own := n.Role
	if (own == "generic" || own == "none" || own == "" || own == "listitem") && !out && !n.Live.Hidden {
		w.recover(i, n, s)
	}
	if n.Role == "none" || n.Role == "presentation" || n.Role == "" {
		n.Role = "generic"
	}
	if fi, ok := w.c.children[frameOwner{w.frame.Session, d.backend}]; ok {
		n.Role = "Iframe"
		if n.Name == "" {
			n.Name = firstOf(d.attrs["aria-label"], d.attrs["title"], d.attrs["id"])
		}
		parent.Children = append(parent.Children, n)
		if !out && !n.Live.Hidden && !n.Live.OffPage {
			w.c.document(fi, n)
		}
		return
	}
	in := s
	in.sight = s.sight.within(d)
	if closedRoles[n.Role] && n.Name != "" {
		in.closed = true
	}
	if _, open := d.attrs["open"]; d.tag == "details" && !open {
		w.details(i, n, in)
	} else {
		w.children(i, n, in)
	}
	switch {
	case s.behind && !s.silent: // only the dialog in front of it can be there
		w.lift(n, parent)
	case out || n.Live.Hidden && !hasVisible(n):
		// Out of reach. A short text is remembered, since a menu that opens on hover keeps its items so.
		if n.Live.DOMName != "" && utf8.RuneCountInString(n.Live.DOMName) <= 48 && !out {
			w.c.tree.Hidden = append(w.c.tree.Hidden, w.hidden(i, n))
		}
	case n.Role != "generic" || n.Live.Clickable || len(n.Children) > 1 || n.Live.PopupOf != 0:
		parent.Children = append(parent.Children, n)
	default:
		w.lift(n, parent)
	}
}

// lift leaves a node out and gives its children to its parent.
func (w *walker) lift(n, parent *Node) {
	for _, c := range n.Children {
		c.Parent = parent
	}
	parent.Children = append(parent.Children, n.Children...)
}

// details adds the content of a closed disclosure, of which only the summary is shown.
func (w *walker) details(i int, n *Node, s scope) {
	summary := false
	for _, c := range w.dom.nodes[i].children {
		in := s
		if w.dom.nodes[c].tag == "summary" && !summary {
			summary = true
		} else {
			in.folded = true
		}
		w.node(c, n, in)
	}
}

// behindModal reports whether Chrome ignores a node because a modal dialog is open in front of it.
func behindModal(ax *accessibility.Node) bool {
	for _, r := range ax.IgnoredReasons {
		if r.Name == "activeModalDialog" || r.Name == "activeAriaModalDialog" {
			return true
		}
	}
	return false
}

func hasVisible(n *Node) bool {
	for _, c := range n.Children {
		if !c.Live.Hidden || hasVisible(c) {
			return true
		}
	}
	return false
}

// hidden makes the record of an element that is not rendered: its nearest rendered ancestors can be pointed at.
func (w *walker) hidden(i int, n *Node) Hidden {
	h := Hidden{Node: n}
	for j := w.dom.up(i); j >= 0 && len(h.Above) < 12; j = w.dom.up(j) {
		if a := &w.dom.nodes[j]; a.boxed && a.w > 0 && a.h > 0 && !a.hidden && a.tag != "body" && a.tag != "html" {
			h.Above = append(h.Above, w.live(j, ""))
		}
	}
	return h
}

func (w *walker) text(i int, parent *Node, s scope) {
	d := &w.dom.nodes[i]
	ax := w.ax[d.backend]
	if ax == nil || ax.Ignored || s.silent || s.folded || s.closed {
		return
	}
	name := squash(text(ax.Name))
	if name == "" {
		return
	}
	parent.Children = append(parent.Children, &Node{
		Role: "StaticText", Name: name, Parent: parent,
		Live: &Live{Frame: w.frame.ID, Session: w.frame.Session, Backend: d.backend},
	})
}

// visible reports whether a person can see the element, or reach it by its label.
func (w *walker) visible(i int, seen bool) bool {
	d := &w.dom.nodes[i]
	if d.hidden || !seen && nativeControl(d) {
		return false // Chrome has a node for every control that a person can reach
	}
	if d.tag == "option" || d.tag == "optgroup" {
		return seen
	}
	if !d.boxed {
		return seen && d.tag != "input" // display:contents
	}
	if d.w > 0 && d.h > 0 {
		return true
	}
	if d.tag == "input" {
		t := strings.ToLower(d.attrs["type"])
		return seen && (t == "checkbox" || t == "radio" || t == "file")
	}
	return seen || len(d.children) > 0 // an empty box may hold others that overflow it
}

func (w *walker) live(i int, accessible string) *Live {
	d := &w.dom.nodes[i]
	l := &Live{Frame: w.frame.ID, Session: w.frame.Session, Backend: d.backend, Tag: d.tag, Type: inputType(d), NameAttr: d.attrs["name"], Option: optionValue(d), PopupOf: w.dom.popups[i], X: d.x, Y: d.y, W: d.w, H: d.h}
	l.Clickable = interactiveElement(d) || d.listens || looksClickable(d) || inlineHandler(d) || d.tag == "label" || d.tag == "img"
	if d.tag == "label" {
		l.Control = w.dom.control(i)
	}
	if l.Clickable {
		l.Listeners = w.dom.listeners(i)
	}
	if l.Clickable || d.attrs["role"] != "" || d.tag == "li" || d.tag == "td" {
		l.DOMRole = domRole(d)
		l.DOMName = w.dom.domName(i)
		l.Names = w.dom.otherNames(i, accessible)
	}
	return l
}

func inlineHandler(d *domNode) bool {
	for _, a := range []string{"onclick", "onmousedown", "onmouseup", "onpointerdown", "ontouchstart"} {
		if _, ok := d.attrs[a]; ok {
			return true
		}
	}
	return false
}

// maxRecovered is the largest area, in square CSS pixels, of an element that the recorder takes for a button by its looks.
const maxRecovered = 180000

// recover gives an element without an interactive role the role that the recorder would have invented for it.
func (w *walker) recover(i int, n *Node, s scope) {
	d := &w.dom.nodes[i]
	if ce, ok := d.attrs["contenteditable"]; ok && (ce == "" || ce == "true" || ce == "plaintext-only") {
		n.Role, n.Live.Recovered, n.Live.Clickable = "textbox", true, true
		if n.Name == "" {
			n.Name = firstOf(d.attrs["aria-label"], d.attrs["title"])
		}
		return
	}
	if s.closed || !d.boxed || d.w*d.h <= 0 || d.w*d.h > maxRecovered || !(inlineHandler(d) || d.cursor == "pointer") {
		return
	}
	if w.dom.find(i, func(c *domNode) bool {
		return c.boxed && (isControl(c) || c.tag == "a" || interactiveRoles[c.attrs["role"]] || inlineHandler(c) || c.cursor == "pointer" && c.w*c.h > 0)
	}) >= 0 {
		return
	}
	names := w.dom.otherNames(i, n.Name)
	if len(names) == 0 {
		return
	}
	n.Role, n.Name, n.Live.Recovered, n.Live.Clickable = "button", names[0], true, true
	if n.Live.DOMName == "" {
		n.Live.DOMName, n.Live.Names = w.dom.domName(i), names
	}
}

// fill copies what the accessibility node says.
func (w *walker) fill(n *Node, ax *accessibility.Node) {
	n.Role = text(ax.Role)
	n.Name = squash(text(ax.Name))
	if ax.Value != nil {
		n.Value, n.HasValue = squash(text(ax.Value)), true
	}
	l := n.Live
	for _, p := range ax.Properties {
		v := text(p.Value)
		on := v == "true"
		switch p.Name {
		case "disabled":
			l.Disabled = on
		case "readonly":
			l.ReadOnly = on
		case "focused":
			l.Focused = on
		case "modal":
			l.Modal = on
		case "multiselectable":
			l.Multi = on
		case "checked":
			l.Checked = v
		case "pressed":
			l.Pressed = v
		case "expanded":
			l.Expanded = v
		case "selected":
			l.Selected = v
		case "hasPopup":
			if v != "false" {
				l.HasPopup = v
			}
		}
	}
}

func firstOf(s ...string) string {
	for _, v := range s {
		if v = squash(v); v != "" {
			return v
		}
	}
	return ""
}

// optionValue is the value attribute of an option of a list.
func optionValue(d *domNode) string {
	if d.tag != "option" {
		return ""
	}
	return squash(d.attrs["value"])
}
