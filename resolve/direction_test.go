package resolve

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"

	"retrace/resolve/axtree"
)

// TestDirection wants that nobody takes a new twin before the recorded neighbours for the target, which comes after them, where no
// container holds either.
func TestDirection(t *testing.T) {
	page := func(lines string) *axtree.Tree {
		tree := axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"T\"\n    main\n      heading \"Shipments\"\n" + lines + "      status\n")
		for i, n := range tree.Nodes {
			n.Live = &axtree.Live{Backend: cdp.BackendNodeID(i + 1), Clickable: n.Ref != ""}
		}
		return tree
	}
	const field, send = "      StaticText \"Reference\"\n      @e1 textbox \"Reference\"\n", "      @e2 button \"Send\"\n"
	recorded := page(field + send)
	q := Query{Target: Descriptor{Ref: "e2", Role: "button", Name: "Send"}, Use: ToClick, Before: recorded}
	n, d := Find(q, page("      @e9 button \"Send\"\n"+field+send))
	if n != nil && n.Ref != "e2" {
		t.Errorf("chose the twin before the field: %s: %s", d.Outcome, d.Why)
	}
}
