package plan

import (
	"testing"

	"retrace/keymap"
	"retrace/replay/trace"
)

// TestOptionsByKeys: options picked with the arrow keys.
func TestOptionsByKeys(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestEnter: enter.
func TestEnter(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestFills: fills.
func TestFills(t *testing.T) {
	checkRules(t, []rule{
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
	})
}
