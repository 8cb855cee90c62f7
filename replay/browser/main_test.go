package browser

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(victimEnv) != "" {
		victim()
		return
	}
	goleak.VerifyTestMain(m)
}

// testContext bounds a test: generous, since it guards against hanging and measures nothing.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// needChrome skips a test where there is no browser.
func needChrome(t *testing.T) {
	t.Helper()
	if _, err := Find(""); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("needs a real Chrome: %v", err)
	}
}

// launch starts Chrome for one test and closes it after.
func launch(t *testing.T) *Browser {
	t.Helper()
	needChrome(t)
	b, err := Launch(testContext(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
	})
	return b
}

// newContext makes a context in a browser of its own.
func newContext(t *testing.T, opts ContextOptions) *Context {
	t.Helper()
	c, err := launch(t).NewContext(testContext(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// openPage opens a tab and, unless url is empty, goes there.
func openPage(t *testing.T, c *Context, url string) *Page {
	t.Helper()
	p, err := c.NewPage(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if url != "" {
		if err := p.Navigate(testContext(t), url); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// serve serves pages by path. "{other}" in a page stands for the same server under another site's name.
func serve(t *testing.T, pages map[string]string) (base, other string) {
	t.Helper()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	other = strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	for path, body := range pages {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte(strings.NewReplacer("{other}", other, "{base}", srv.URL).Replace(body)))
		})
	}
	return srv.URL, other
}

// eval runs an expression in the top document.
func eval[T any](t *testing.T, p *Page, expression string) T {
	t.Helper()
	var v T
	if err := p.evaluate(testContext(t), p.MainFrame(), expression, &v); err != nil {
		t.Fatalf("evaluating %s: %v", expression, err)
	}
	return v
}

func isErr(err, target error) bool { return errors.Is(err, target) }

// pendingCalls are the ids of the commands that wait for a reply.
func pendingCalls(c *conn) []int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.pending))
}
