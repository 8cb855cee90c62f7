package verify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

// state makes a recorded state of page-text lines.
func state(id, url, title string, lines ...string) *trace.State {
	body := "@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"" + title + "\"\n"
	for _, l := range lines {
		body += "    " + l + "\n"
	}
	return &trace.State{ID: id, URL: url, Title: title, Tree: axtree.Parse(body)}
}

func see(s *trace.State) Sight { return See(s.Tree, s.URL, s.Title) }

func modal(id, url, title string, lines ...string) *trace.State {
	body := "@vom 1\n@layers 2 focus=L1\nL1 modal cover=100%\n"
	for _, l := range lines {
		body += "  " + l + "\n"
	}
	return &trace.State{ID: id, URL: url, Title: title, Tree: axtree.Parse(body + "L2 page … occluded by L1 (~9 nodes, not actionable)\n")}
}

func TestEffect(t *testing.T) {
	const url = "http://shop.example/orders"
	saved := func(s *trace.State) *trace.State { return s }
	type page struct {
		state *trace.State
		texts []string // texts that were shown in passing
	}
	form := state("s1", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`)
	done := state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `  StaticText "Saved order 12"`)
	for _, c := range []struct {
		name                 string
		before, after, ahead *trace.State
		base                 *trace.State
		live                 []page
		want                 EffectVerdict
		changed              bool
	}{
		{"nothing recorded", form, form, nil, form, []page{{form, nil}}, NothingToCheck, false},
		{"seen", form, done, nil, form, []page{{done, nil}}, Confirmed, true},
		{"nothing happens", form, done, nil, form, []page{{form, nil}}, NotSeen, false},
		{"only the number differs", form, done, nil, form, []page{{state("l", url, "Orders", `@e1 button "Save"`, `status`, `  StaticText "Saved order 99"`), nil}}, Confirmed, true},
		{
			"an old message of the same form proves nothing", form, done, nil,
			state("l", url, "Orders", `@e1 button "Save"`, `status`, `  StaticText "Saved order 7"`),
			[]page{{state("l", url, "Orders", `@e1 button "Save"`, `status`, `  StaticText "Saved order 7"`), nil}}, NotSeen, false,
		},
		{
			"a message cut short before a list that goes on with it", form, done, nil, form,
			[]page{{state("l", url, "Orders", `@e1 button "Save"`, `status`, `  StaticText "Saved"`, `list`, `  StaticText "order 12"`), nil}}, NotSeen, true,
		},
		{
			"a message in several parts", form, done, nil, form,
			[]page{{state("l", url, "Orders", `@e1 button "Save"`, `status`, `  StaticText "Saved"`, `  strong`, `    StaticText "order 12"`), nil}}, Confirmed, true,
		},
		{
			"text in a rich text field", form, state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `@e2 textbox "Note" [filled]`, `  StaticText "Low tide"`), nil, form,
			[]page{{state("l", url, "Orders", `@e1 button "Save"`, `status`, `@e2 textbox "Note" [filled]`), nil}}, Confirmed, true,
		},
		{"there already", form, done, nil, done, []page{{done, nil}}, NothingToCheck, false},
		{"shown in passing between two looks", form, done, nil, form, []page{{form, []string{" Saved order 12 "}}}, Confirmed, false},
		{"seen once stays seen", form, done, nil, form, []page{{done, nil}, {form, nil}}, Confirmed, false},
		{
			"an error message instead", form,
			state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `@e2 button "Undo"`, `status`, `  StaticText "Saved"`), nil, form,
			[]page{{state("l", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `@e2 button "Undo"`, `status`, `  StaticText "Could not save"`), nil}}, NotSeen, true,
		},
		{
			"part of it", form, state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `@e2 button "Undo"`, `paragraph "Thank you"`), nil, form,
			[]page{{state("l", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `@e2 button "Undo"`), nil}}, Partly, true,
		},
		{"a text that was only being drawn anew has not vanished",
			state("s1", url, "Orders", `paragraph "None"`, `@e1 button "Add"`), state("s2", url, "Orders", `paragraph "One"`, `@e1 button "Add"`), nil,
			state("l", url, "Orders", `paragraph "None"`, `@e1 button "Add"`),
			[]page{{state("l", url, "Orders", `@e1 button "Add"`), nil}, {state("l", url, "Orders", `paragraph "None"`, `@e1 button "Add"`), nil}}, NotSeen, false},
		{"a row vanishes", state("s1", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "Rope"`), state("s2", url, "Orders", `row`, `  cell "Rope"`), nil,
			state("l", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "Rope"`), []page{{state("l", url, "Orders", `row`, `  cell "Rope"`), nil}}, Confirmed, true},
		{"another row vanishes", state("s1", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "Rope"`), state("s2", url, "Orders", `row`, `  cell "Rope"`), nil,
			state("l", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "Rope"`), []page{{state("l", url, "Orders", `row`, `  cell "Buoy"`), nil}}, NotSeen, true},
		{"another page", form, state("s2", "http://shop.example/done", "Done", `heading "Thank you"`), nil, form,
			[]page{{state("l", "http://shop.example/done?session=4", "Done", `heading "Thank you"`), nil}}, Confirmed, true},
		{"another page than the recorded one", form, state("s2", "http://shop.example/done", "Done", `heading "Thank you"`), nil, form,
			[]page{{state("l", "http://shop.example/login", "Sign in", `heading "Sign in"`), nil}}, NotSeen, true},
		{"an error page in place of the recorded one", state("s1", url, "Orders", `heading "Orders"`, `@e1 link "Home"`, `@e2 button "Save"`, `row`, `  cell "Buoy"`), state("s2", url, "Orders", `heading "Orders"`, `@e1 link "Home"`, `@e2 button "Save"`, `paragraph "None left"`), nil,
			state("l", url, "Orders", `heading "Orders"`, `@e1 link "Home"`, `@e2 button "Save"`, `row`, `  cell "Buoy"`), []page{{state("l", url, "Orders", `heading "Something went wrong"`), nil}}, NotSeen, true},
		{"a search word in the address", form, state("s2", url+"?q=rope", "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`), nil, form,
			[]page{{state("l", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`), nil}}, NotSeen, false},
		{"a dialog opens", form, modal("s2", url, "Orders", `dialog "Edit Buoy"`, `  @e1 button "Apply"`), nil, form,
			[]page{{state("l", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `dialog "Edit Buoy"`, `  @e1 button "Apply"`), nil}}, Confirmed, true},
		{"what a modal hides is not gone", form, modal("s2", url, "Orders", `dialog "Edit Buoy"`), nil, form, []page{{form, nil}}, NotSeen, false},
		{
			"further than recorded", form, state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `  StaticText "Looking…"`),
			state("s3", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `  StaticText "2 found"`, `@e2 link "Buoy"`, `@e3 link "Rope"`), form,
			[]page{{state("l", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `status`, `  StaticText "2 found"`, `@e2 link "Buoy"`, `@e3 link "Rope"`), nil}}, Confirmed, true,
		},
		{
			"the value that a cell is named by was typed before; its inner part is not counted", state("s1", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "2"`, `    @e1 spinbutton "Quantity"`),
			&trace.State{ID: "s2", URL: url, Title: "Orders", Tree: axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Orders\"\n    row\n      cell \"5\"\n        @e1 spinbutton \"Quantity\" =\"5\"\n  StaticText \"5\"\n")}, nil,
			state("l", url, "Orders", `row`, `  cell "Buoy"`, `row`, `  cell "5"`, `    @e1 spinbutton "Quantity"`),
			[]page{{state("l", url, "Orders", `row`, `  cell "5"`, `    @e1 spinbutton "Quantity"`), nil}}, Confirmed, true,
		},
		{"parts of native controls are not content", saved(form), &trace.State{ID: "s2", URL: url, Title: "Orders", Tree: axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Orders\"\n    heading \"Orders\"\n    @e1 button \"Save\"\n    status\n  StaticText \"12\"\n  @e9 spinbutton \"Month Month\"\n")}, nil, form, []page{{form, nil}}, NothingToCheck, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Expect(c.before, c.after, c.ahead, see(c.base))
			for _, p := range c.live {
				e.ObserveText(p.texts)
				e.Observe(see(p.state))
			}
			got := e.Effect()
			if got.Verdict != c.want {
				t.Errorf("verdict %s, want %s\nseen %q\nmissing %q\nalready %q\ninstead %q", got.Verdict, c.want, got.Seen, got.Missing, got.Already, got.Instead)
			}
			if e.Changed() != c.changed {
				t.Errorf("changed = %v, want %v", e.Changed(), c.changed)
			}
		})
	}
}

// A modal dialog that the recording does not show takes the page behind it from the tree: nothing of that has vanished by the step.
func TestEffectBehindNewDialog(t *testing.T) {
	const url = "http://shop.example/orders"
	before := state("s1", url, "Orders", `heading "Orders"`, `@e1 button "Save"`, `dialog "Edit"`, `  @e2 textbox "Name"`, `  @e3 button "Confirm"`)
	after := state("s2", url, "Orders", `heading "Orders"`, `@e1 button "Save"`)
	covered := func(name string) Sight {
		live := state("l", url, "Orders", `dialog "`+name+`"`, `  button "Sign in"`)
		for _, n := range live.Tree.Nodes {
			n.Live = &axtree.Live{Modal: n.Role == "dialog"}
		}
		return see(live)
	}
	for _, name := range []string{"Your session has ended", ""} {
		e := Expect(before, after, nil, see(before))
		e.Observe(covered(name))
		if got := e.Effect(); got.Verdict != NotSeen || len(got.Seen) > 0 {
			t.Errorf("dialog %q: %s, want %s; seen %q", name, got.Verdict, NotSeen, got.Seen)
		}
	}
	for _, same := range []*trace.State{nil, before} { // nothing is recorded that could be seen
		e := Expect(before, same, nil, see(before))
		e.Observe(covered("Terms"))
		if got := e.Effect(); got.Verdict != NothingToCheck {
			t.Errorf("nothing recorded: %s", got.Verdict)
		}
	}
	e := Expect(before, after, nil, see(before))
	e.Observe(see(after))
	if got := e.Effect(); got.Verdict != Confirmed {
		t.Errorf("the dialog closed: %s, missing %q", got.Verdict, got.Missing)
	}
}

func TestEffectWords(t *testing.T) {
	before := state("s1", "http://a.example/", "A", `heading "Old"`)
	after := state("s2", "http://a.example/b", "B", `heading "New"`)
	e := Expect(before, after, nil, see(before))
	e.Observe(see(before))
	want := []string{"address: http://a.example/b", `title: "B"`, `appeared: heading "New"`, `vanished: heading "Old"`}
	if d := cmp.Diff(want, e.Effect().Missing); d != "" {
		t.Error(d)
	}
}

func TestRevoked(t *testing.T) {
	const url = "http://shop.example/item"
	before := state("s1", url, "Item", `paragraph "3 likes"`, `@e1 button "Like"`, `status`)
	after := state("s2", url, "Item", `paragraph "4 likes, one is yours"`, `@e1 button "Like"`, `status`, `  StaticText "Saved"`)
	see := func(s *trace.State) Sight { return See(s.Tree, s.URL, s.Title) }
	for _, c := range []struct {
		name string
		live *trace.State
		want []string
	}{
		{"it stands", after, nil},
		{"only the message is gone", state("l", url, "Item", `paragraph "4 likes, one is yours"`, `@e1 button "Like"`, `status`), nil},
		{"another message came", state("l", url, "Item", `paragraph "4 likes, one is yours"`, `@e1 button "Like"`, `status`, `  StaticText "Bo is here"`), nil},
		{"gone without a word", state("l", url, "Item", `@e1 button "Like"`, `status`), nil},
		{"taken back", state("l", url, "Item", `paragraph "3 likes"`, `@e1 button "Like"`, `alert`, `  StaticText "Not saved"`), []string{"Not saved"}},
		{"the page went on", state("l", "http://shop.example/list", "List", `heading "List"`, `alert`, `  StaticText "Not saved"`), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Expect(before, after, nil, see(before))
			e.Observe(see(after))
			if diff := cmp.Diff(c.want, e.Revoked(see(c.live))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFulfilled(t *testing.T) {
	off := state("s1", "http://a.example/", "A", `paragraph`, `  StaticText "Mail is off"`)
	on := state("s2", "http://a.example/", "A", `paragraph`, `  StaticText "Mail is on"`)
	if Expect(off, on, nil, see(off)).Fulfilled() {
		t.Error("the page before the step is not the one after it")
	}
	if !Expect(off, on, nil, see(on)).Fulfilled() {
		t.Error("the page is in the recorded end state")
	}
	if Expect(off, off, nil, see(off)).Fulfilled() {
		t.Error("nothing is expected, so nothing is fulfilled")
	}
}

func TestAgree(t *testing.T) {
	s := state("s1", "http://a.example/orders", "Orders (3)", `navigation "Main"`, `  @e1 link "Home"`, `heading "Orders"`, `@e2 button "Open 12"`, `@e3 button "Print"`)
	for _, c := range []struct {
		name string
		live *trace.State
		url  string
		here bool
	}{
		{"the same", s, s.URL, true},
		{"another query", s, s.URL + "?page=2", true},
		{"numbers changed", state("l", "", "Orders (5)", `navigation "Main"`, `  link "Home"`, `heading "Orders"`, `button "Open 99"`, `button "Print"`), s.URL, true},
		{"half of it renamed", state("l", "", "Orders (3)", `navigation "Main"`, `  link "Start"`, `heading "Orders"`, `button "Show"`, `button "Print"`), s.URL, true},
		{"a login page at the same address", state("l", "", "Sign in", `heading "Sign in"`, `textbox "User"`, `button "Continue"`), s.URL, false},
		{"moved, all there", s, "http://a.example/sales/orders", true},
		{"moved, half there", state("l", "", "Orders (3)", `heading "Orders"`, `button "Print"`), "http://a.example/sales/orders", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Agree(s, See(c.live.Tree, c.url, c.live.Title))
			if a.Here() != c.here {
				t.Errorf("here = %v, want %v: %+v", a.Here(), c.here, a)
			}
		})
	}
}

func TestReached(t *testing.T) {
	one := state("s1", "http://a.example/", "Wizard", `heading "Step one"`, `@e1 button "Next"`)
	two := state("s2", "http://a.example/", "Wizard", `heading "Step two"`, `@e1 button "Next"`)
	if Reached(one, two, see(one)) {
		t.Error("the first page is not the second")
	}
	if !Reached(one, two, see(two)) {
		t.Error("the second page is the second")
	}
}

func TestSamePage(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"http://a.example/x", "http://a.example/x?q=1", true},
		{"http://a.example/x/", "http://a.example/x", true},
		{"http://a.example/", "http://a.example/index.html", true},
		{"http://A.example/x", "http://a.example/x#top", true},
		{"http://a.example/x", "http://a.example/y", false},
		{"http://a.example/x", "http://b.example/x", false},
		{"http://a.example/#/orders", "http://a.example/#/users", false},
		{"http://a.example/#/orders?page=2", "http://a.example/#/orders", true},
		{"http://a.example/%E4%B8%AD", "http://a.example/中", true},
		{"about:blank", "about:blank", true},
		{"about:blank", "http://a.example/", false},
		{"%zz", "%zz", true},
	} {
		if got := SamePage(c.a, c.b); got != c.want {
			t.Errorf("SamePage(%q, %q) = %v", c.a, c.b, got)
		}
		if got := SamePage(c.b, c.a); got != c.want {
			t.Errorf("SamePage(%q, %q) = %v", c.b, c.a, got)
		}
	}
}

func FuzzEffect(f *testing.F) {
	f.Add("heading \"A\"\n@e1 button \"B\"", "heading \"C\"", "status\n  StaticText \"D 1\"")
	f.Fuzz(func(t *testing.T, a, b, live string) {
		s := func(id, text string) *trace.State {
			return state(id, "http://a.example/", "T", strings.Split(text, "\n")...)
		}
		e := Expect(s("s1", a), s("s2", b), s("s3", live), see(s("l", a)))
		e.Observe(see(s("l", live)))
		switch v := e.Effect(); v.Verdict {
		case Confirmed:
			if len(v.Seen) == 0 {
				t.Error("confirmed without anything seen")
			}
		case NotSeen, Partly, NothingToCheck:
		default:
			t.Errorf("verdict %q", v.Verdict)
		}
	})
}
