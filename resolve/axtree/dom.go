package axtree

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domsnapshot"
)

// dom is the DOM of one target as a snapshot shows it: every element and text of all its same-process documents,
// rendered or not, shadow roots of both modes included.
type dom struct {
	scrollX, scrollY float64 // of the first document
	nodes            []domNode
	byID             map[cdp.BackendNodeID]int
	labels           map[labelKey][]int // label elements by their document and the id that their for attribute names
	ids              map[labelKey]int   // elements by document (or shadow root) and id

	// popups are the elements that a text field names as its own (its list of suggestions), with the field.
	popups map[int]cdp.BackendNodeID

	rightToLeft map[int]bool // documents that say so on their html or body element
}

// labelKey is an id in its scope: the root (document or shadow root) that ids are unique in.
type labelKey struct {
	root int
	id   string
}

type domNode struct {
	parent   int // -1 for a document
	children []int
	kind     int64 // DOM nodeType: 1 element, 3 text, 9 document, 11 shadow root
	tag      string
	text     string
	attrs    map[string]string
	backend  cdp.BackendNodeID
	root     int
	pseudo   bool
	listens  bool // has a click listener, or navigates when clicked
	value    string
	hasValue bool

	boxed      bool
	x, y, w, h float64
	cursor     string
	hidden     bool // visibility:hidden
	noPointer  bool // pointer-events:none
	position   string
	overflowX  string
	overflowY  string
	paint      int64
}

const (
	elementNode  = 1
	textNode     = 3
	documentNode = 9
	fragmentNode = 11
)

// snapshotStyles are the computed styles that a capture asks for, in the order in which newDOM reads them.
var snapshotStyles = []string{"cursor", "visibility", "pointer-events", "position", "overflow-x", "overflow-y"}

func newDOM(s domsnapshot.CaptureSnapshotResult) *dom {
	d := &dom{byID: map[cdp.BackendNodeID]int{}, labels: map[labelKey][]int{}, ids: map[labelKey]int{}, popups: map[int]cdp.BackendNodeID{}, rightToLeft: map[int]bool{}}
	str := func(i domsnapshot.StringIndex) string {
		if i < 0 || int(i) >= len(s.Strings) {
			return ""
		}
		return bound(s.Strings[i])
	}
	for i, doc := range s.Documents {
		d.addDocument(doc, str)
		if i == 0 && doc != nil {
			d.scrollX, d.scrollY = doc.ScrollOffsetX, doc.ScrollOffsetY
		}
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.kind != elementNode {
			continue
		}
		if (n.tag == "html" || n.tag == "body") && strings.EqualFold(n.attrs["dir"], "rtl") {
			d.rightToLeft[n.root] = true
		}
		if id := n.attrs["id"]; id != "" {
			if _, ok := d.ids[labelKey{n.root, id}]; !ok {
				d.ids[labelKey{n.root, id}] = i
			}
		}
		if n.tag == "label" && n.attrs["for"] != "" {
			k := labelKey{n.root, n.attrs["for"]}
			d.labels[k] = append(d.labels[k], i)
		}
	}
	d.findPopups()
	return d
}

// findPopups notes what text fields say to be theirs.
func (d *dom) findPopups() {
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.kind != elementNode || n.tag != "input" && n.tag != "textarea" && !popupFields[n.attrs["role"]] {
			continue
		}
		for _, id := range strings.Fields(n.attrs["aria-controls"] + " " + n.attrs["aria-owns"]) {
			j, ok := d.ids[labelKey{n.root, id}]
			for a := i; ok && a >= 0; a = d.nodes[a].parent {
				ok = a != j // what holds the field is no popup of it
			}
			if ok {
				d.popups[j] = n.backend
			}
		}
	}
}

// popupFields are the roles of fields that have a list of their own.
var popupFields = map[string]bool{"combobox": true, "textbox": true, "searchbox": true}

func (d *dom) addDocument(doc *domsnapshot.DocumentSnapshot, str func(domsnapshot.StringIndex) string) {
	if doc == nil || doc.Nodes == nil {
		return
	}
	t := doc.Nodes
	base, n := len(d.nodes), len(t.BackendNodeID)
	if len(t.ParentIndex) != n || len(t.NodeType) != n || len(t.NodeName) != n || len(t.NodeValue) != n || len(t.Attributes) != n {
		return
	}
	d.nodes = append(d.nodes, make([]domNode, n)...)
	for i := range n {
		v := &d.nodes[base+i]
		v.parent, v.root = -1, base+i
		if p := int(t.ParentIndex[i]); p >= 0 && p < i {
			v.parent = base + p
			v.root = d.nodes[v.parent].root
			d.nodes[v.parent].children = append(d.nodes[v.parent].children, base+i)
		}
		v.kind = t.NodeType[i]
		if v.kind == fragmentNode || v.kind == documentNode {
			v.root = base + i
		}
		v.tag = strings.ToLower(str(t.NodeName[i]))
		if v.kind == textNode {
			v.text = str(t.NodeValue[i])
		}
		v.backend = t.BackendNodeID[i]
		if v.kind == elementNode || v.kind == textNode {
			d.byID[v.backend] = base + i
		}
		if a := t.Attributes[i]; len(a) > 1 {
			v.attrs = make(map[string]string, len(a)/2)
			for k := 0; k+1 < len(a); k += 2 {
				v.attrs[strings.ToLower(str(domsnapshot.StringIndex(a[k])))] = str(domsnapshot.StringIndex(a[k+1]))
			}
		}
	}
	at := func(i int64) *domNode {
		if i < 0 || int(i) >= n {
			return &domNode{}
		}
		return &d.nodes[base+int(i)]
	}
	if r := t.PseudoType; r != nil {
		for _, i := range r.Index {
			at(i).pseudo = true
		}
	}
	if r := t.IsClickable; r != nil {
		for _, i := range r.Index {
			at(i).listens = true
		}
	}
	for _, r := range []*domsnapshot.RareStringData{t.InputValue, t.TextValue} {
		if r == nil || len(r.Index) != len(r.Value) {
			continue
		}
		for k, i := range r.Index {
			v := at(i)
			v.value, v.hasValue = str(r.Value[k]), true
		}
	}
	d.addLayout(doc.Layout, at, str)
}

func (d *dom) addLayout(l *domsnapshot.LayoutTreeSnapshot, at func(int64) *domNode, str func(domsnapshot.StringIndex) string) {
	if l == nil {
		return
	}
	for k, i := range l.NodeIndex {
		v := at(i)
		v.boxed = true
		if k < len(l.Bounds) && len(l.Bounds[k]) == 4 {
			b := l.Bounds[k]
			v.x, v.y, v.w, v.h = b[0], b[1], b[2], b[3]
		}
		if k < len(l.PaintOrders) {
			v.paint = l.PaintOrders[k]
		}
		if k < len(l.Styles) && len(l.Styles[k]) == len(snapshotStyles) {
			s := l.Styles[k]
			v.cursor = str(domsnapshot.StringIndex(s[0]))
			v.hidden = str(domsnapshot.StringIndex(s[1])) != "visible"
			v.noPointer = str(domsnapshot.StringIndex(s[2])) == "none"
			v.position = str(domsnapshot.StringIndex(s[3]))
			v.overflowX = str(domsnapshot.StringIndex(s[4]))
			v.overflowY = str(domsnapshot.StringIndex(s[5]))
		}
	}
}

// up returns the parent element of a node, out of shadow roots into their hosts; -1 at the document.
func (d *dom) up(i int) int {
	for p := d.nodes[i].parent; p >= 0; p = d.nodes[p].parent {
		if d.nodes[p].kind == elementNode {
			return p
		}
	}
	return -1
}

// control is what a label is for (https://html.spec.whatwg.org/#labeled-control): the element that its for attribute names, and
// without that attribute the first one in it that can be labelled; nil when there is none.
func (d *dom) control(label int) *Control {
	n := &d.nodes[label]
	at := -1
	if id, ok := n.attrs["for"]; !ok {
		at = d.find(label, labelable)
	} else if j, ok := d.ids[labelKey{n.root, id}]; ok && labelable(&d.nodes[j]) {
		at = j
	}
	if at < 0 {
		return nil
	}
	c := &d.nodes[at]
	return &Control{Backend: c.backend, Role: domRole(c), Type: inputType(c)}
}

// labelable reports whether a label can be for an element. Any element of the page's own making is taken for one that can.
func labelable(n *domNode) bool {
	switch n.tag {
	case "button", "meter", "output", "progress", "select", "textarea":
		return true
	case "input":
		return !strings.EqualFold(n.attrs["type"], "hidden")
	}
	return strings.Contains(n.tag, "-")
}

// inputType is the type of an input or a button, in lower case; empty for other elements.
func inputType(n *domNode) string {
	if n.tag == "input" || n.tag == "button" {
		return strings.ToLower(n.attrs["type"])
	}
	return ""
}

// listeners counts the nodes from i up to its document that listen to clicks.
func (d *dom) listeners(i int) int {
	n := 0
	for ; i >= 0; i = d.nodes[i].parent {
		if d.nodes[i].listens {
			n++
		}
	}
	return n
}

// closest returns the nearest element of i and its ancestors in the same root that match accepts, or -1.
func (d *dom) closest(i int, match func(*domNode) bool) int {
	for ; i >= 0; i = d.nodes[i].parent {
		if d.nodes[i].kind == fragmentNode || d.nodes[i].kind == documentNode {
			return -1
		}
		if d.nodes[i].kind == elementNode && match(&d.nodes[i]) {
			return i
		}
	}
	return -1
}

// textContent is the DOM's textContent: all descendant text, hidden text too, without shadow roots and generated content.
func (d *dom) textContent(i int) string {
	var b strings.Builder
	d.writeText(&b, i, nil)
	return b.String()
}

// maxText bounds the text that is gathered for a name, in bytes.
const maxText = 4096

func (d *dom) writeText(b *strings.Builder, i int, skip func(*domNode) bool) {
	if b.Len() > maxText {
		return
	}
	n := &d.nodes[i]
	switch {
	case n.kind == textNode:
		b.WriteString(n.text)
		return
	case n.pseudo || n.kind == fragmentNode || n.kind == documentNode:
		return
	case skip != nil && skip(n):
		return
	}
	for _, c := range n.children {
		d.writeText(b, c, skip)
	}
}
