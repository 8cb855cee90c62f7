package replay

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"

	"retrace/keymap"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// pageState is a recorded page with some lines.
func pageState(id, lines string) *trace.State {
	tree := axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Trial\"\n    " + strings.ReplaceAll(lines, "\n", "\n    ") + "\n")
	return &trace.State{ID: id, URL: "http://a.example/", Tree: tree}
}

// shownPage is a page that shows some lines now.
func shownPage(lines string) *axtree.Tree {
	tree := pageState("", lines).Tree
	for i, n := range tree.Nodes {
		n.Ref, n.Live = "", &axtree.Live{Backend: cdp.BackendNodeID(i + 1), Clickable: true}
	}
	return tree
}

// TestAlreadyDone: a click is left out only when it would undo what the page shows already, or do again what Enter has done.
func TestAlreadyDone(t *testing.T) {
	const closed, open = "@e1 button \"Filter\"", "@e1 button \"Filter\"\nlistitem \"Colour\"\nlistitem \"Size\""
	before, after := pageState("s1", closed), pageState("s2", open)
	expanded := func(l *axtree.Live) { l.Expanded = "true" }
	plain := func(*axtree.Live) {}
	enter := plan.Intent{Kind: plan.Press, Before: before, Step: &trace.Step{Op: trace.Press, Key: "Enter"}}
	for _, c := range []struct {
		name   string
		kind   plan.Kind
		role   string // of the live element
		target string // its name in the recording
		before *plan.Intent
		live   string
		state  func(*axtree.Live)
		want   string
	}{
		{"expanded already", plan.Click, "button", "Filter", nil, open, expanded, "end state"},
		{"checked already", plan.Click, "button", "Filter", nil, open, func(l *axtree.Live) { l.Checked = "true" }, "end state"},
		{"pressed already", plan.Click, "button", "Filter", nil, open, func(l *axtree.Live) { l.Pressed = "false" }, "end state"},
		{"selected already", plan.Click, "button", "Filter", nil, open, func(l *axtree.Live) { l.Selected = "true" }, "end state"},
		{"one of several that is not selected", plan.Click, "button", "Filter", nil, open, func(l *axtree.Live) { l.Selected = "false" }, ""},
		{"no switch", plan.Click, "button", "Filter", nil, open, plain, ""},
		{"not done yet", plan.Click, "button", "Filter", nil, closed, expanded, ""},
		{"done in part", plan.Click, "button", "Filter", nil, closed + "\nlistitem \"Size\"", expanded, ""},
		{"not on the recorded page before", plan.Click, "button", "Sort", nil, open + "\nbutton \"Sort\"", expanded, ""},
		{"a hover", plan.Hover, "button", "Filter", nil, open, expanded, ""},
		{"sent by Enter", plan.Click, "button", "Filter", &enter, open, plain, "Enter"},
		{"sent by the Enter of a fill", plan.Click, "button", "Filter", &plan.Intent{Kind: plan.Fill, Enter: true, Before: before, Step: &trace.Step{Op: trace.Fill}}, open, plain, "Enter"},
		{"a fill without Enter", plan.Click, "button", "Filter", &plan.Intent{Kind: plan.Fill, Before: before, Step: &trace.Step{Op: trace.Fill}}, open, plain, ""},
		{"another key", plan.Click, "button", "Filter", &plan.Intent{Kind: plan.Press, Before: before, Step: &trace.Step{Op: trace.Press, Key: "Tab"}}, open, plain, ""},
		{"Enter with a modifier", plan.Click, "button", "Filter", &plan.Intent{Kind: plan.Press, Before: before, Step: &trace.Step{Op: trace.Press, Key: "Enter", Modifiers: keymap.Ctrl}}, open, plain, ""},
		{"Enter on another page", plan.Click, "button", "Filter", &plan.Intent{Kind: plan.Press, Before: pageState("s9", closed), Step: &trace.Step{Op: trace.Press, Key: "Enter"}}, open, plain, ""},
		{"Enter, then a link", plan.Click, "link", "Filter", &enter, open, plain, ""},
		{"Enter, and not all is done", plan.Click, "button", "Filter", &enter, closed, plain, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			live := shownPage(c.live)
			node := live.Nodes[1]
			node.Role = c.role
			c.state(node.Live)
			it := plan.Intent{Kind: c.kind, Before: before, After: after, Step: &trace.Step{Op: trace.Click, Target: &resolve.Descriptor{Role: "button", Name: c.target}}}
			r := &runner{plan: []plan.Intent{it}}
			i := 0
			if c.before != nil {
				r.plan, i = []plan.Intent{*c.before, it}, 1
			}
			fd := found{node: node, query: resolve.Query{Target: *it.Step.Target, Before: before.Tree, After: after.Tree}}
			exp := verify.Expect(before, after, nil, verify.See(live, "http://a.example/", ""))
			got := r.alreadyDone(&it, i, fd, exp)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q, want something about %q", got, c.want)
			}
		})
	}
}

// TestQuietly: only what reads back what it put in, and sends nothing, needs no frame of grace after it.
func TestQuietly(t *testing.T) {
	for _, c := range []struct {
		it   plan.Intent
		want bool
	}{
		{plan.Intent{Kind: plan.Fill}, true},
		{plan.Intent{Kind: plan.Select}, true},
		{plan.Intent{Kind: plan.Fill, Enter: true}, false},
		{plan.Intent{Kind: plan.Fill, Suggest: true}, false},
		{plan.Intent{Kind: plan.Click}, false},
		{plan.Intent{Kind: plan.Press}, false},
		{plan.Intent{Kind: plan.Hover}, false},
	} {
		if got := quietly(&c.it); got != c.want {
			t.Errorf("quietly(%s, enter %t, suggest %t) is %t", c.it.Kind, c.it.Enter, c.it.Suggest, got)
		}
	}
}
