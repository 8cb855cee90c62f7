package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

//go:embed index/mutate.js
var mutateScript string

// TestIndexKeepsUp: the index of a large page, kept up to date by what it is told of changes, gives the same answers as one that is made
// anew, whatever is done to the page: text, attributes, labels, ids, shadow trees, subtrees that go, change and come back.
func TestIndexKeepsUp(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	source, err := os.ReadFile("../replay/js/index.js")
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(string(source))
	if err != nil {
		t.Fatal(err)
	}
	seeds, rounds := 4, 30
	if os.Getenv(thoroughEnv) != "" {
		seeds, rounds = 100, 80
	}
	page := newPage(t)
	matched := 0
	for seed := 1; seed <= seeds; seed++ {
		world, err := page.World(t.Context(), page.MainFrame())
		if err != nil {
			t.Fatal(err)
		}
		res, err := cdp.Call(t.Context(), page.Session(), runtime.Evaluate, runtime.EvaluateParams{
			Expression: fmt.Sprintf("delete globalThis[Symbol.for('retrace.index')]; (%s)(%d, %s, %d)", mutateScript, seed*7919, quoted, rounds),
			ContextID:  world, ReturnByValue: new(true),
		})
		if err != nil {
			t.Fatal(err)
		}
		if res.ExceptionDetails != nil {
			t.Fatalf("seed %d: %s %s", seed, res.ExceptionDetails.Text, res.ExceptionDetails.Exception.Description)
		}
		var got struct {
			Matched int               `json:"matched"`
			Bad     []json.RawMessage `json:"bad"`
		}
		if err := json.Unmarshal(res.Result.Value, &got); err != nil {
			t.Fatal(err)
		}
		matched += got.Matched
		for _, b := range got.Bad {
			t.Errorf("seed %d: %s", seed, b)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d elements were found", matched)
	if matched == 0 {
		t.Error("no element was ever found: the comparison says nothing")
	}
}
