package sample_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve/axtree"
	"retrace/resolve/sample"
)

// trees are the saved searches of the project.
const trees = "../../testdata/trees"

// TestDecisions decides every saved search again.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(trees, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no samples in %s", trees)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := sample.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			got, d := s.Decide()
			if diff := cmp.Diff(s.Want, got); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", s.Comment, diff)
			}
			chosen := 0
			for i, c := range d.Candidates {
				if c.Chosen {
					chosen++
					if i > 0 {
						t.Errorf("the chosen element is candidate %d, want it first", i)
					}
				}
			}
			if (chosen == 1) != (d.Outcome == "one") {
				t.Errorf("outcome %s with %d chosen candidates", d.Outcome, chosen)
			}
		})
	}
}

// TestRoundTrip writes what was read and compares.
func TestRoundTrip(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(trees, "frames-nested.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sample.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := sample.Format(s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(again)); diff != "" {
		t.Errorf("(-read +written)\n%s", diff)
	}
}

// TestParseErrors: a file that lacks a part says which.
func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", "", "query.json"},
		{"no tree", "-- query.json --\n{}\n", "live.json"},
		{"bad tree", "-- query.json --\n{}\n-- live.json --\n{\"nodes\":[{\"depth\":1,\"role\":\"x\"}]}\n", "node 0 is at depth 1"},
		{"no wish", "-- query.json --\n{}\n-- live.json --\n{}\n", "want.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sample.Parse([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one about %s", err, tt.want)
			}
		})
	}
}

// TestFormatNumbers: ids of a capture are replaced, the wanted element among them.
func TestFormatNumbers(t *testing.T) {
	tree, err := axtree.Decode([]byte(`{"layers":[{"name":"L1","kind":"page","roots":1}],"nodes":[
{"depth":0,"role":"RootWebArea","live":{"frame":"A9","backend":700}},
{"depth":1,"role":"button","name":"Go","live":{"frame":"B7","backend":700}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	data, err := sample.Format(&sample.Sample{Live: tree, Want: sample.Want{Outcome: "one", Frame: "B7", Backend: 700}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sample.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Live.Nodes[1].Live; n.Frame != s.Want.Frame || n.Backend != s.Want.Backend || n.Frame != "f2" || n.Backend != 2 {
		t.Errorf("the element is %s %d, the wanted one %s %d; want f2 2", n.Frame, n.Backend, s.Want.Frame, s.Want.Backend)
	}
}
