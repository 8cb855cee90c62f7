package axtree

import (
	"github.com/chromedp/cdproto/accessibility"
)

// Single makes a node, without relatives, of what the accessibility tree says of one element.
func Single(ax *accessibility.Node, frame Frame, tag, inputType string) *Node {
	n := &Node{Live: &Live{Frame: frame.ID, Session: frame.Session, Backend: ax.BackendDOMNodeID, Tag: tag, Type: inputType, Clickable: true}}
	w := &walker{}
	w.fill(n, ax)
	return n
}
