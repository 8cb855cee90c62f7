package plan

import (
	"testing"

	"retrace/replay/trace"
)

// TestSentForms: forms that were sent without leaving the page.
func TestSentForms(t *testing.T) {
	checkRules(t, []rule{
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
	})
}

// TestLostSubmissions: lost submissions.
func TestLostSubmissions(t *testing.T) {
	checkRules(t, []rule{
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
	})
}
