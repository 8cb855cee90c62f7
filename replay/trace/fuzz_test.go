package trace

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode checks that nothing makes the decoder panic, that there is either a whole recording or an Errors, and that
// what was read is no larger than what it was read from.
func FuzzDecode(f *testing.F) {
	for _, dir := range bundles(f) {
		data, err := os.ReadFile(filepath.Join(dir, "trace.json"))
		if err != nil {
			f.Fatal(err)
		}
		text, _ := os.ReadFile(filepath.Join(dir, "states", "s1.txt"))
		f.Add(data, text)
	}
	f.Add([]byte(sample), []byte("L1 page\n"))
	f.Add([]byte(sampleV2), []byte(""))
	f.Add([]byte(`{"result": {"trace": {"version": 4, "states": [], "steps": []}}}`), []byte("main\n"))
	f.Fuzz(func(t *testing.T, data, text []byte) {
		files := fstest.MapFS{"s1.txt": {Data: text}, "s2.txt": {Data: text}}
		got, err := Decode(data, "fuzz.json", files)
		if err != nil {
			var problems Errors
			if got != nil || !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("%v is no Errors, or there is a trace besides: %v", err, got)
			}
			for _, p := range problems {
				if strings.ContainsAny(p.String(), "\n\x1b") {
					t.Errorf("problem is not one plain line: %q", p)
				}
			}
			return
		}
		checkWhole(t, got)
		if len(got.Steps) > len(data) || len(got.States) > len(data) {
			t.Errorf("%d steps and %d states from %d bytes", len(got.Steps), len(got.States), len(data))
		}
		for _, p := range Review(got) {
			if strings.ContainsAny(p.Text, "\n") {
				t.Errorf("problem is not one line: %q", p)
			}
		}
	})
}

// checkWhole fails for a recording that lacks what every recording has.
func checkWhole(t *testing.T, tr *Trace) {
	t.Helper()
	known := map[*State]bool{}
	for _, s := range tr.States {
		known[s] = true
		if s.Tree == nil || s.ID == "" {
			t.Errorf("state %q has no tree or no id", s.ID)
		} else if len(s.Tree.Nodes) > strings.Count(s.Body, "\n")+1 {
			t.Errorf("%d nodes from %d lines", len(s.Tree.Nodes), strings.Count(s.Body, "\n")+1)
		}
	}
	for i, s := range tr.Steps {
		if !known[s.State] || !known[s.Result] || s.Op == "" || tr.Version == 3 && s.ID != i+1 {
			t.Errorf("step %d (%s) is not whole", s.ID, s.Op)
		}
	}
}

// FuzzValue compares the reading of JSON values with that of the standard library.
func FuzzValue(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, "x]\"", {"b": null}], "c\u0064": -1e5 , "a": {} }`, `[]`, `[ ]`, `[[],[[]]]`, `{}`, `"\\"`, ` 12 `, `{"":""}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) || !utf8.Valid(data) {
			return // values are parts of a valid text
		}
		v := topValue(data)
		switch v.kind() {
		case "an object":
			var want map[string]json.RawMessage
			if err := json.Unmarshal(data, &want); err != nil {
				t.Skip(err)
			}
			names := make([]string, 0, len(want))
			for name := range want {
				names = append(names, name)
			}
			got := map[string]json.RawMessage{}
			fields := v.pick(names...)
			for _, name := range names {
				if field, ok := fields.get(name); ok {
					got[name] = json.RawMessage(field)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		case "an array":
			var want, got []json.RawMessage
			if err := json.Unmarshal(data, &want); err != nil {
				t.Skip(err)
			}
			for _, e := range v.elements() {
				got = append(got, json.RawMessage(e))
			}
			if len(want) != len(got) {
				t.Fatalf("%d elements, want %d", len(got), len(want))
			}
			for i := range want {
				if string(want[i]) != string(got[i]) {
					t.Errorf("element %d is %s, want %s", i, got[i], want[i])
				}
			}
		case "a string":
			var want string
			if err := json.Unmarshal(data, &want); err != nil {
				t.Skip(err)
			}
			if got := v.text(); got != want {
				t.Errorf("text is %q, want %q", got, want)
			}
		}
	})
}
