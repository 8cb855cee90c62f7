package plan

import (
	"testing"

	"retrace/replay/trace"
)

// TestLatePages: pages that the recorder did not see in time.
func TestLatePages(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestPagesOnBothSides: pages before and after.
func TestPagesOnBothSides(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestOpening: opening.
func TestOpening(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestNavigations: navigations.
func TestNavigations(t *testing.T) {
	checkRules(t, []rule{
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
	})
}
