package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"retrace/e2e/harness"
)

// TestStirsAreTold: what waits for something to happen on a page is told of it: of a change in the document, in a shadow tree, of
// one that came before it began to wait, and by the browser of a request that ends. The wait has no end of its own here.
func TestStirsAreTold(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	source, err := os.ReadFile("../replay/js/stir.js")
	if err != nil {
		t.Fatal(err)
	}
	server := harness.Serve(fstest.MapFS{"page.html": {Data: []byte(`<!doctype html><title>Page</title><body>`)}})
	defer server.Close()
	page := newPage(t)
	if err := page.Navigate(t.Context(), server.URL+"/page.html"); err != nil {
		t.Fatal(err)
	}
	world, err := page.World(t.Context(), page.MainFrame())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	evaluate := func(script string) (string, error) {
		res, err := cdp.Call(ctx, page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: script, ContextID: world, AwaitPromise: new(true), ReturnByValue: new(true)})
		if err != nil {
			return "", err
		}
		if res.ExceptionDetails != nil {
			return "", fmt.Errorf("%s: %s", script, res.ExceptionDetails.Exception.Description)
		}
		return string(res.Result.Value), nil
	}
	script := string(source)
	wait := func(since int) string {
		return fmt.Sprintf("(%s)(%d, 1e9)", script[strings.Index(script, "(since"):], since)
	}
	do := func(script string) {
		t.Helper()
		if _, err := evaluate(script); err != nil {
			t.Fatal(err)
		}
	}
	do(`document.body.innerHTML = '<p id="p">one</p><div id="host"></div>'; host.attachShadow({mode: 'open'}).innerHTML = '<b>x</b>'`)
	for i, change := range []string{"p.textContent = 'two'", "p.hidden = true", "host.shadowRoot.firstChild.textContent = 'y'"} {
		told := make(chan error, 1)
		go func() {
			n, err := evaluate(wait(-1))
			if want := fmt.Sprint(i + 1); err == nil && n != want {
				err = fmt.Errorf("%s changes, want %s", n, want)
			}
			told <- err
		}()
		// The commands of a session are answered in their order; the wait is answered late, but has begun when a later one is answered.
		for begun := ""; begun != "true"; {
			if begun, err = evaluate("!!globalThis[Symbol.for('retrace.stir')]?.waiting"); err != nil {
				t.Fatal(err)
			}
		}
		do(change)
		if err := <-told; err != nil {
			t.Fatalf("%s: %v", change, err)
		}
	}
	if n, err := evaluate(wait(2)); err != nil || n != "3" {
		t.Errorf("what had changed before: %s, %v", n, err)
	}
	if _, err := cdp.Call(t.Context(), page.Session(), network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	since := page.Stirs()
	do("fetch('page.html'), 1")
	if err := page.AwaitStir(ctx, since); err != nil {
		t.Fatal(err)
	}
}
