package resolve_test

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// FuzzFind searches any tree for any target: the search ends, what it finds is in the tree, and a search that is tolerant of
// nothing finds nothing that a strict one calls ambiguous.
func FuzzFind(f *testing.F) {
	const page = "L1 page\n  RootWebArea \"Shop\"\n    row \"Jacket €20\"\n      @e1 button \"Edit\"\n    row \"Coat €30\"\n      @e2 button \"Edit\"\n"
	f.Add(page, page, "button", "Edit", "e1", "Jacket", false)
	f.Add(page, "L1 page\n  RootWebArea \"Shop\"\n    @e1 button \"Edit\"\n", "button", "Edit", "e2", "", true)
	f.Add("", "", "", "", "", "", false)
	f.Add(page, "\x00\xff", "textbox", "a\u202eb", "e999", "\n", true)
	f.Fuzz(func(t *testing.T, before, live, role, name, ref, ctx string, tolerant bool) {
		tree := axtree.Parse(live)
		for i, n := range tree.Nodes {
			n.Live = &axtree.Live{Backend: cdp.BackendNodeID(i + 1)}
		}
		q := resolve.Query{Target: resolve.Descriptor{Role: role, Name: name, Ref: ref, Ctx: ctx}, Before: axtree.Parse(before), Mode: resolve.Strict, Use: resolve.ToClick}
		if tolerant {
			q.Mode = resolve.Tolerant
		}
		n, d := resolve.Find(q, tree)
		switch {
		case (n != nil) != (d.Outcome == resolve.One):
			t.Fatalf("outcome %q with element %v", d.Outcome, n)
		case d.Outcome != resolve.One && d.Why == "":
			t.Fatalf("%q without a reason", d.Outcome)
		case n != nil && (n.Index >= len(tree.Nodes) || tree.Nodes[n.Index] != n):
			t.Fatal("the element is not in the tree")
		case len(d.Candidates) > 20 || d.Total < len(d.Candidates):
			t.Fatalf("%d candidates, %d in all", len(d.Candidates), d.Total)
		}
		again, e := resolve.Find(q, tree)
		if again != n || e.Outcome != d.Outcome {
			t.Fatalf("%q and %q for the same search", d.Outcome, e.Outcome)
		}
	})
}
