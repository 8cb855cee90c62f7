package plan

import (
	"testing"

	"retrace/replay/trace"
)

// TestOpeners: openers.
func TestOpeners(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestClicksAndHovers: clicks and hovers.
func TestClicksAndHovers(t *testing.T) {
	checkRules(t, []rule{
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
	})
}
