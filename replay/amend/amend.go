// Package amend writes corrections of recorded targets as a patch of the recording, for a person to review. It never changes
// a recording: what it makes is a unified diff.
//
// Only the values that are corrected differ; everything else in the file keeps its bytes, however it was written. The
// diff is applied like any other, in the directory of the recording: patch -p1 < FILE, or git apply.
package amend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/aymanbagabas/go-udiff"

	"retrace/replay/jsonast"
)

// Change corrects one field of the target of a recorded step.
type Change struct {
	// Step is the id of the step, Field the key in its target ("role", "name").
	Step  int
	Field string
	// From is what the recording says, To what it should say.
	From, To string
}

// Diff returns a unified diff that makes the changes in a recording; data is its JSON, file its base name. The diff is empty
// when there are no changes. The error names the change that the recording does not have room for.
func Diff(data []byte, file string, changes []Change) (string, error) {
	changed, err := apply(data, changes)
	if err != nil {
		return "", fmt.Errorf("patch of %s: %w", file, err)
	}
	return udiff.Unified("a/"+file, "b/"+file, string(data), string(changed)), nil
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       []byte
}

func apply(data []byte, changes []Change) ([]byte, error) {
	body := bytes.TrimPrefix(data, []byte("\ufeff"))
	skipped := len(data) - len(body)
	root, err := jsonast.Parse(body)
	if err != nil {
		return nil, err
	}
	steps, err := stepsOf(root)
	if err != nil {
		return nil, err
	}
	var edits []edit
	for _, c := range changes {
		v := steps[c.Step].Get("target").Get(c.Field)
		if v == nil || v.Kind != jsonast.String {
			return nil, fmt.Errorf("step %d has no target with a %s", c.Step, c.Field)
		}
		if v.Text != c.From {
			return nil, fmt.Errorf("the %s of step %d is %q, not %q", c.Field, c.Step, v.Text, c.From)
		}
		text, err := quoted(c.To)
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit{skipped + v.Start, skipped + v.End, text})
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	out := slices.Clone(data)
	for i, e := range edits { // from the end, so that the offsets before stay right
		if i > 0 && e.start == edits[i-1].start {
			return nil, errors.New("one field is changed twice")
		}
		out = slices.Concat(out[:e.start], e.text, out[e.end:])
	}
	return out, nil
}

// stepsOf gives the steps of a recording by their ids. The recording may be wrapped in the answer of the recorder.
func stepsOf(root *jsonast.Value) (map[int]*jsonast.Value, error) {
	for v := root; v != nil; {
		if list := v.Get("steps"); list != nil {
			out := map[int]*jsonast.Value{}
			for _, s := range list.Items {
				if id := s.Get("id"); id != nil {
					if n, err := strconv.Atoi(id.Text); err == nil {
						out[n] = s
					}
				}
			}
			return out, nil
		}
		inner := v.Get("trace")
		if inner == nil {
			inner = v.Get("result")
		}
		v = inner
	}
	return nil, errors.New("holds no steps")
}

// quoted writes a JSON string in which < > & stay readable.
func quoted(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("text %q: %w", s, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
