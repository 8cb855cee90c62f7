package replay

import (
	"strings"
	"testing"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// A result that is gone for a moment stops nothing; one that stays gone, with a message, stops the step after it.
func TestRetraction(t *testing.T) {
	page := func(lines string) *axtree.Tree {
		return axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Item\"\n" + lines)
	}
	const url = "http://shop.example/item"
	before, after := page("    StaticText \"3 likes\"\n    @e1 button \"Like\"\n"), page("    StaticText \"4 likes, one is yours\"\n    @e1 button \"Like\"\n")
	revoked := page("    StaticText \"3 likes\"\n    @e1 button \"Like\"\n    alert\n      StaticText \"Not saved\"\n")
	see := func(tree *axtree.Tree) verify.Sight { return verify.See(tree, url, "Item") }
	state := func(id string, tree *axtree.Tree) *trace.State {
		return &trace.State{ID: id, URL: url, Title: "Item", Tree: tree}
	}
	e := verify.Expect(state("s1", before), state("s2", after), nil, see(before))
	e.Observe(see(after))
	step := &trace.Step{ID: 7, Target: &resolve.Descriptor{Role: "button", Name: "Like"}}
	r := retraction{e: &standing{it: &plan.Intent{Kind: plan.Click, Step: step}, expect: e}}
	start := time.Now()
	for _, c := range []struct {
		after   time.Duration
		tree    *axtree.Tree
		gone    bool
		failure string
	}{
		{0, after, false, ""},
		{time.Second, revoked, true, ""},
		{1500 * time.Millisecond, after, false, ""},
		{2 * time.Second, revoked, true, ""},
		{2500 * time.Millisecond, revoked, true, ""},
		{3 * time.Second, revoked, true, `step 7: button "Like" was acted on, and the page took the recorded result back and says "Not saved"`},
	} {
		gone, f := r.by(&view{tree: c.tree, sight: see(c.tree)}, start.Add(c.after))
		if gone != c.gone || (f != nil) != (c.failure != "") || f != nil && !strings.Contains(f.Text, c.failure) {
			t.Errorf("after %v: %v, %v, want %v, %q", c.after, gone, f, c.gone, c.failure)
		}
	}
}
