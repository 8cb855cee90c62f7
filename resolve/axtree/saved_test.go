package axtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSavedPages: a recorded page that is saved and read again is the same page.
func TestSavedPages(t *testing.T) {
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		before := Parse(string(text))
		data, err := Encode(before)
		if err != nil {
			t.Fatal(err)
		}
		after, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(outline(before), outline(after)); diff != "" {
			t.Errorf("%s (-before +after)\n%s", f, diff)
		}
		for i, n := range after.Nodes {
			if n.Index != i {
				t.Fatalf("%s: node %d has the index %d", f, i, n.Index)
			}
		}
	}
}

// TestSavedLive: what only a live page knows is kept, the session is not.
func TestSavedLive(t *testing.T) {
	root := &Node{Role: "RootWebArea", Live: &Live{Frame: "f1", Backend: 1}}
	button := &Node{Role: "button", Name: "\"nodes\":null", Parent: root, Index: 1, Live: &Live{Frame: "f1", Backend: 2, Clipped: true, Names: []string{"Go"}, W: 3.5}}
	root.Children = []*Node{button}
	tree := &Tree{
		URL: "http://x.test/?\"nodes\":null", Focus: "L1", Nodes: []*Node{root, button}, Layers: []Layer{{Name: "L1", Kind: "page", Roots: []*Node{root}}},
		Hidden: []Hidden{{Node: &Node{Role: "link", Live: &Live{Backend: 3, DOMName: "Menu"}}, Above: []*Live{{Backend: 2}}}},
	}
	data, err := Encode(tree)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if got.URL != tree.URL || len(got.Nodes) != 2 || got.Nodes[1].Parent != got.Nodes[0] {
		t.Fatalf("read %q with %d nodes", got.URL, len(got.Nodes))
	}
	if diff := cmp.Diff(button.Live, got.Nodes[1].Live); diff != "" {
		t.Errorf("(-saved +read)\n%s", diff)
	}
	if h := got.Hidden; len(h) != 1 || h[0].Node.Live.DOMName != "Menu" || h[0].Above[0].Backend != 2 {
		t.Errorf("hidden elements are %+v", h)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"no json", "x", "decoding a saved tree"},
		{"a gap in depth", `{"layers":[{"name":"L1","roots":1}],"nodes":[{"depth":0,"role":"a"},{"depth":2,"role":"b"}]}`, "node 1 is at depth 2"},
		{"a negative depth", `{"nodes":[{"depth":-1,"role":"a"}]}`, "node 0 is at depth -1"},
		{"too many roots", `{"layers":[{"name":"L1","roots":2}],"nodes":[{"depth":0,"role":"a"}]}`, "layer L1 has 2 roots"},
		{"nodes without a layer", `{"nodes":[{"depth":0,"role":"a"}]}`, "belong to no layer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Decode([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
