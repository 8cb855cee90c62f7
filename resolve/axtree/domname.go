package axtree

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file re-does the two namings of the recorder from the DOM: the name that it writes for elements which it could not
// match to the accessibility tree (and for all elements in older recordings), and the further sources from which it takes
// a name when the accessibility tree has none.

// maxDOMName is the length at which the recorder cuts a DOM name, in characters; it keeps one less and adds "…".
const maxDOMName = 80

var interactiveRoles = map[string]bool{
	"button": true, "link": true, "tab": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true,
	"option": true, "checkbox": true, "radio": true, "switch": true, "treeitem": true, "combobox": true,
}

// interactiveElement is the recorder's selector for the element that an event is about.
func interactiveElement(n *domNode) bool {
	switch n.tag {
	case "button", "summary", "select", "textarea":
		return true
	case "a":
		_, ok := n.attrs["href"]
		return ok
	case "input":
		return !strings.EqualFold(n.attrs["type"], "hidden")
	}
	if r, ok := n.attrs["role"]; ok && interactiveRoles[r] {
		return true
	}
	ce, ok := n.attrs["contenteditable"]
	return ok && ce != "false"
}

var clickableClass = regexp.MustCompile(`(?i)btn|button|link|clickable|action`)

// looksClickable is the recorder's guess for elements without a role.
func looksClickable(n *domNode) bool {
	if n.cursor == "pointer" || clickableClass.MatchString(n.attrs["class"]) {
		return true
	}
	t, ok := n.attrs["tabindex"]
	return ok && !strings.HasPrefix(strings.TrimSpace(t), "-")
}

// domRole is the recorder's role for an element that it describes from the DOM only.
func domRole(n *domNode) string {
	if r := strings.ToLower(strings.TrimSpace(n.attrs["role"])); r != "" {
		return r
	}
	switch n.tag {
	case "button", "summary":
		return "button"
	case "a":
		if _, ok := n.attrs["href"]; ok {
			return "link"
		}
	case "select":
		return "combobox"
	case "textarea":
		return "textbox"
	case "img":
		return "img"
	case "input":
		switch strings.ToLower(n.attrs["type"]) {
		case "checkbox", "radio":
			return strings.ToLower(n.attrs["type"])
		case "submit", "button", "image", "reset":
			return "button"
		case "range":
			return "slider"
		}
		return "textbox"
	}
	if ce, ok := n.attrs["contenteditable"]; ok && ce != "false" {
		return "textbox"
	}
	return ""
}

func isControl(n *domNode) bool {
	switch n.tag {
	case "input", "select", "textarea", "button":
		return true
	}
	return false
}

// domName is the name that the recorder gives an element from the DOM.
func (d *dom) domName(i int) string {
	n := &d.nodes[i]
	if s := squash(n.attrs["aria-label"]); s != "" {
		return cut(s)
	}
	if s := d.labelledBy(i); s != "" {
		return cut(s)
	}
	if s := d.labelText(i); s != "" {
		return cut(s)
	}
	if s := squash(n.attrs["alt"]); s != "" {
		return cut(s)
	}
	if n.tag == "input" || n.tag == "textarea" {
		if s := squash(n.attrs["placeholder"]); s != "" {
			return cut(s)
		}
	}
	if s := squash(n.attrs["title"]); s != "" {
		return cut(s)
	}
	if n.tag == "a" {
		if s := d.linkName(i); s != "" {
			return cut(s)
		}
	}
	if n.tag != "input" {
		if s := squash(d.textContent(i)); s != "" {
			return cut(s)
		}
	}
	if n.tag == "input" || n.tag == "button" {
		switch strings.ToLower(n.attrs["type"]) {
		case "submit", "button", "reset":
			return cut(squash(n.attrs["value"]))
		}
	}
	return ""
}

func (d *dom) labelledBy(i int) string {
	var parts []string
	for _, id := range strings.Fields(d.nodes[i].attrs["aria-labelledby"]) {
		if j, ok := d.ids[labelKey{d.nodes[i].root, id}]; ok {
			if s := squash(d.textContent(j)); s != "" {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, " ")
}

// labelText is the text of the element's first label: label[for], else the label around it without its controls.
func (d *dom) labelText(i int) string {
	n := &d.nodes[i]
	switch n.tag {
	case "input", "select", "textarea", "button", "meter", "output", "progress":
	default:
		return ""
	}
	if id := n.attrs["id"]; id != "" {
		if ls := d.labels[labelKey{n.root, id}]; len(ls) > 0 {
			if s := d.textWithoutControls(ls[0]); s != "" {
				return s
			}
		}
	}
	if j := d.closest(n.parent, func(n *domNode) bool { return n.tag == "label" }); j >= 0 {
		return d.textWithoutControls(j)
	}
	return ""
}

func (d *dom) textWithoutControls(i int) string {
	var b strings.Builder
	d.writeText(&b, i, isControl)
	return squash(b.String())
}

var urlText = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)

func (d *dom) linkName(i int) string {
	for _, want := range []func(*domNode) bool{
		func(n *domNode) bool { return n.tag == "h1" || n.tag == "h2" || n.tag == "h3" || n.tag == "h4" },
		func(n *domNode) bool { return n.tag == "img" && squash(n.attrs["alt"]) != "" },
	} {
		if j := d.find(i, want); j >= 0 {
			if s := squash(d.nodes[j].attrs["alt"]); d.nodes[j].tag == "img" {
				return s
			}
			if s := squash(d.textContent(j)); s != "" {
				return s
			}
		}
	}
	return squash(urlText.ReplaceAllString(d.textContent(i), " "))
}

// find returns the first descendant in document order that match accepts, or -1.
func (d *dom) find(i int, match func(*domNode) bool) int {
	for _, c := range d.nodes[i].children {
		if d.nodes[c].kind == elementNode && match(&d.nodes[c]) {
			return c
		}
		if j := d.find(c, match); j >= 0 {
			return j
		}
	}
	return -1
}

// otherNames are the names that a recorder may have given a matched element in place of its accessible name, best first.
// One generation of the recorder prefers aria-label and title to the accessible name; the other asks the sources below
// only when the accessible name is empty, and text before the control, the placeholder and the words of an id only when
// all others are.
func (d *dom) otherNames(i int, accessible string) []string {
	n := &d.nodes[i]
	var names []string
	add := func(s string) {
		s = squash(s)
		if s == "" || utf8.RuneCountInString(s) > 240 || slices.Contains(names, s) {
			return
		}
		names = append(names, s)
	}
	add(d.labelledBy(i))
	add(n.attrs["aria-label"])
	add(d.labelText(i))
	add(n.attrs["title"])
	add(n.attrs["alt"])
	if n.tag != "select" {
		add(d.textContent(i))
	}
	if accessible != "" || len(names) > 0 {
		return names
	}
	if isControl(n) && n.tag != "button" {
		add(strings.TrimRight(d.precedingText(i), ":： "))
		add(n.attrs["placeholder"])
	}
	for _, a := range []string{"data-testid", "data-test-id", "id"} {
		if len(names) == 0 {
			add(idWords(n.attrs[a]))
		}
	}
	return names
}

// precedingText is the text of the nearest sibling before the element, or before its parents up to two levels, that has any.
func (d *dom) precedingText(i int) string {
	for range 3 {
		p := d.nodes[i].parent
		if p < 0 {
			return ""
		}
		before := ""
		for _, c := range d.nodes[p].children {
			if c == i {
				break
			}
			if s := squash(d.textContent(c)); s != "" {
				before = s
			}
		}
		if before != "" {
			if utf8.RuneCountInString(before) <= 80 {
				return before
			}
			return ""
		}
		i = p
	}
	return ""
}

var (
	idSeparator = regexp.MustCompile(`[-_.:\s]+|(?:\b|_)(?:btn)(?:\b|_)`)
	machineID   = regexp.MustCompile(`(?i)^(?:ember|mui|radix|react|rc|headlessui)|[0-9a-f]{8,}|\d{4,}|^[:\d]`)
	camel       = regexp.MustCompile(`([a-z])([A-Z])`)
)

// idWords turns a readable identifier into words ("submit-order-btn" → "Submit order"); "" for a machine-made one.
func idWords(id string) string {
	if id == "" || machineID.MatchString(id) {
		return ""
	}
	words := strings.Fields(idSeparator.ReplaceAllString(camel.ReplaceAllString(id, "$1 $2"), " "))
	for len(words) > 1 {
		last := strings.ToLower(words[len(words)-1])
		if last != "btn" && last != "button" && last != "input" && last != "link" && last != "field" {
			break
		}
		words = words[:len(words)-1]
	}
	s := strings.ToLower(strings.Join(words, " "))
	if s == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[size:]
}

func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxDOMName {
		return s
	}
	r := []rune(s)
	return string(r[:maxDOMName-1]) + "…"
}
