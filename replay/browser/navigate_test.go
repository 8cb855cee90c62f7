package browser

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// testSite is a server of pages that behave badly.
func testSite(t *testing.T) string {
	t.Helper()
	release := make(chan struct{})
	html := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, body)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/a", html(`<title>a</title><a id=b href=/b>b</a><a id=hash href=#x>x</a><p>a`))
	mux.Handle("/b", html(`<title>b</title><p>b`))
	mux.Handle("/500", func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); h(w, r) }
	}(html(`<title>broken</title>`)))
	mux.Handle("/chain", html(`<title>chain</title><script>location.replace("/chain2")</script>`))
	mux.Handle("/chain2", html(`<title>chain2</title><script>location.replace("/b")</script>`))
	mux.Handle("/hanging-image", html(`<title>hanging</title><img src=/never><p>text`))
	mux.Handle("/reloading", html(`<title>reloading</title><script>setTimeout(() => location.reload(), 300)</script>`))
	mux.Handle("/alert", html(`<title>alert</title><script>alert("on load")</script>`))
	mux.Handle("/stay", html(`<title>stay</title><script>onbeforeunload = e => e.preventDefault()</script><p>x`))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		<-release
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/204", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		io.WriteString(w, "a,b\n")
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(func() { close(release); srv.Close() })
	return srv.URL
}

func TestNavigate(t *testing.T) {
	base := testSite(t)
	tests := []struct {
		path, title string // title of the document that is there afterwards
		kind        NavigationKind
	}{
		{path: "/a", title: "a"},
		{path: "/a#x", title: "a"},
		{path: "/b", title: "b"},
		{path: "/500", title: "broken"},
		{path: "/hanging-image", title: "hanging"},
		{path: "/alert", title: "alert"},
		{path: "/reloading", title: "reloading"},
		{path: "/204", title: "reloading", kind: NavigationNoContent},
		{path: "/a", title: "a"},
		{path: "/204", title: "a", kind: NavigationNoContent},
		{path: "/file", title: "a", kind: NavigationDownload},
		{path: "http://127.0.0.1:1/", kind: NavigationFailed},
		{path: "http://nowhere.invalid/", kind: NavigationFailed},
		{path: "/b", title: "b"},
	}
	p := openPage(t, newContext(t, ContextOptions{}), "")
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			url := tt.path
			if strings.HasPrefix(url, "/") {
				url = base + url
			}
			err := p.Navigate(testContext(t), url)
			var ne *NavigationError
			switch {
			case tt.kind == "" && err != nil:
				t.Fatal(err)
			case tt.kind != "" && (!errors.As(err, &ne) || ne.Kind != tt.kind):
				t.Fatalf("error = %v, want kind %s", err, tt.kind)
			}
			if (tt.kind == "" || tt.kind == NavigationFailed) && p.URL() != url {
				t.Errorf("URL = %q, want %q", p.URL(), url)
			}
			if tt.title != "" {
				if got, err := p.Title(testContext(t)); err != nil || got != tt.title {
					t.Errorf("title = %q, %v; want %q", got, err, tt.title)
				}
			}
		})
	}
}

func TestNavigateIsRefused(t *testing.T) {
	base := testSite(t)
	for _, policy := range []DialogPolicy{DialogAccept, DialogDismiss} {
		t.Run(string(policy), func(t *testing.T) {
			c := newContext(t, ContextOptions{Dialogs: policy})
			p := openPage(t, c, base+"/stay")
			click(t, p, "p") // Chrome asks only on behalf of pages that a person has used
			err := p.Navigate(testContext(t), base+"/a")
			if policy == DialogAccept {
				if err != nil || p.URL() != base+"/a" {
					t.Errorf("error = %v at %s", err, p.URL())
				}
			} else {
				var ne *NavigationError
				if !errors.As(err, &ne) || ne.Kind != NavigationCancelled || p.URL() != base+"/stay" {
					t.Errorf("error = %v at %s", err, p.URL())
				}
			}
			if d := c.TakeDialogs(); len(d) != 1 || d[0].Type != "beforeunload" {
				t.Errorf("dialogs = %+v", d)
			}
		})
	}
}

func TestReloadAndTraverse(t *testing.T) {
	base := testSite(t)
	p := openPage(t, newContext(t, ContextOptions{}), base+"/a")
	ctx := testContext(t)
	for _, url := range []string{"/b", "/a#x", "/hanging-image"} {
		if err := p.Navigate(ctx, base+url); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		to, want string
	}{
		{"/b", "/b"}, {"/a", "/a"}, {"/a#x", "/a#x"}, {"/hanging-image", "/hanging-image"}, {"/a#x", "/a#x"},
	}
	for _, s := range steps {
		if err := p.Traverse(ctx, base+s.to); err != nil {
			t.Fatal(err)
		}
		if got := eval[string](t, p, "location.href"); got != base+s.want || p.URL() != got {
			t.Errorf("after going to %s: at %s, URL() = %s", s.to, got, p.URL())
		}
	}
	if err := p.Traverse(ctx, base+"/nowhere"); !isErr(err, ErrNoHistoryEntry) {
		t.Errorf("unknown entry: %v", err)
	}
	before := p.Documents()
	eval[any](t, p, "document.title = 'changed'")
	if err := p.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	if got, _ := p.Title(ctx); got != "a" || p.Documents() == before {
		t.Errorf("after a reload the title is %q and %d documents were seen", got, p.Documents()-before)
	}
}

func TestHistoryEntry(t *testing.T) {
	var entries []*page.NavigationEntry
	for i, url := range []string{"a", "b", "a", "c", "b"} {
		entries = append(entries, &page.NavigationEntry{ID: int64(i), URL: url})
	}
	tests := []struct {
		current int
		url     string
		want    int64 // -1 for none
	}{
		{3, "a", 2}, {2, "a", 0}, {0, "a", 2}, {2, "b", 1}, {1, "b", 4}, {3, "c", -1}, {9, "b", 4}, {0, "x", -1},
	}
	for _, tt := range tests {
		got := int64(-1)
		if e := historyEntry(entries, tt.current, tt.url); e != nil {
			got = e.ID
		}
		if got != tt.want {
			t.Errorf("from entry %d to %s: entry %d, want %d", tt.current, tt.url, got, tt.want)
		}
	}
}

func TestDownloads(t *testing.T) {
	base := testSite(t)
	for _, allowed := range []bool{true, false} {
		t.Run(fmt.Sprint("allowed=", allowed), func(t *testing.T) {
			opts := ContextOptions{}
			if allowed {
				opts.DownloadDir = t.TempDir()
			}
			c := newContext(t, opts)
			p := openPage(t, c, base+"/a")
			var got []Download
			for range 2 {
				mark := p.Mark()
				eval[any](t, p, `location.href = "/file"`)
				res, err := p.Settle(testContext(t), mark)
				if err != nil {
					t.Fatal(err)
				}
				if res.Navigated || !res.Fruitless {
					t.Errorf("settled with %+v", res)
				}
				var one []Download
				until(t, "the download has ended", func() bool { one = c.TakeDownloads(); return len(one) > 0 })
				got = append(got, one...)
			}
			for i, d := range got {
				wantState, wantPath := "canceled", ""
				if allowed {
					wantState = "completed"
					wantPath = filepath.Join(opts.DownloadDir, []string{"report.csv", "report (1).csv"}[i])
				}
				if d.State != wantState || d.Path != wantPath || d.URL != base+"/file" {
					t.Errorf("download = %+v, want %s at %q", d, wantState, wantPath)
				}
				if allowed {
					if text, err := os.ReadFile(d.Path); err != nil || string(text) != "a,b\n" {
						t.Errorf("file holds %q, %v", text, err)
					}
				}
			}
		})
	}
}

func TestSafeName(t *testing.T) {
	tests := []struct{ in, want string }{
		{"report.csv", "report.csv"},
		{"../../etc/passwd", "passwd"},
		{`C:\temp\x.txt`, "x.txt"},
		{"", "download"},
		{"..", "download"},
		{".bashrc", "bashrc"},
		{"a\x00b\nc\u202e.txt", "abc.txt"},
		{"con.txt", "_con.txt"},
		{"COM1", "_COM1"},
		{"comet.txt", "comet.txt"},
		{`a<b>:"|?*.txt`, "a_b______.txt"},
		{"Bericht für Ümläute.pdf", "Bericht für Ümläute.pdf"},
		{strings.Repeat("ü", 200) + ".pdf", strings.Repeat("ü", 58) + ".pdf"},
		{"trailing. ", "trailing"},
	}
	for _, tt := range tests {
		if got := safeName(tt.in); got != tt.want {
			t.Errorf("safeName(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
