package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/google/go-cmp/cmp"
)

// Requests by which a page does something are counted and followed; pictures are not.
func TestActivity(t *testing.T) {
	var a activity
	state := func() string { return fmt.Sprint(a.sent, len(a.open)) }
	a.begin("1", "Fetch")
	a.begin("2", "Image")
	a.begin("3", "XHR")
	if state() != "2 2" {
		t.Error(state())
	}
	a.end("1")
	a.end("2")
	a.end("never begun")
	a.begin("3", "XHR") // a redirect begins under the same id
	if state() != "3 1" {
		t.Error(state())
	}
	a.end("3")
	if state() != "3 0" {
		t.Error(state())
	}
}

// TestRequestLog: what fetches parts of a page is counted, unless it fails; the list is bounded, and begins anew when it was taken.
func TestRequestLog(t *testing.T) {
	var l requestLog
	l.sent("1", Request{Method: "POST", URL: "http://a/save", Kind: "Fetch"})
	l.sent("2", Request{Method: "GET", URL: "http://a/a.png", Kind: "Image"})
	l.sent("3", Request{Method: "GET", URL: "http://a/b.css", Kind: "Stylesheet"})
	l.sent("4", Request{Method: "GET", URL: "data:text/plain,x", Kind: "Fetch"})
	l.sent("5", Request{Method: "GET", URL: "http://a/favicon.ico", Kind: "Image"})
	l.sent("6", Request{Method: "GET", URL: "http://a/slow", Kind: "XHR"})
	l.ended("1", 201, "")
	l.ended("2", 200, "")
	l.ended("3", 404, "")
	l.ended("3", 0, "net::ERR_ABORTED")
	l.ended("unknown", 200, "")
	want := Requests{Sent: 4, Parts: 1, List: []Request{
		{"POST", "http://a/save", "Fetch", 201, ""}, {"GET", "http://a/slow", "XHR", 0, ""}, {"GET", "http://a/b.css", "Stylesheet", 404, "net::ERR_ABORTED"},
	}}
	if diff := cmp.Diff(want, l.take()); diff != "" {
		t.Error(diff)
	}
	l.ended("6", 200, "") // of a step before
	for i := range 2 * maxRequests {
		l.sent(fmt.Sprint("n", i), Request{URL: strings.Repeat("x", 2*maxLineLength), Kind: "Fetch"})
	}
	got := l.take()
	if got.Sent != 2*maxRequests || len(got.List) != maxRequests || len([]rune(got.List[0].URL)) != maxLineLength+1 {
		t.Errorf("%d sent, %d listed", got.Sent, len(got.List))
	}
	if diff := cmp.Diff(Requests{}, l.take()); diff != "" {
		t.Error(diff)
	}
}

func TestRequestsOfAPage(t *testing.T) {
	base, _ := serve(t, map[string]string{"/page": `<title>x</title>`, "/data": "{}"})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, "about:blank")
	if _, err := cdp.Call(testContext(t), p.Session(), network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := p.Navigate(testContext(t), base+"/page"); err != nil {
		t.Fatal(err)
	}
	eval[any](t, p, `fetch('/data', {method: 'POST'}).then(a => a.text()).then(() => fetch('/missing?x=1')).then(a => a.text()).then(() => fetch('http://127.0.0.1:1/')).catch(() => {}).then(() => 1)`)
	var got []string
	for _, r := range c.TakeRequests().List {
		got = append(got, strings.TrimSpace(fmt.Sprint(r.Method, " ", strings.TrimPrefix(r.URL, base), " ", r.Kind, " ", r.Status, " ", r.Failed)))
	}
	want := []string{"GET /page Document 200", "POST /data Fetch 405", "GET /missing?x=1 Fetch 404", "GET http://127.0.0.1:1/ Fetch 0 net::ERR_UNSAFE_PORT"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if sent, open := p.Activity(); sent != 4 || open != 0 {
		t.Errorf("%d sent, %d open", sent, open)
	}
}

// TestRequestsOfFrames: the document of a frame that another process draws has its answer, though the end of it is told elsewhere.
func TestRequestsOfFrames(t *testing.T) {
	base, _ := serve(t, map[string]string{"/page": `<title>x</title><iframe></iframe>`, "/part": "<p>part"})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, "about:blank")
	if _, err := cdp.Call(testContext(t), p.Session(), network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := p.Navigate(testContext(t), base+"/page"); err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	eval[any](t, p, `new Promise(done => { const f = document.querySelector('iframe'); f.onload = done; f.src = '`+other+`/part'; }).then(() => 1)`)
	if sent, open := p.Activity(); sent != 2 || open != 0 {
		t.Errorf("%d sent, %d open", sent, open)
	}
}
