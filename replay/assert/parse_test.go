package assert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	s, err := Parse([]byte("\ufeff"+`{"assertions": [
  {"after": 4, "text": "Thank you"},
  {"url": "/orders/*"},
  {"title": "Orders"},
  {"role": "button", "name": "Pay", "state": "disabled"},
  {"name": "Email", "value": ""},
  {"role": "alert", "absent": true}
]}`), "a.json")
	if err != nil {
		t.Fatal(err)
	}
	want := &Set{File: "a.json", Assertions: []Assertion{
		{Line: 2, After: 4, Text: "Thank you"}, {Line: 3, URL: "/orders/*"}, {Line: 4, Title: "Orders"},
		{Line: 5, Role: "button", Name: "Pay", State: Disabled}, {Line: 6, Name: "Email", Value: new("")}, {Line: 7, Role: "alert", Absent: true},
	}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0}, s.At(3, 4)); diff != "" {
		t.Errorf("after step 4 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4, 5}, s.At()); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
	if err := s.Check([]int{1, 2}); err == nil || err.Error() != "a.json: line 2: assertions[0].after: the recording has no step 4" {
		t.Errorf("Check = %v", err)
	}
	if err := s.Check([]int{4}); err != nil {
		t.Errorf("Check = %v", err)
	}
	var none *Set
	if none.At() != nil || none.Check(nil) != nil || none.Moved(nil) != nil {
		t.Error("no set has something")
	}
}

// All problems are told at once, with line and field.
func TestParseProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"syntax", "{\n \"assertions\": [,]\n}", []string{"f: line 2: is not valid JSON at column 17: invalid character ',' looking for beginning of value"}},
		{"not an object", `[]`, []string{"f: line 1: is an array, want an object"}},
		{"nothing", `{}`, []string{"f: line 1: assertions: is missing"}},
		{"empty", `{"assertions": []}`, []string{"f: line 1: assertions: is empty: nothing would be asserted"}},
		{"typos", "{\"asertions\": [],\n\"assertions\": [\n{\"txet\": \"x\"},\n{\"role\": \"button\", \"state\": \"chekced\"},\n{\"zzz\": 1}]}", []string{
			`f: line 1: asertions: is not known; did you mean "assertions"?`,
			`f: line 3: assertions[0].txet: is not known; did you mean "text"?`,
			`f: line 4: assertions[1].state: is "chekced", want one of checked, unchecked, mixed, enabled, disabled, expanded, collapsed, selected, unselected, pressed, unpressed, readonly, focused; did you mean "checked"?`,
			`f: line 5: assertions[2].zzz: is not known`,
		}},
		{"types", `{"assertions": [3, {"after": "4", "text": 1}, {"after": 0, "text": " "}, {"after": 1.5, "role": "x", "absent": "yes"}, {"name": "n", "value": 5}]}`, []string{
			"f: line 1: assertions[0]: is a number, want an object",
			"f: line 1: assertions[1].text: is a number, want a string",
			"f: line 1: assertions[1].after: is a string, want a number",
			"f: line 1: assertions[2].text: is empty",
			"f: line 1: assertions[2].after: is 0, want the id of a step (1, 2 …)",
			"f: line 1: assertions[3].after: is 1.5, want the id of a step (1, 2 …)",
			"f: line 1: assertions[3].absent: is a string, want a boolean",
			"f: line 1: assertions[4].value: is a number, want a string",
		}},
		{"sense", `{"assertions": [{"after": 1}, {"text": "a", "url": "b"}, {"url": "/", "absent": true}, {"text": "a", "state": "checked"}, {"text": "a", "value": "x"}, {"name": "a", "absent": true, "value": "x"}, {"name": "a", "state": "checked", "value": "x"}]}`, []string{
			"f: line 1: assertions[0]: says nothing: it needs url, title, text, or role and name",
			"f: line 1: assertions[1]: has url and text: one entry asserts one thing",
			"f: line 1: assertions[2].absent: goes with text, or with role and name",
			"f: line 1: assertions[3].state: goes with role and name",
			"f: line 1: assertions[4].value: goes with role and name",
			"f: line 1: assertions[5].absent: an element that is absent has neither state nor value",
			"f: line 1: assertions[6]: has state and value: one entry asserts one thing",
		}},
		{"twice", `{"assertions": [{"text": "a", "text": "b"}]}`, []string{`f: line 1: is not valid JSON at column 31: the key "text" is there a second time`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse([]byte(tt.text), "f")
			if err == nil {
				t.Fatalf("got %+v", s)
			}
			if diff := cmp.Diff(tt.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if s, err := LoadBundle(dir); s != nil || err != nil {
		t.Errorf("a bundle without assertions gives %v, %v", s, err)
	}
	file := filepath.Join(dir, BundleFile)
	if err := os.WriteFile(file, []byte(`{"assertions": [{"text": "a"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]func() (*Set, error){"Load": func() (*Set, error) { return Load(file) }, "LoadBundle": func() (*Set, error) { return LoadBundle(dir) }} {
		if s, err := load(); err != nil || len(s.Assertions) != 1 || s.File != file {
			t.Errorf("%s = %+v, %v", name, s, err)
		}
	}
	outside := filepath.Join(t.TempDir(), "bundle")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, filepath.Join(outside, BundleFile)); err != nil {
		t.Skip(err)
	}
	if s, err := LoadBundle(outside); err == nil {
		t.Errorf("a link out of the bundle was followed: %+v", s)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"assertions": [{"after": 4, "text": "Thank you"}]}`))
	f.Add([]byte(`{"assertions": [{"role": "button", "state": "x"}, 3]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data, "f")
		if (s == nil) == (err == nil) {
			t.Errorf("%v and %v", s, err)
		}
	})
}
