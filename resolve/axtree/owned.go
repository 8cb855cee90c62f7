package axtree

import (
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
)

// owned is an element that another one claims for its own, by aria-owns: in the accessibility tree, and so in a recording, it stands
// in that one, wherever it is in the document.
type owned struct {
	owner *Node
	child element
}

// element is a live element by its document's frame and its DOM node.
type element struct {
	frame   cdp.FrameID
	backend cdp.BackendNodeID
}

func elementOf(n *Node) element { return element{n.Live.Frame, n.Live.Backend} }

// owns notes what a node claims. The list that a text field claims is its popup (see [Live.PopupOf]) and stays where it is.
func (w *walker) owns(n *Node, ax *accessibility.Node) {
	if popupFields[n.Role] {
		return
	}
	for _, p := range ax.Properties {
		if p.Name != "owns" || p.Value == nil {
			continue
		}
		for _, r := range p.Value.RelatedNodes {
			if r != nil && r.BackendDOMNodeID != 0 {
				w.c.owned = append(w.c.owned, owned{n, element{w.frame.ID, r.BackendDOMNodeID}})
			}
		}
	}
}

// own moves what is claimed to the end of what claims it, where that is not in it.
func (c *capture) own(root *Node) {
	if len(c.owned) == 0 {
		return
	}
	at := map[element]*Node{}
	for n := range root.Subtree() {
		at[elementOf(n)] = n
	}
	for _, o := range c.owned {
		n := at[o.child]
		if n == nil || n.Parent == nil || n == o.owner || at[elementOf(o.owner)] != o.owner {
			continue
		}
		inside := false
		for a := range o.owner.Ancestors() {
			inside = inside || a == n
		}
		if inside {
			continue
		}
		n.Parent.Children = slices.DeleteFunc(n.Parent.Children, func(k *Node) bool { return k == n })
		n.Parent = o.owner
		o.owner.Children = append(o.owner.Children, n)
	}
}
