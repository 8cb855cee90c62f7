package plan

import (
	"testing"

	"retrace/replay/trace"
)

// TestSuggestions: suggestions.
func TestSuggestions(t *testing.T) {
	checkRules(t, []rule{
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
	})
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
