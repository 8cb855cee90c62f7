package harness

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	r := &Recording{Want: []Verdict{OK}, touched: map[string]bool{"buy": true, "#buy": true, "terms": true}, within: []string{"#grid"}}
	done, notDone := Event{Type: "check", Value: true}, Event{Type: "check", Value: false}
	click := func(css string) Event { return Event{Type: "click", CSS: css} }
	tests := []struct {
		name   string
		code   int
		hung   bool
		events []Event
		want   Verdict
		strays []string
	}{
		{name: "done", events: []Event{notDone, click("#buy"), done}, want: OK},
		{name: "the last check counts", events: []Event{done, notDone}, want: Silent},
		{name: "nothing seen", want: Silent},
		{name: "stopped", code: 1, events: []Event{notDone}, want: Stop},
		{name: "done but failed", code: 1, events: []Event{done}, want: Late},
		{name: "stray click", events: []Event{click("#sell"), done}, want: Wrong, strays: []string{"click #sell"}},
		{name: "stray with exit 1", code: 1, events: []Event{click("#sell"), click("#sell")}, want: Wrong, strays: []string{"click #sell"}},
		{name: "stray input by name", events: []Event{{Type: "input", CSS: "#x", Truth: "x-name"}, done}, want: Wrong, strays: []string{"input x-name"}},
		{name: "name of a touched element", events: []Event{{Type: "click", CSS: "#new", Truth: "buy"}, done}, want: OK},
		{name: "label of a touched field", events: []Event{{Type: "click", CSS: "label", Control: "terms"}, done}, want: OK},
		{name: "inside a widget", events: []Event{click("#grid > div"), done}, want: OK},
		{name: "beside a widget", events: []Event{click("#grid2 > div"), done}, want: Wrong, strays: []string{"click #grid2 > div"}},
		{name: "bare page", events: []Event{click("body"), click(""), done}, want: OK},
		{name: "keys are not touches", events: []Event{{Type: "keydown", CSS: "#x"}, done}, want: OK},
		{name: "hung", hung: true, events: []Event{done}, want: Wrong},
	}
	for _, tt := range tests {
		o := Outcome{Code: tt.code, Hung: tt.hung, Events: tt.events}
		r.judge(&o)
		if o.Verdict != tt.want || !slices.Equal(o.Strays, tt.strays) {
			t.Errorf("%s: %s with strays %q, want %s with %q", tt.name, o.Verdict, o.Strays, tt.want, tt.strays)
		}
	}
	o := Outcome{Events: []Event{done}}
	if (&Recording{Want: []Verdict{Stop}}).judge(&o); o.Verdict != Silent {
		t.Errorf("success where only a stop is right gives %s, want %s", o.Verdict, Silent)
	}
}

func TestReadRecording(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"expect.json": `{"want": "OK|STOP", "check": "x", "secrets": {"PIN": "1234"}, "untouched": ["sell"]}`,
		"events.json": `[{"type":"click","truth":"buy","css":"#b"},{"type":"click","truth":"sell","css":"#s"},{"type":"keydown","css":"#k"},{"type":"click","css":"#w","within":true,"value":"3"}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Recordings(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := []*Recording{{Name: "shop", Dir: dir, Check: "x", Secrets: map[string]string{"PIN": "1234"}, Want: []Verdict{OK, Stop},
		touched: map[string]bool{"buy": true, "#b": true, "#s": true, "#w": true}, within: []string{"#w"}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Recording{})); diff != "" {
		t.Errorf("recordings (-want +got):\n%s", diff)
	}
}

func TestServer(t *testing.T) {
	s := Serve(fstest.MapFS{
		"index.html":     {Data: []byte("<!doctype html><HEAD lang=x><title>a</title>")},
		"sub/index.html": {Data: []byte("no head")},
		"a.css":          {Data: []byte("a{}")},
	})
	defer s.Close()
	s.Begin("1+1")
	tests := []struct {
		path   string
		status int
		kind   string
		body   string // part of it
	}{
		{"/", 200, "text/html; charset=utf-8", "<HEAD lang=x>" + observerTag + "<title>"},
		{"/sub", 200, "text/html; charset=utf-8", observerTag + "no head"},
		{"/a.css", 200, "text/css; charset=utf-8", "a{}"},
		{"/../a.css", 200, "text/css; charset=utf-8", "a{}"},
		{"/none", 404, "text/plain; charset=utf-8", "not found"},
		{"/__check", 200, "text/plain; charset=utf-8", "1+1"},
		{"/__204", 204, "", ""},
		{"/__500", 500, "text/html; charset=utf-8", "went wrong"},
		{"/__download", 200, "text/csv; charset=utf-8", "id,amount"},
		{"/a.css?__delay=1", 200, "text/css; charset=utf-8", "a{}"},
	}
	for _, tt := range tests {
		r, err := s.Client().Get(s.URL + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != tt.status || r.Header.Get("Content-Type") != tt.kind || !strings.Contains(string(body), tt.body) {
			t.Errorf("%s: %d %q %.80q, want %d %q with %q", tt.path, r.StatusCode, r.Header.Get("Content-Type"), body, tt.status, tt.kind, tt.body)
		}
	}
	for _, report := range []string{`[{"type":"click","css":"#a"}]`, `[{"type":"cli`} {
		if _, err := s.Client().Post(s.URL+"/__observe", "text/plain", strings.NewReader(report)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]Event{{Type: "click", CSS: "#a"}}, s.Seen()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	s.Begin("2")
	if seen := s.Seen(); len(seen) != 0 {
		t.Errorf("events left from the time before: %v", seen)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Client().Do(must(http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/__hang", nil))); err == nil {
		t.Error("/__hang answered")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A binary that says nothing and touches nothing is judged by its exit code.
func TestReplay(t *testing.T) {
	work := t.TempDir()
	bin := filepath.Join(work, "fake")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\necho \"$@\"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := Serve(fstest.MapFS{})
	defer s.Close()
	o, err := s.Replay(t.Context(), bin, work, &Recording{Name: "x", Dir: "x", Want: []Verdict{OK}, Secrets: map[string]string{"PIN": "1234"}}, "--verify", "strict")
	if err != nil {
		t.Fatal(err)
	}
	if o.Verdict != Stop || o.Code != 1 || o.Hung {
		t.Errorf("outcome %+v, want a stop", o)
	}
	for _, want := range []string{"run x --base-url " + s.URL, "--secrets " + work, "--verify strict"} {
		if !strings.Contains(o.Output, want) {
			t.Errorf("arguments %q lack %q", o.Output, want)
		}
	}
}
