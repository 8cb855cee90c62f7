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
	Frame   cdp.FrameID `json:"frame,omitempty"`
	Session cdp.Session `json:"-"`
	// Backend is the DOM node in that session; 0 when the node has none.
	Backend cdp.BackendNodeID `json:"backend,omitempty"`
	// Recovered is set for an element to which Chrome gives no interactive role, but which the recorder would have
	// recorded as a button or a text field (cursor, inline handler, contenteditable).
	Recovered bool `json:"recovered,omitempty"`
	// Clickable is set for an element that looks or is clickable: a click listener, a pointer cursor, a tab stop, a label.
	Clickable bool `json:"clickable,omitempty"`
	// Listeners is the number of nodes on the way from the element up to its document, both included, that have a listener
	// for clicks or presses: as long as it does not grow, the page that took a click had its chance to hear it.
	Listeners int `json:"listeners,omitempty"`
	// Hidden is set for a node that no person can see: not rendered, no area, visibility:hidden.
	Hidden bool `json:"hidden,omitempty"`
	// Clipped is set for a node that a container around it cuts off (a further slide of a carousel), OffPage for one that lies
	// where no scrolling leads.
	Clipped bool `json:"clipped,omitempty"`
	OffPage bool `json:"offpage,omitempty"`

	Disabled bool `json:"disabled,omitempty"`
	ReadOnly bool `json:"readonly,omitempty"`
	Focused  bool `json:"focused,omitempty"`
	Modal    bool `json:"modal,omitempty"`
	Multi    bool `json:"multi,omitempty"`
	// Checked and Pressed are "", "true", "false" or "mixed"; Expanded and Selected are "", "true" or "false".
	Checked  string `json:"checked,omitempty"`
	Pressed  string `json:"pressed,omitempty"`
	Expanded string `json:"expanded,omitempty"`
	Selected string `json:"selected,omitempty"`
	HasPopup string `json:"haspopup,omitempty"`

	// PopupOf is the text field that says that the element is its own: its list of suggestions. 0 for none.
	PopupOf cdp.BackendNodeID `json:"popupof,omitempty"`

	// Control is what a label is for; nil for a label of nothing, and for what is no label.
	Control *Control `json:"control,omitempty"`

	// Tag is the lower-case tag of the element, Type the type of an input.
	Tag  string `json:"tag,omitempty"`
	Type string `json:"type,omitempty"`
	// NameAttr is the element's name attribute, DOMRole and DOMName what the recorder's own DOM naming would give.
	NameAttr string `json:"nameattr,omitempty"`
	// Option is what an option stands for when it is sent: its value attribute, which a recorder may have noted for the list.
	Option  string `json:"option,omitempty"`
	DOMRole string `json:"domrole,omitempty"`
	DOMName string `json:"domname,omitempty"`
	// Names are further names that a recorder may have used: label, title, placeholder, own or preceding text, words of an id.
	Names []string `json:"names,omitempty"`
	// X, Y, W, H are the element's box in document coordinates of its frame, in CSS pixels.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	W float64 `json:"w,omitempty"`
	H float64 `json:"h,omitempty"`
}

// Control is what a label is for. It may be out of sight, with the label in its place.
type Control struct {
	Backend cdp.BackendNodeID `json:"backend"`
	// Role is the role that the recorder's own DOM naming gives the control, Type the type of an input.
	Role string `json:"role,omitempty"`
	Type string `json:"type,omitempty"`
}
