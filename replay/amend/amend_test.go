package amend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const recording = `{
  "version": 3,
  "steps": [
    {"op": "click", "id": 1, "target": {"role": "button", "name": "Save"}},
    {"op": "click", "id": 2,
      "target": {
        "role":   "button",
        "name": "\u0041dd & go"
      }
    }
  ]
}
`

func TestDiff(t *testing.T) {
	got, err := Diff([]byte(recording), "trace.json", []Change{{1, "name", "Save", `Store "it"`}, {2, "name", "Add & go", "Add <now> & go"}, {2, "role", "button", "link"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `--- a/trace.json
+++ b/trace.json
@@ -1,11 +1,11 @@
 {
   "version": 3,
   "steps": [
-    {"op": "click", "id": 1, "target": {"role": "button", "name": "Save"}},
+    {"op": "click", "id": 1, "target": {"role": "button", "name": "Store \"it\""}},
     {"op": "click", "id": 2,
       "target": {
-        "role":   "button",
-        "name": "\u0041dd & go"
+        "role":   "link",
+        "name": "Add <now> & go"
       }
     }
   ]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if none, err := Diff([]byte(recording), "trace.json", nil); none != "" || err != nil {
		t.Errorf("no changes give %q, %v", none, err)
	}
}

// The patch can be applied with the usual tool, also to a recording without a last line break.
func TestDiffApplies(t *testing.T) {
	tool, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch(1) here")
	}
	for name, text := range map[string]string{
		"indented": recording, "wrapped": "\ufeff" + `{"result": {"trace": {"steps": [{"id": 2, "target": {"name": "Add & go"}}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "trace.json")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			diff, err := Diff([]byte(text), "trace.json", []Change{{2, "name", "Add & go", "Go"}})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), tool, "-p1")
			cmd.Dir, cmd.Stdin = dir, strings.NewReader("# some words before\n"+diff)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, diff)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.NewReplacer(`"Add & go"`, `"Go"`, `"\u0041dd & go"`, `"Go"`).Replace(text)
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffErrors(t *testing.T) {
	tests := []struct {
		text   string
		change []Change
		want   string
	}{
		{recording, []Change{{3, "name", "a", "b"}}, "patch of f: step 3 has no target with a name"},
		{recording, []Change{{1, "ctx", "a", "b"}}, "patch of f: step 1 has no target with a ctx"},
		{recording, []Change{{1, "name", "a", "b"}}, `patch of f: the name of step 1 is "Save", not "a"`},
		{recording, []Change{{1, "name", "Save", "b"}, {1, "name", "Save", "c"}}, "patch of f: one field is changed twice"},
		{`{"a": 1}`, nil, "patch of f: holds no steps"},
		{`{`, nil, "patch of f: line 1, column 1: unexpected end of JSON input"},
	}
	for _, tt := range tests {
		if _, err := Diff([]byte(tt.text), "f", tt.change); err == nil || err.Error() != tt.want {
			t.Errorf("%v: %v, want %s", tt.change, err, tt.want)
		}
	}
}
