package axtree

import "github.com/chromedp/cdproto/cdp"

// Frame is one document of a live page, as the capture needs it.
type Frame struct {
	ID cdp.FrameID
	// Parent is the frame that holds this one's <iframe>; empty for the top frame.
	Parent cdp.FrameID
	// Session is the session of the target that renders the frame: the page's own, or that of an out-of-process frame.
	Session cdp.Session
	// Owner is the <iframe> element in the parent frame's target; 0 for the top frame.
	Owner cdp.BackendNodeID
	URL   string
}

// Live is what only a live node has.
type Live struct {
	// Frame is the frame of the node's document, Session the session that its ids belong to.
	Frame   cdp.FrameID
	Session cdp.Session
	// Backend is the DOM node in that session; 0 when the node has none.
	Backend cdp.BackendNodeID
	// Recovered is set for an element to which Chrome gives no interactive role, but which the recorder would have
	// recorded as a button or a text field (cursor, inline handler, contenteditable).
	Recovered bool

	Disabled, ReadOnly, Focused, Modal, Multiselectable bool
	// Checked and Pressed are "", "true", "false" or "mixed"; Expanded and Selected are "", "true" or "false".
	Checked, Pressed, Expanded, Selected string
	HasPopup                             string

	// Tag is the lower-case tag of the element, Type the type of an input. Attrs holds the attributes that naming uses.
	Tag, Type string
	Attrs     map[string]string
	// DOMName is the name that the recorder's own DOM naming would give the element.
	DOMName string
	// Names are further names that a recorder may have used (label, title, placeholder, preceding text, words of an id).
	Names []string
	// X, Y, W, H are the element's box in document coordinates of its frame, in CSS pixels; Boxed says whether it has one.
	X, Y, W, H float64
	Boxed      bool
}
