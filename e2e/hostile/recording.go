package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Step is a recorded step, with the keys of a recording's step.
type Step map[string]any

// State is a recorded page.
type State struct {
	URL, Title string
	// Lines are its page text below the root, each with its indentation: `@e1 button "Go"`.
	Lines []string
}

// Recording is a recording as a test makes it up. States are called s1, s2 and so on.
type Recording struct {
	Start  string
	States []State
	Steps  []Step
}

// Click is the recording of one click on the button "Go" of the page at url, after which the heading "Done" is there.
func Click(url string) Recording {
	return ClickOn(url, "Go")
}

// ClickOn is [Click] for a button of another name.
func ClickOn(url, name string) Recording {
	button := fmt.Sprintf("@e1 button %s", quote(name))
	return Recording{
		Start: url,
		States: []State{
			{URL: url, Title: "Trial", Lines: []string{`heading "Trial"`, button}},
			{URL: url, Title: "Trial", Lines: []string{`heading "Trial"`, button, `heading "Done"`}},
		},
		Steps: []Step{{"op": "click", "state": "s1", "result": map[string]any{"state": "s2"}, "target": map[string]any{"ref": "e1", "role": "button", "name": name}}},
	}
}

// Form is the recording of a name and a size that are entered before the button "Go" of the page at url is clicked.
func Form(url string) Recording {
	page := func(name, size, more string) State {
		lines := []string{`heading "Trial"`, "@e1 textbox \"Name\" " + name, "@e2 combobox \"Size\" " + size, `@e3 button "Go"`}
		if more != "" {
			lines = append(lines, more)
		}
		return State{URL: url, Title: "Trial", Lines: lines}
	}
	step := func(op, ref, role, name string, n int) Step {
		return Step{"op": op, "state": fmt.Sprintf("s%d", n), "result": map[string]any{"state": fmt.Sprintf("s%d", n+1)}, "target": map[string]any{"ref": ref, "role": role, "name": name}}
	}
	fill := step("fill", "e1", "textbox", "Name", 1)
	fill["value"], fill["commit"] = "Ada", "blur"
	choose := step("select", "e2", "combobox", "Size", 2)
	choose["selection"] = []map[string]any{{"value": "large", "label": "large"}}
	return Recording{
		Start: url,
		States: []State{
			page("[empty]", `="small"`, ""), page(`[filled] ="Ada"`, `="small"`, ""),
			page(`[filled] ="Ada"`, `="large"`, ""), page(`[filled] ="Ada"`, `="large"`, `heading "Done"`),
		},
		Steps: []Step{fill, choose, step("click", "e3", "button", "Go", 3)},
	}
}

// Login is the recording of a password that is entered on the page at url before the button "Go" is clicked. The field and the
// button may be in a frame of the page. The recording does not hold the password.
func Login(url string, framed bool) Recording {
	page := func(value, more string) State {
		lines := []string{`heading "Trial"`}
		indent := ""
		if framed {
			lines = append(lines, `Iframe ""`, `  heading "Trial"`)
			indent = "  "
		}
		for _, line := range []string{`@e1 textbox "Password" ` + value, `@e2 button "Go"`, more} {
			if line != "" {
				lines = append(lines, indent+line)
			}
		}
		return State{URL: url, Title: "Trial", Lines: lines}
	}
	return Recording{
		Start:  url,
		States: []State{page("[empty]", ""), page(`[filled] ="•••"`, ""), page(`[filled] ="•••"`, `heading "Done"`)},
		Steps: []Step{
			{
				"op": "fill", "state": "s1", "result": map[string]any{"state": "s2"}, "value": "***", "redacted": true, "commit": "blur",
				"target": map[string]any{"ref": "e1", "role": "textbox", "name": "Password"},
			},
			{"op": "click", "state": "s2", "result": map[string]any{"state": "s3"}, "target": map[string]any{"ref": "e2", "role": "button", "name": "Go"}},
		},
	}
}

// Write puts the recording into a file of the form that holds everything in one.
func (r Recording) Write(file string) error {
	states := make([]map[string]any, len(r.States))
	for i, s := range r.States {
		states[i] = map[string]any{"id": fmt.Sprintf("s%d", i+1), "url": s.URL, "title": s.Title, "body": s.body(i + 1)}
	}
	for i, s := range r.Steps {
		s["id"] = i + 1
	}
	data, err := json.Marshal(map[string]any{
		"version": 3, "recorded_at": "2026-09-01T10:00:00.000Z", "stopped_by": "user_finish", "entry": map[string]any{"start_url": r.Start},
		"recorder": map[string]any{"bsk": "0.2.1", "vom": 1}, "states": states, "steps": r.Steps,
	})
	if err != nil {
		return fmt.Errorf("recording of %s: %w", r.Start, err)
	}
	return os.WriteFile(file, data, 0o600)
}

func (s State) body(id int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# bsk-observation 1\nstate: \"s%d\"\nurl: %s\ntitle: %s\n---\n@vom 1\n@view 1280x720\n@layers 1 focus=L1\nL1 page\n", id, quote(s.URL), quote(s.Title))
	fmt.Fprintf(&b, "  RootWebArea %s\n", quote(s.Title))
	for _, line := range s.Lines {
		fmt.Fprintf(&b, "    %s\n", line)
	}
	return b.String()
}

// quote writes a text as a page text does.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return string(data)
}
