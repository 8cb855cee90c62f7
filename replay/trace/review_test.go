package trace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReview has a recording with one thing in it that will be hard, and what is said of it.
func TestReview(t *testing.T) {
	const (
		head = `{"version": 3, "entry": {"start_url": "http://a/"}, "states": [{"id": "s1", "url": "http://a/", "body": "`
		text = `L1 page\n  @e1 button \"Save\"\n  @e2 button \"Save\"\n  @e3 combobox \"Size [has-submenu]\"\n  @e4 link \"Home\"\n`
		tail = `"}], "steps": [`
		step = `{"id": 1, "state": "s1", "result": {"state": "s1"}, `
	)
	for _, tt := range []struct{ name, recording, want string }{
		{"nothing", head + text + tail + step + `"op": "click", "target": {"ref": "e4", "role": "link", "name": "Home"}}]}`, ""},
		{"no steps", head + text + tail + `]}`, "t.json has no steps: there is nothing to replay"},
		{"start", strings.Replace(head, "http://a/", "about:blank", 1) + text + tail + step + `"op": "scroll"}]}`,
			`t.json: entry.start_url is "about:blank", which is not a web address (http or https)`},
		{"no page text", head + tail + step + `"op": "click", "target": {"ref": "e4", "role": "link", "name": "Home"}}]}`,
			"t.json: state s1 has no page text: its elements are found by role and name alone, and what should be seen on it is not known"},
		{"truncated", head + text + `", "truncated": true, "x": "` + tail + step + `"op": "scroll"}]}`,
			"t.json: state s1 was cut short by the recorder: what came further down on the page is not known"},
		{"unmatched", head + text + tail + step + `"op": "click", "target": {"role": "button", "name": "Buy", "unmatched": true}}]}`,
			`t.json: step 1: click: target button "Buy" was not matched to the page text: it is found by role and name alone`},
		{"unmatched, no role", head + text + tail + step + `"op": "hover", "target": {"name": "Buy", "unmatched": true}}]}`,
			`t.json: step 1: hover: target element "Buy" was not matched to the page text: it is found by role and name alone`},
		{"unmatched, no name", head + text + tail + step + `"op": "fill", "value": "", "target": {"role": "textbox", "unmatched": true}}]}`,
			"t.json: step 1: fill: target is a textbox without a name, and was not matched to the page text"},
		{"unmatched, several", head + text + tail + step + `"op": "click", "target": {"role": "button", "name": "Save", "unmatched": true}}]}`,
			`t.json: step 1: click: target button "Save" was not matched to the page text, where 2 lines are equal to it`},
		{"says nothing", head + text + tail + step + `"op": "click", "target": {"unmatched": true}}]}`,
			"t.json: step 1: click: target says nothing about the element: the step cannot be replayed as it is"},
		{"no reference, several", head + text + tail + step + `"op": "click", "target": {"role": "button", "name": "Save"}}]}`,
			`t.json: step 1: click: target button "Save" has no reference, and 2 lines of state s1 are equal to it`},
		{"no reference, none", head + text + tail + step + `"op": "click", "target": {"role": "button", "name": "Buy"}}]}`,
			`t.json: step 1: click: target button "Buy" is not in the page text of state s1`},
		{"no such reference", head + text + tail + step + `"op": "click", "target": {"ref": "e9", "role": "button", "name": "Save"}}]}`,
			"t.json: step 1: click: target @e9 is not in the page text of state s1"},
		{"reference to another line", head + text + tail + step + `"op": "click", "target": {"ref": "e4", "role": "button", "name": "Save"}}]}`,
			`t.json: step 1: click: target button "Save" has the reference @e4, which is link "Home" in state s1`},
		{"state of a popup changed", head + text + tail + step +
			`"op": "click", "target": {"ref": "e3", "role": "combobox", "name": "Size [expanded]"}}]}`, ""},
		{"redacted", head + text + tail + step +
			`"op": "fill", "value": "***", "redacted": true, "target": {"ref": "e3", "role": "combobox", "name": "Size"}}]}`,
			`t.json: step 1: fill: value was not recorded (redacted): supply it as the secret "Size" or "1"`},
		{"redacted, no name", head + text + tail + step +
			`"op": "fill", "value": "***", "redacted": true, "target": {"ref": "e3", "role": "combobox"}}]}`,
			`t.json: step 1: fill: value was not recorded (redacted): supply it as the secret "1"`},
		{"suggestion", head + text + tail + step + `"op": "fill", "value": "M", "commit": "suggestion", "target": {"ref": "e3"}}]}`,
			"t.json: step 1: fill: commit is suggestion: which suggestion was chosen is not recorded"},
		{"no selection", head + text + tail + step + `"op": "select", "selection": [], "target": {"ref": "e3"}}]}`,
			"t.json: step 1: select: selection was not recorded (redacted, or nothing was left selected)"},
		{"lost action", head + text + tail + step + `"op": "navigate", "to": "http://a/b", "cause": "form_submit"}]}`,
			"t.json: step 1: navigate: cause is form_submit: the page probably came from an action that was not recorded"},
		{"address", head + text + tail + step + `"op": "navigate", "to": "file:///etc/passwd", "cause": "user_typed"}]}`,
			`t.json: step 1: navigate: to is "file:///etc/passwd", which is not a web address (http or https)`},
		{"blank page", head + text + tail + step + `"op": "navigate", "to": "about:blank", "cause": "history"}]}`, ""},
		{"key", head + text + tail + step + `"op": "press", "key": "Entr"}]}`,
			`t.json: step 1: press: key is "Entr", which is not the name of a key`},
		{"control characters", head + text + tail + step + `"op": "click", "target": {"ref": "e\u001b"}}]}`,
			`t.json: step 1: click: target @"e\x1b" is not in the page text of state s1`},
		{"version 2", `{"entry": {"start_url": "http://a/"}, "pages": [{"id": "p1", "url": "http://a/"}],
			"steps": [{"id": 1, "op": "click", "page": "p1", "target": {"tag": "a", "role": "img"}}]}`,
			"t.json is of version 2: it has no page texts, so that only addresses and fields can be verified\n" +
				"t.json: step 1: click: target is an img without a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := Decode([]byte(tt.recording), "t.json", nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range Review(tr) {
				got = append(got, p.String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
