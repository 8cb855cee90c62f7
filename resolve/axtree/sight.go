package axtree

import (
	"math"
	"strings"
)

// box is a rectangle in document coordinates, in CSS pixels.
type box struct{ left, top, right, bottom float64 }

var everywhere = box{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}

// sight is the part of a document that the containers around an element let a person see. Containers that can be scrolled by
// a person hide nothing.
type sight struct {
	set      bool
	flow     box // for elements in the flow
	absolute box // for elements that are positioned absolutely
	own      box // for the element that was entered last
}

// enter chooses the part that counts for an element.
func (s sight) enter(d *domNode) sight {
	if !s.set {
		s = sight{true, everywhere, everywhere, everywhere}
	}
	switch d.position {
	case "absolute":
		s.own = s.absolute
	case "fixed":
		s.own = everywhere
	default:
		s.own = s.flow
	}
	return s
}

// clips reports whether nothing of the element can be seen.
func (s sight) clips(d *domNode) bool {
	return d.boxed && d.w > 0 && d.h > 0 &&
		(d.x >= s.own.right || d.x+d.w <= s.own.left || d.y >= s.own.bottom || d.y+d.h <= s.own.top)
}

// within is the sight of what is inside the element.
func (s sight) within(d *domNode) sight {
	s.flow = s.own
	if d.boxed && d.tag != "html" && d.tag != "body" { // theirs is the overflow of the window
		if d.overflowX == "hidden" || d.overflowX == "clip" {
			s.flow.left, s.flow.right = max(s.flow.left, d.x), min(s.flow.right, d.x+d.w)
		}
		if d.overflowY == "hidden" || d.overflowY == "clip" {
			s.flow.top, s.flow.bottom = max(s.flow.top, d.y), min(s.flow.bottom, d.y+d.h)
		}
	}
	if d.position != "static" && d.position != "" {
		s.absolute = s.flow
	}
	return s
}

// offPage reports whether an element lies above or before the begin of its document, where no scrolling leads; a
// document that is written from right to left scrolls to the left.
func (w *walker) offPage(d *domNode) bool {
	if !d.boxed || d.w <= 0 || d.h <= 0 || d.position == "fixed" {
		return false
	}
	return d.y+d.h <= 0 || d.x+d.w <= 0 && !w.dom.rightToLeft[d.root]
}

// nativeControl reports whether an element is a control by its tag, or by its role, that Chrome shows in the accessibility tree.
func nativeControl(d *domNode) bool {
	switch d.tag {
	case "button", "select", "textarea", "summary":
		return true
	case "input":
		return !strings.EqualFold(d.attrs["type"], "hidden")
	case "a":
		_, ok := d.attrs["href"]
		return ok
	}
	return interactiveRoles[d.attrs["role"]]
}
