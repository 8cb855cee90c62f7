package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxText is where the recorder cuts a page text, in bytes.
const maxText = 12_000

// refs numbers the elements of one page text.
type refs struct{ known map[string]string }

func newRefs() *refs { return &refs{map[string]string{}} }

// of is the mark of an element before its line, such as "@e3".
func (r *refs) of(role, name string) string {
	key := role + " " + name
	if r.known[key] == "" {
		r.known[key] = fmt.Sprint("e", len(r.known)+1)
	}
	return "@" + r.known[key]
}

// recording is a recording in the making, in the form of trace.json.
type recording struct {
	start         string
	states, steps []map[string]any
	texts         []string
	refs          []*refs
}

// state adds a recorded page and gives its number. lines makes the text of the page.
func (r *recording) state(url, title string, lines func(*refs) []string) int {
	n := len(r.states) + 1
	refs := newRefs()
	var b strings.Builder
	fmt.Fprintf(&b, "# bsk-observation 1\nstate: \"s%d\"\nurl: %q\ntitle: %q\n---\n@vom 1\n@view 1280x720\n@layers 1 focus=L1\nL1 page\n  RootWebArea %q\n", n, url, title, title)
	cut := false
	for _, l := range lines(refs) {
		if cut = b.Len()+len(l) > maxText; cut {
			break
		}
		b.WriteString("    " + l + "\n")
	}
	s := map[string]any{"id": fmt.Sprint("s", n), "url": url, "title": title, "page": fmt.Sprintf("s%d.txt", n)}
	if cut {
		s["truncated"] = true
	}
	r.states, r.texts, r.refs = append(r.states, s), append(r.texts, b.String()), append(r.refs, refs)
	return n
}

// step adds a step that was done in one recorded page and led to another.
func (r *recording) step(op string, before, after int, role, name string, more map[string]any) {
	s := map[string]any{
		"op": op, "id": len(r.steps) + 1, "state": fmt.Sprint("s", before), "result": map[string]any{"state": fmt.Sprint("s", after)},
		"target": map[string]any{"ref": r.refs[before-1].of(role, name)[1:], "role": role, "name": name},
	}
	for k, v := range more {
		s[k] = v
	}
	r.steps = append(r.steps, s)
}

// write writes the bundle into dir.
func (r *recording) write(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "states"), 0o755); err != nil {
		return err
	}
	for i, text := range r.texts {
		if err := os.WriteFile(filepath.Join(dir, "states", fmt.Sprintf("s%d.txt", i+1)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(map[string]any{
		"version": 3, "recorded_at": "2026-01-01T00:00:00.000Z", "stopped_by": "user_finish", "entry": map[string]any{"start_url": r.start},
		"recorder": map[string]any{"bsk": "0.1.6", "vom": 1}, "states": r.states, "steps": r.steps,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "trace.json"), append(data, '\n'), 0o644)
}
