package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/keymap"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

const (
	home   = "http://shop.example/"
	list   = "http://shop.example/list"
	search = "http://shop.example/list?q=hello+world"
	other  = "http://other.example/end"
)

// recording builds a trace: states are named by the steps that are given, "s1" to "s9", and get their address and text from
// pages ("s1" → address and the lines of the tree).
func recording(start string, pages map[string]string, steps ...*trace.Step) *trace.Trace {
	t := &trace.Trace{Version: 3, StartURL: start}
	known := map[string]*trace.State{}
	for _, id := range []string{"s1", "s2", "s3", "s4", "s5", "s6"} {
		address, text, _ := strings.Cut(pages[id], "\n")
		if address == "" {
			address = home
		}
		state := &trace.State{ID: id, URL: address, Tree: axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n" + text + "\n")}
		known[id] = state
		t.States = append(t.States, state)
	}
	for i, s := range steps {
		s.ID = i + 1
		s.State, s.Result = known[s.State.ID], known[s.Result.ID]
		t.Steps = append(t.Steps, s)
	}
	return t
}

// step makes a step between two states: "s1 s2".
func step(op trace.Op, states string, edit ...func(*trace.Step)) *trace.Step {
	from, to, _ := strings.Cut(states, " ")
	s := &trace.Step{Op: op, State: &trace.State{ID: from}, Result: &trace.State{ID: to}}
	if op == trace.Fill {
		s.Commit = trace.CommitBlur
	}
	for _, f := range edit {
		f(s)
	}
	return s
}

// target sets the target: "e1 textbox Name of it", with "-" for no reference, which makes it unmatched, or for no role.
func target(text string) func(*trace.Step) {
	return func(s *trace.Step) {
		parts := strings.SplitN(text, " ", 3)
		d := &resolve.Descriptor{Ref: strings.Trim(parts[0], "-"), Role: strings.Trim(parts[1], "-"), Name: parts[2]}
		d.Unmatched = d.Ref == ""
		s.Target = d
	}
}

func context(ctx string) func(*trace.Step) { return func(s *trace.Step) { s.Target.Ctx = ctx } }
func value(v string) func(*trace.Step)     { return func(s *trace.Step) { s.Value = v } }
func commit(c trace.Commit) func(*trace.Step) {
	return func(s *trace.Step) { s.Commit = c }
}
func redacted(s *trace.Step) { s.Value, s.Redacted = "***", true }
func to(address string, cause trace.Cause) func(*trace.Step) {
	return func(s *trace.Step) { s.To, s.Cause = address, cause }
}
func key(k string, mods ...keymap.Modifiers) func(*trace.Step) {
	return func(s *trace.Step) {
		s.Key = k
		for _, m := range mods {
			s.Modifiers |= m
		}
	}
}

// short writes intents without addresses, states and reason texts: what a rule decided.
func short(intents []Intent) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(render(intents)), "\n") {
		if rule, isReason := strings.CutPrefix(line, "    "); isReason {
			rule, _, _ = strings.Cut(rule, ":")
			lines[len(lines)-1] += " | " + rule
			continue
		}
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

func TestRules(t *testing.T) {
	const field = "  @e1 searchbox \"Search\" [empty]\n  @e2 textbox \"Note\" [empty]"
	note := target("e2 textbox Note")
	box := target("e1 searchbox Search")
	for _, test := range []struct {
		name  string
		trace *trace.Trace
		want  []string // without the Open, unless it begins with "open"
	}{
		// Options picked with the arrow keys.
		{"option picked with arrow keys", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Port [has-submenu]\"", "s2": home + "\n  @e1 combobox \"Port [has-submenu]\" =\"Cork\"",
		},
			step(trace.Fill, "s1 s1", target("e1 combobox Port [has-submenu]"), value("Co"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", target("e1 combobox Port [has-submenu]"), key("Enter")),
		), []string{
			`fill #1 s1 -> s1 combobox "Port [has-submenu]" value "Co" | one-enter`,
			`press #2 s1 -> s2 combobox "Port [has-submenu]" key Enter choice "Cork" | picked-by-keys`,
		}},
		{"option picked with arrow keys, seen in the fill that the page makes", recording(home, map[string]string{"s1": home + "\n  @e1 combobox \"Port\""},
			step(trace.Fill, "s1 s1", target("e1 combobox Port"), value("Co"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s1", target("e1 combobox Port"), key("Enter")),
			step(trace.Fill, "s1 s1", target("e1 combobox Port"), value("Cork")),
		), []string{
			`fill #1 s1 -> s1 combobox "Port" value "Co" | one-enter`,
			`press #2 s1 -> s1 combobox "Port" key Enter choice "Cork" | picked-by-keys`,
			`fill #3 s1 -> s1 combobox "Port" value "Cork"`,
		}},
		{"field that keeps what was typed", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Port\"", "s2": home + "\n  @e1 combobox \"Port\" =\"Co\"",
		},
			step(trace.Fill, "s1 s1", target("e1 combobox Port"), value("Co"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", target("e1 combobox Port"), key("Enter")),
		), []string{
			`fill #1 s1 -> s1 combobox "Port" value "Co" | one-enter`,
			`press #2 s1 -> s2 combobox "Port" key Enter`,
		}},
		{"field that was given another text", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Port\"", "s2": home + "\n  @e1 combobox \"Port\" =\"Faro\"",
		},
			step(trace.Fill, "s1 s1", target("e1 combobox Port"), value("Co"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", target("e1 combobox Port"), key("Enter")),
		), []string{
			`fill #1 s1 -> s1 combobox "Port" value "Co" | one-enter`,
			`press #2 s1 -> s2 combobox "Port" key Enter`,
		}},
		{"option narrowed by typing and picked without a step", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Pick a pilot [expanded]\"\n  @e2 searchbox [empty]", "s2": home + "\n  @e1 combobox \"Carl Voss [has-submenu]\"",
		}, step(trace.Fill, "s1 s2", target("e2 searchbox "), value("vo"))), []string{
			`fill #1 s1 -> s2 searchbox "" value "vo" suggest choice "Carl Voss" | list-choice-lost`,
		}},
		{"field that went away with nothing chosen", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Carl Voss [expanded]\"\n  @e2 searchbox [empty]", "s2": home + "\n  @e1 combobox \"Carl Voss [has-submenu]\"",
		}, step(trace.Fill, "s1 s2", target("e2 searchbox "), value("vo"))), []string{`fill #1 s1 -> s2 searchbox "" value "vo"`}},
		// Pages that the recorder did not see in time.
		{"page that the step before led to, seen late", recording(home, map[string]string{
			"s1": home + "\n  @e1 checkbox \"Remember\"", "s2": list + "\n  DisclosureTriangle \"Addresses\"",
		},
			step(trace.Press, "s1 s1", target("e1 checkbox Remember"), key("Enter")),
			step(trace.Click, "s2 s2", target("- button Addresses")),
		), []string{`press #1 s1 -> s1 checkbox "Remember" key Enter`, `click #2 s2 -> s2 button "Addresses" | state-is-both`}},
		{"page that is on both sides", recording(home, map[string]string{
			"s1": home + "\n  @e1 button \"Go\"", "s2": list + "\n  @e1 button \"Go\"",
		},
			step(trace.Press, "s1 s1", key("Enter")),
			step(trace.Click, "s2 s2", target("- button Go")),
		), []string{`press #1 s1 -> s1 key Enter`, `click #2 s1 -> s2 button "Go" | state-is-after`}},
		{"navigation that was not seen to arrive", recording(home, map[string]string{"s1": home, "s2": list},
			step(trace.Navigate, "s1 s1", to(list, trace.Link)),
			step(trace.Click, "s2 s2", target("- button Go")),
		), []string{
			"await #1 s1 -> s2 to " + list + " missing: navigate | arrival-not-seen | effect-navigation",
			`click #2 s2 -> s2 button "Go" | state-is-both`,
		}},
		// Forms that were sent without leaving the page.
		{"field emptied", recording(home, map[string]string{
			"s1": home + "\n  @e1 textbox \"Comment\" [empty]", "s2": home + "\n  StaticText \"Thanks\"\n  @e1 textbox \"Comment\" [empty]",
		}, step(trace.Fill, "s1 s2", target("e1 textbox Comment"), value("hello"))), []string{`fill #1 s1 -> s2 textbox "Comment" value "hello" send | sent-lost`}},
		{"field that keeps its text", recording(home, map[string]string{
			"s1": home + "\n  @e1 textbox \"Comment\" [empty]", "s2": home + "\n  StaticText \"You: hello\"\n  @e1 textbox \"Comment\" [filled] =\"hello\"",
		}, step(trace.Fill, "s1 s2", target("e1 textbox Comment"), value("hello"))), []string{`fill #1 s1 -> s2 textbox "Comment" value "hello"`}},
		{"two comments, the first printed when the second was seen", recording(home, map[string]string{
			"s1": home + "\n  @e1 textbox \"Comment\" [empty]", "s2": home + "\n  StaticText \"You: hello\"\n  @e1 textbox \"Comment\" [empty]",
		},
			step(trace.Fill, "s1 s1", target("e1 textbox Comment"), value("hello")),
			step(trace.Fill, "s1 s2", target("- textbox Comment"), value("bye")),
		), []string{
			`fill #1 s1 -> s1 textbox "Comment" value "hello" send | sent-lost`,
			`fill #2 s1 -> s2 textbox "Comment" value "bye" send | sent-lost`,
		}},
		{"printed after a click that can have sent it", recording(home, map[string]string{
			"s1": home + "\n  @e1 textbox \"Comment\" [empty]\n  @e2 button \"Post\"", "s2": home + "\n  StaticText \"You: hello\"\n  @e1 textbox \"Comment\" [empty]\n  @e2 button \"Post\"",
		},
			step(trace.Fill, "s1 s1", target("e1 textbox Comment"), value("hello")),
			step(trace.Click, "s1 s2", target("e2 button Post")),
		), []string{`fill #1 s1 -> s1 textbox "Comment" value "hello"`, `click #2 s1 -> s2 button "Post"`}},
		// Openers.
		{"list opened by the control that was pointed at", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Season [has-submenu]\"", "s2": home + "\n  @e1 combobox \"Season [has-submenu]\"",
		},
			step(trace.Hover, "s1 s1", target("e1 combobox Season [has-submenu]")),
			step(trace.Click, "s2 s2", target("- option Autumn")),
		), []string{
			`hover #1 s1 -> s1 combobox "Season [has-submenu]" optional | hover-optional`,
			`click #2 s1 -> s2 option "Autumn" opener combobox "Season [has-submenu]" | state-is-after | opener-hovered`,
		}},
		{"two menus that were pointed at", recording(home, map[string]string{
			"s1": home + "\n  @e1 button \"Options [has-submenu]\"\n  @e2 button \"Options [has-submenu]\"",
		},
			step(trace.Hover, "s1 s1", target("e1 button Options [has-submenu]")),
			step(trace.Hover, "s1 s1", target("e2 button Options [has-submenu]")),
			step(trace.Click, "s1 s1", target("- menuitem Share")),
		), []string{
			`hover #1 s1 -> s1 button "Options [has-submenu]" optional | hover-optional`,
			`hover #2 s1 -> s1 button "Options [has-submenu]" optional | hover-optional`,
			`click #3 s1 -> s1 menuitem "Share"`,
		}},
		{"calendar of a field that was pointed at", recording(home, map[string]string{"s1": home + "\n" + field},
			step(trace.Hover, "s1 s1", target("e2 textbox Note")),
			step(trace.Click, "s1 s1", target("- - 17")),
		), []string{
			`hover #1 s1 -> s1 textbox "Note" optional | hover-optional`,
			`click #2 s1 -> s1 "17" opener textbox "Note" | opener-hovered`,
		}},
		{"list whose control shows the choice afterwards", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Status [has-submenu]\"\n  @e2 combobox \"Port [has-submenu]\"",
			"s2": home + "\n  @e1 combobox \"Status [has-submenu]\" =\"Sent\"\n  @e2 combobox \"Port [has-submenu]\"",
		},
			step(trace.Click, "s1 s1", target("e1 button Go")),
			step(trace.Click, "s2 s2", target("- option Sent")),
		), []string{
			`click #1 s1 -> s1 button "Go"`,
			`click #2 s1 -> s2 option "Sent" opener combobox "Status [has-submenu]" | state-is-after | opener-shows-choice`,
		}},
		{"target that the page shows", recording(home, map[string]string{
			"s1": home + "\n  @e1 combobox \"Season [has-submenu]\"\n  @e2 option \"Autumn\"",
		},
			step(trace.Hover, "s1 s1", target("e1 combobox Season [has-submenu]")),
			step(trace.Click, "s1 s1", target("- option Autumn")),
		), []string{
			`hover #1 s1 -> s1 combobox "Season [has-submenu]" optional | hover-optional`,
			`click #2 s1 -> s1 option "Autumn"`,
		}},
		// Opening.
		{"way to the start page", recording(home, nil,
			step(trace.Navigate, "s1 s1", to("about:blank", trace.Browser)),
			step(trace.Navigate, "s1 s1", to(home, trace.UserTyped)),
			step(trace.Navigate, "s1 s1", to(home+"#/", trace.Browser)),
			step(trace.Click, "s1 s2", target("e1 button Go")),
		), []string{
			"open ? -> s1 to " + home,
			"skip #1 s1 -> s1 | blank-page", "skip #2 s1 -> s1 | start-page-again", "skip #3 s1 -> s1 | start-page-again",
			`click #4 s1 -> s2 button "Go"`,
		}},
		{"start on an empty page", recording("about:blank", map[string]string{"s1": "about:blank", "s2": list},
			step(trace.Navigate, "s1 s1", to("about:blank", trace.Browser)),
			step(trace.Navigate, "s1 s2", to(list, trace.UserTyped)),
			step(trace.Click, "s2 s2", target("e1 button Go")),
		), []string{
			"open #1 #2 ? -> s2 to " + list + " | start-page-unknown",
			`click #3 s2 -> s2 button "Go"`,
		}},
		{"start unknown, no navigation", recording("", map[string]string{"s1": list},
			step(trace.Click, "s1 s1", target("e1 button Go")),
		), []string{"open ? -> s1 to " + list + " | start-page-unknown", `click #1 s1 -> s1 button "Go"`}},
		{"typed address right after the start", recording(home, map[string]string{"s2": list},
			step(trace.Navigate, "s1 s2", to(list, trace.UserTyped)),
		), []string{"goto #1 s1 -> s2 to " + list}},

		// Navigations.
		{"causes", recording(home, map[string]string{"s2": list, "s3": other},
			step(trace.Click, "s1 s1", target("e1 button Go")),
			step(trace.Navigate, "s1 s2", to(list, trace.Link)),
			step(trace.Navigate, "s2 s2", to(list, trace.Reload)),
			step(trace.Navigate, "s2 s3", to(other, trace.UserTyped)),
			step(trace.Navigate, "s3 s2", to(list, trace.History)),
		), []string{
			`click #1 s1 -> s1 button "Go"`,
			"await #2 s1 -> s2 to " + list + " missing: navigate | effect-navigation",
			"reload #3 s2 -> s2", "goto #4 s2 -> s3 to " + other, "traverse #5 s3 -> s2 to " + list,
		}},
		{"redirects", recording(home, map[string]string{"s2": list, "s3": other},
			step(trace.Click, "s1 s1", target("e1 button Go")),
			step(trace.Navigate, "s1 s2", to(list, trace.Link)),
			step(trace.Navigate, "s2 s3", to(other, trace.Browser)),
		), []string{
			`click #1 s1 -> s1 button "Go"`,
			"await #2 #3 s1 -> s3 to " + other + " missing: navigate | effect-navigation | effect-navigation | redirects-collapsed",
		}},
		{"navigation to where the page is", recording(home, map[string]string{"s2": list},
			step(trace.Click, "s1 s2", target("e1 link List")),
			step(trace.Navigate, "s2 s2", to(list, trace.Link)),
		), []string{`click #1 s1 -> s2 link "List"`, "skip #2 s2 -> s2 | already-there"}},
		{"navigation bound to its own result", recording(home, map[string]string{"s2": list},
			step(trace.Click, "s1 s1", target("e1 link List")),
			step(trace.Navigate, "s2 s2", to(list, trace.UserTyped)),
		), []string{`click #1 s1 -> s1 link "List"`, "goto #2 s1 -> s2 to " + list + " | state-is-after"}},
		{"form without a query is not loaded directly", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Navigate, "s1 s2", to(list, trace.FormSubmit)),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "x"`,
			"await #2 s1 -> s2 to " + list + " missing: submit(#1) | effect-navigation | submit-lost | not-loaded-directly",
		}},
		{"fill that already led to the page", recording(home, map[string]string{"s2": search},
			step(trace.Fill, "s1 s2", box, value("hello world")),
			step(trace.Navigate, "s1 s2", to(search, trace.Browser)),
		), []string{
			`fill #1 s1 -> s2 searchbox "Search" value "hello world" missing: submit(#1) | submit-lost`,
			"await #2 s1 -> s2 to " + search + " missing: navigate | effect-navigation",
		}},
		{"click that explains the page", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Click, "s1 s1", target("e3 button Send")),
			step(trace.Navigate, "s1 s2", to(list, trace.Script)),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "x"`, `click #2 s1 -> s1 button "Send"`,
			"await #3 s1 -> s2 to " + list + " missing: navigate | effect-navigation",
		}},
		{"switch between fill and submission", recording(home, map[string]string{"s2": list + "?a=b"},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Click, "s1 s1", target("e3 checkbox Urgent")),
			step(trace.Navigate, "s1 s2", to(list+"?a=b", trace.FormSubmit)),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "x"`, `click #2 s1 -> s1 checkbox "Urgent"`,
			"await #3 s1 -> s2 to " + list + "?a=b missing: submit(#1) navigate | effect-navigation | submit-lost",
		}},

		// Enter.
		{"Enter with a press", recording(home, map[string]string{"s1": home + "\n" + field},
			step(trace.Fill, "s1 s1", box, value("x"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", box, key("Enter", keymap.Shift)),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "x" | one-enter`, `press #2 s1 -> s2 searchbox "Search" key ShiftEnter`,
		}},
		{"Enter with a press without target, after a hover", recording(home, nil,
			step(trace.Fill, "s1 s1", box, value("x"), commit(trace.CommitEnter)),
			step(trace.Hover, "s1 s1", target("- - Menu")),
			step(trace.Press, "s1 s2", key("Enter")),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "x" | one-enter`,
			`hover #2 s1 -> s1 "Menu" optional | hover-optional`, `press #3 s1 -> s2 key Enter`,
		}},
		{"Enter without a press", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", box, value("x"), commit(trace.CommitEnter)),
			step(trace.Navigate, "s1 s2", to(list, trace.Browser)),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "x" enter | enter-in-fill`,
			"await #2 s1 -> s2 to " + list + " missing: navigate | effect-navigation",
		}},
		{"Enter, then a press elsewhere", recording(home, nil,
			step(trace.Fill, "s1 s1", box, value("x"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", note, key("Enter")),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "x" enter | enter-in-fill`, `press #2 s1 -> s2 textbox "Note" key Enter`,
		}},
		{"Enter, then Escape", recording(home, nil,
			step(trace.Fill, "s1 s1", box, value("x"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", box, key("Escape")),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "x" enter | enter-in-fill`, `press #2 s1 -> s2 searchbox "Search" key Escape`,
		}},

		// Fills.
		{"fill after an Enter", recording(home, nil,
			step(trace.Fill, "s1 s1", note, value("a"), commit(trace.CommitEnter)),
			step(trace.Fill, "s1 s1", note, value("ab")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "a" enter | enter-in-fill`, `fill #2 s1 -> s1 textbox "Note" value "ab"`,
		}},
		{"stray empty fill", recording(home, nil,
			step(trace.Fill, "s1 s1", target("- textbox Day"), value("")),
			step(trace.Fill, "s2 s2", target("- textbox Day"), value("2026-12-24")),
		), []string{`fill #1 #2 s1 -> s2 textbox "Day" value "2026-12-24" | fills-collapsed`}},
		{"state suffix and role drift", recording(home, nil,
			step(trace.Fill, "s1 s2", target("e1 combobox Port [has-submenu]"), value("B")),
			step(trace.Fill, "s2 s3", target("e4 combobox Port [expanded]"), value("Bi")),
		), []string{`fill #1 #2 s1 -> s3 combobox "Port [expanded]" value "Bi" | fills-collapsed`}},
		{"two fields of one name in one state", recording(home, nil,
			step(trace.Fill, "s1 s1", target("e1 spinbutton Quantity"), value("1")),
			step(trace.Fill, "s1 s1", target("e2 spinbutton Quantity"), value("2")),
		), []string{`fill #1 s1 -> s1 spinbutton "Quantity" value "1"`, `fill #2 s1 -> s1 spinbutton "Quantity" value "2"`}},
		{"two fields of one name in two rows", recording(home, nil,
			step(trace.Fill, "s1 s2", target("e1 spinbutton Quantity"), context("Lamp"), value("1")),
			step(trace.Fill, "s2 s3", target("e2 spinbutton Quantity"), context("Buoy"), value("2")),
		), []string{`fill #1 s1 -> s2 spinbutton "Quantity" value "1"`, `fill #2 s2 -> s3 spinbutton "Quantity" value "2"`}},
		{"two unmatched fields of one name", recording(home, map[string]string{"s1": home + "\n  Date \"Day\"\n  Date \"Day\""},
			step(trace.Fill, "s1 s1", target("- textbox Day"), value("2026-01-01")),
			step(trace.Fill, "s1 s1", target("- textbox Day"), value("2026-02-02")),
		), []string{`fill #1 s1 -> s1 textbox "Day" value "2026-01-01"`, `fill #2 s1 -> s1 textbox "Day" value "2026-02-02"`}},
		{"fills without a name", recording(home, nil,
			step(trace.Fill, "s1 s1", target("- textbox "), value("a")),
			step(trace.Fill, "s1 s1", target("- textbox "), value("b")),
		), []string{`fill #1 s1 -> s1 textbox "" value "a"`, `fill #2 s1 -> s1 textbox "" value "b"`}},
		{"fill between", recording(home, nil,
			step(trace.Fill, "s1 s1", note, value("a")),
			step(trace.Hover, "s1 s1", target("e3 button Menu")),
			step(trace.Fill, "s1 s1", note, value("ab")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "a"`, `hover #2 s1 -> s1 button "Menu" optional | hover-optional`,
			`fill #3 s1 -> s1 textbox "Note" value "ab"`,
		}},
		{"field emptied by the page", recording(home, map[string]string{"s2": home + "\n" + field},
			step(trace.Fill, "s1 s1", note, value("hi"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", note, key("Enter")),
			step(trace.Fill, "s2 s2", note, value("")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "hi" | one-enter`, `press #2 s1 -> s2 textbox "Note" key Enter`,
			`skip #3 s2 -> s2 textbox "Note" | cleared-by-page`,
		}},
		{"field emptied by the person", recording(home, map[string]string{"s2": home + "\n  @e2 textbox \"Note\" [filled] =\"hi\""},
			step(trace.Fill, "s1 s1", note, value("hi"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", note, key("Enter")),
			step(trace.Fill, "s2 s2", note, value("")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "hi" | one-enter`, `press #2 s1 -> s2 textbox "Note" key Enter`,
			`fill #3 s2 -> s2 textbox "Note" value ""`,
		}},
		{"rich text after Enter", recording(home, map[string]string{"s3": home + "\n  @e2 textbox \"Note\" [filled] =\"onetwo\"\n    StaticText \"one\""},
			step(trace.Fill, "s1 s1", note, value("one"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", note, key("Enter")),
			step(trace.Fill, "s2 s3", note, value("onetwo")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "one" | one-enter`, `press #2 s1 -> s2 textbox "Note" key Enter`,
			`fill #3 s2 -> s3 textbox "Note" value "two" append | rich-text-appended`,
		}},
		{"plain text after Enter", recording(home, map[string]string{"s3": home + "\n  @e2 textbox \"Note\" [filled] =\"onetwo\""},
			step(trace.Fill, "s1 s1", note, value("one"), commit(trace.CommitEnter)),
			step(trace.Press, "s1 s2", note, key("Enter")),
			step(trace.Fill, "s2 s3", note, value("onetwo")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "one" | one-enter`, `press #2 s1 -> s2 textbox "Note" key Enter`,
			`fill #3 s2 -> s3 textbox "Note" value "onetwo"`,
		}},

		// Suggestions.
		{"suggestion that shows later", recording(home, map[string]string{"s3": home + "\n  @e7 searchbox \"Search\" [filled] =\"hello world\""},
			step(trace.Fill, "s1 s2", box, value("hel"), commit(trace.CommitSuggestion)),
			step(trace.Click, "s2 s3", target("e5 button Go")),
		), []string{
			`fill #1 s1 -> s2 searchbox "Search" value "hel" suggest choice "hello world" | suggestion`, `click #2 s2 -> s3 button "Go"`,
		}},
		{"suggestion that never shows", recording(home, map[string]string{"s2": home + "\n  @e7 searchbox \"Search\" [filled] =\"hel\""},
			step(trace.Fill, "s1 s2", box, value("hel"), commit(trace.CommitSuggestion)),
		), []string{`fill #1 s1 -> s2 searchbox "Search" value "hel" suggest | suggestion`}},
		{"suggestion in a masked field", recording(home, map[string]string{"s2": home + "\n  @e7 searchbox \"Search\" [filled] =\"•••\""},
			step(trace.Fill, "s1 s2", box, redacted, commit(trace.CommitSuggestion)),
		), []string{`fill #1 s1 -> s2 searchbox "Search" value "***" suggest | suggestion`}},
		{"suggestion without a step", recording(home, map[string]string{"s2": search},
			step(trace.Fill, "s1 s1", box, value("hel")),
			step(trace.Navigate, "s1 s2", to(search, trace.Browser)),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "hel" suggest choice "hello world" | suggestion-lost`,
			"await #2 s1 -> s2 to " + search + " missing: submit(#1) navigate | effect-navigation | submit-possible",
		}},
		{"redacted text is never completed", recording(home, map[string]string{"s2": list + "?q=***more"},
			step(trace.Fill, "s1 s1", box, redacted),
			step(trace.Navigate, "s1 s2", to(list+"?q=***more", trace.Browser)),
		), []string{
			`fill #1 s1 -> s1 searchbox "Search" value "***"`,
			"await #2 s1 -> s2 to " + list + "?q=***more missing: submit(#1) navigate | effect-navigation | submit-lost",
		}},

		// Clicks and hovers.
		{"label and checkbox", recording(home, nil,
			step(trace.Click, "s1 s1", target("- - I agree")),
			step(trace.Click, "s1 s1", target("e3 checkbox I agree to the terms")),
		), []string{`click #1 #2 s1 -> s1 checkbox "I agree to the terms" | label-double`}},
		{"button beside a checkbox", recording(home, nil,
			step(trace.Click, "s1 s1", target("e2 button Select")),
			step(trace.Click, "s1 s1", target("e3 checkbox Select all")),
		), []string{`click #1 s1 -> s1 button "Select"`, `click #2 s1 -> s1 checkbox "Select all"`}},
		{"checkbox clicked twice", recording(home, nil,
			step(trace.Click, "s1 s1", target("e3 checkbox Urgent")),
			step(trace.Click, "s1 s1", target("e3 checkbox Urgent")),
		), []string{`click #1 s1 -> s1 checkbox "Urgent"`, `click #2 s1 -> s1 checkbox "Urgent"`}},
		{"label in another state", recording(home, nil,
			step(trace.Click, "s1 s2", target("e2 button Urgent")),
			step(trace.Click, "s2 s2", target("e3 checkbox Urgent")),
		), []string{`click #1 s1 -> s2 button "Urgent"`, `click #2 s2 -> s2 checkbox "Urgent"`}},
		{"identical clicks", recording(home, nil,
			step(trace.Click, "s1 s1", target("e3 button Add")),
			step(trace.Click, "s1 s1", target("e3 button Add")),
		), []string{`click #1 s1 -> s1 button "Add"`, `click #2 s1 -> s1 button "Add"`}},
		{"hover of what is clicked", recording(home, nil,
			step(trace.Hover, "s1 s1", target("e3 button New [has-submenu]")),
			step(trace.Click, "s1 s1", target("e3 button New [expanded]")),
			step(trace.Hover, "s1 s1", target("- - Terms")),
			step(trace.Click, "s1 s1", target("e4 checkbox Terms")),
		), []string{
			`skip #1 s1 -> s1 button "New [has-submenu]" optional | hover-of-click`, `click #2 s1 -> s1 button "New [expanded]"`,
			`hover #3 s1 -> s1 "Terms" optional | hover-optional`, `click #4 s1 -> s1 checkbox "Terms"`,
		}},

		// Lost submissions.
		{"address changes after a switch", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Click, "s1 s2", target("e3 checkbox Remember me")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "x"`,
			`click #2 s1 -> s2 checkbox "Remember me" missing: submit(#2) | submit-lost`,
		}},
		{"address changes after a switch, nothing filled", recording(home, map[string]string{"s2": list},
			step(trace.Click, "s1 s2", target("e3 radio Newest first")),
		), []string{`click #1 s1 -> s2 radio "Newest first"`}},
		{"address changes after a switch, sent before", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Click, "s1 s1", target("e4 button Save")),
			step(trace.Click, "s1 s2", target("e3 radio Newest first")),
		), []string{
			`fill #1 s1 -> s1 textbox "Note" value "x"`, `click #2 s1 -> s1 button "Save"`, `click #3 s1 -> s2 radio "Newest first"`,
		}},
		{"only the fragment changes", recording(home, map[string]string{"s2": home + "#top"},
			step(trace.Fill, "s1 s2", note, value("x")),
		), []string{`fill #1 s1 -> s2 textbox "Note" value "x"`}},
		{"route in the fragment changes", recording(home, map[string]string{"s2": home + "#/done"},
			step(trace.Fill, "s1 s2", note, value("x")),
		), []string{`fill #1 s1 -> s2 textbox "Note" value "x" missing: submit(#1) | submit-lost`}},
		{"button leads elsewhere", recording(home, map[string]string{"s2": list},
			step(trace.Fill, "s1 s1", note, value("x")),
			step(trace.Click, "s1 s2", target("e4 button Save")),
		), []string{`fill #1 s1 -> s1 textbox "Note" value "x"`, `click #2 s1 -> s2 button "Save"`}},

		// Pages before and after.
		{"unmatched with the state after", recording(home, nil,
			step(trace.Click, "s1 s2", target("e1 button Open")),
			step(trace.Click, "s3 s3", target("- - Row")),
			step(trace.Click, "s3 s4", target("- - Row")),
			step(trace.SwitchTab, "s4 s5"),
			step(trace.Scroll, "s5 s5"),
		), []string{
			`click #1 s1 -> s2 button "Open"`, `click #2 s2 -> s3 "Row" | state-is-after`, `click #3 s3 -> s4 "Row"`,
			"switch_tab #4 s4 -> s5", "scroll #5 s5 -> s5",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			intents := Make(test.trace)
			checkCoverage(t, test.trace, intents)
			got := short(intents)
			if !strings.HasPrefix(test.want[0], "open") {
				got = got[1:]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVersion2(t *testing.T) {
	recording := recording(home, map[string]string{"s2": list, "s3": other},
		step(trace.Click, "s1 s1", target("- button Menu")),
		step(trace.Click, "s1 s2", target("- link List")),
		step(trace.Navigate, "s3 s3", to(other, "")),
	)
	recording.Version = 2
	want := []string{
		"open ? -> s1 to " + home,
		`click #1 s1 -> ? button "Menu"`, `click #2 s1 -> s2 link "List"`,
		"await #3 s2 -> s3 to " + other + " missing: navigate | effect-navigation",
	}
	if diff := cmp.Diff(want, short(Make(recording))); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestEmptyTrace(t *testing.T) {
	got := short(Make(&trace.Trace{Version: 3, StartURL: home}))
	if diff := cmp.Diff([]string{"open ? -> ? to " + home}, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// TestMakeKeepsTrace checks that planning the same recording twice gives the same plan.
func TestMakeKeepsTrace(t *testing.T) {
	recording, err := trace.Load("testdata/recordings/checkout-full")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(render(Make(recording)), render(Make(recording))); diff != "" {
		t.Errorf("second plan (-first +second):\n%s", diff)
	}
}

func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		typed  string
		values []string
		want   string
	}{
		{"hel", []string{"hello"}, "hello"},
		{"HEL", []string{"Hello"}, "Hello"},
		{"柠檬绿", []string{"柠檬绿茶"}, "柠檬绿茶"},
		{"ello", []string{"hello"}, "hello"},
		{"e", []string{"hello"}, ""},           // one letter in the middle of anything
		{"hel", []string{"hel", "hello"}, ""},  // the typed text was sent
		{"hel", []string{"hello", "help"}, ""}, // two could be meant
		{"hel", []string{"hello", "hello"}, "hello"},
		{"hel", []string{"/back?to=hello"}, ""}, // an address
		{"", []string{"hello"}, ""},
		{"hel", nil, ""},
	} {
		if got, ok := completion(test.typed, test.values); got != test.want || ok != (test.want != "") {
			t.Errorf("completion(%q, %q) = %q, %v; want %q", test.typed, test.values, got, ok, test.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct {
		a, b                string
		same, page, leaving bool
	}{
		{"http://a.example", "http://A.example/", true, true, false},
		{"http://a.example/", "http://a.example/#", true, true, false},
		{"http://a.example/", "http://a.example/#/", true, true, false},
		{"http://a.example/", "http://a.example/#x", false, true, false},
		{"http://a.example/", "http://a.example/#/x", false, false, true},
		{"http://a.example/?q=1", "http://a.example/?q=2", false, true, true},
		{"http://a.example/x", "http://a.example/y", false, false, true},
		{"http://a.example/", "https://a.example/", false, false, true},
		{"http://a.example:80%zz/", "http://a.example:80%zz/", true, true, false},
		{"about:blank", "about:blank", true, true, false},
		{"about:blank", "about:srcdoc", false, false, true},
	} {
		if got := sameAddress(test.a, test.b); got != test.same {
			t.Errorf("sameAddress(%q, %q) = %v", test.a, test.b, got)
		}
		if got := samePage(test.a, test.b); got != test.page {
			t.Errorf("samePage(%q, %q) = %v", test.a, test.b, got)
		}
		if got := left(test.a, test.b); got != test.leaving {
			t.Errorf("left(%q, %q) = %v", test.a, test.b, got)
		}
	}
	got := queryValues("http://a.example/?q=%E6%9D%AD+x&empty=&bad=%zz#/s?k=v")
	if diff := cmp.Diff([]string{"杭 x", "v"}, got); diff != "" {
		t.Errorf("queryValues (-want +got):\n%s", diff)
	}
}
