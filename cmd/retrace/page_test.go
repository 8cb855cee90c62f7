package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

func TestExplain(t *testing.T) {
	one := &replay.Explanation{Step: 2, Title: "click harbour-42", Decision: &resolve.Decision{Outcome: resolve.One, Why: "the only one"}}
	none := &replay.Explanation{Step: 2, Decision: &resolve.Decision{Outcome: resolve.Missing}, Failure: &replay.Failure{Code: replay.TargetMissing}}
	gone := &replay.Explanation{Step: 2, Failure: &replay.Failure{Code: replay.BrowserMissing}}
	tests := []struct {
		name string
		e    *replay.Explanation
		err  error
		args []string
		want int
	}{
		{"found", one, nil, nil, 0},
		{"not found", none, nil, []string{"--match", "tolerant"}, exitFailed},
		{"no browser", gone, nil, nil, exitBrowser},
		{"no such step", nil, errors.New("no step"), nil, exitUsage},
		{"json", one, nil, []string{"--json"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench()
			var got replay.Options
			b.explain = func(_ context.Context, rec *trace.Trace, o replay.Options, step int, url string) (*replay.Explanation, error) {
				if got = o; rec.Name != "cart-voucher" || step != 2 || url != "http://localhost/x" {
					t.Errorf("asked for step %d of %s at %q", step, rec.Name, url)
				}
				return tt.e, tt.err
			}
			args := append([]string{"explain", recording, "--step", "2", "--url", "http://localhost/x", "--secret", "P=env:PW", "--no-sandbox"}, tt.args...)
			if code := b.execute(t.Context(), args); code != tt.want {
				t.Fatalf("exit code %d, want %d\n%s", code, tt.want, &b.err)
			}
			if !got.NoSandbox || got.Secrets["P"] != "harbour-42" || got.Timeout != replay.DefaultTimeout {
				t.Errorf("options %+v", got)
			}
			if strings.Contains(b.out.String(), "harbour-42") {
				t.Errorf("output has the secret:\n%s", &b.out)
			}
			if tt.name == "json" {
				var e replay.Explanation
				if err := json.Unmarshal([]byte(b.out.String()), &e); err != nil || e.Decision.Outcome != resolve.One {
					t.Errorf("%v in %s", err, &b.out)
				}
			}
		})
	}
}

func TestTree(t *testing.T) {
	live := func() *axtree.Tree {
		n := &axtree.Node{Role: "button", Name: "Pay harbour-42 \u202e", Live: &axtree.Live{Tag: "button"}}
		return &axtree.Tree{URL: "http://localhost/x", Layers: []axtree.Layer{{Name: "L1", Kind: "page", Roots: []*axtree.Node{n}}}, Nodes: []*axtree.Node{n}}
	}
	b := newBench()
	b.tree = func(_ context.Context, rec *trace.Trace, _ replay.Options, step int, url string) (*axtree.Tree, error) {
		if rec == nil && url == "" || rec != nil && step != 3 {
			t.Errorf("asked for step %d of %v at %q", step, rec, url)
		}
		return live(), nil
	}
	file := filepath.Join(t.TempDir(), "tree.json")
	for _, args := range [][]string{
		{"http://localhost/x"}, {"http://localhost/x", "--json"}, {"--trace", recording, "--step", "3", "-o", file}, {"--trace", recording, "--step", "3", "-o", file},
	} {
		b.out.Reset()
		if code := b.execute(t.Context(), append([]string{"tree", "--secret", "P=env:PW"}, args...)); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, &b.err)
		}
		text := b.out.String()
		if args[0] == "--trace" {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := axtree.Decode(data); err != nil || got.Nodes[0].Name != "Pay ••• \u202e" {
				t.Errorf("saved tree: %v\n%s", err, data)
			}
			text += string(data)
		} else if !strings.Contains(text, "Pay •••") {
			t.Errorf("%v: output lacks the button:\n%s", args, text)
		}
		if strings.Contains(text, "harbour-42") || strings.Contains(text, "\u202e") {
			t.Errorf("%v: output was not cleaned:\n%s", args, text)
		}
	}
	b.tree = func(context.Context, *trace.Trace, replay.Options, int, string) (*axtree.Tree, error) {
		return nil, &replay.Failure{Code: replay.BrowserMissing, Text: "none", Hint: "install one"}
	}
	if code := b.execute(t.Context(), []string{"tree", "http://localhost/x"}); code != exitBrowser || !strings.Contains(b.err.String(), "hint: install one") {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
}
