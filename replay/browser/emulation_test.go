package browser

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// surveyScript says in what environment a page or a worker finds itself.
const surveyScript = `async function survey() {
	const o = Intl.DateTimeFormat().resolvedOptions();
	const s = {language: navigator.language, intl: o.locale, zone: o.timeZone, agent: navigator.userAgent, online: navigator.onLine};
	if (self.matchMedia) {
		s.dark = matchMedia("(prefers-color-scheme: dark)").matches;
		s.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
		s.scale = devicePixelRatio;
	}
	return s;
}`

// survey is what surveyScript finds.
type survey struct {
	Language, Intl, Zone, Agent string
	Online, Dark, Still         bool
	Scale                       float64
}

// echo is a site that tells what was asked of it, under two names.
type echo struct {
	base, other string

	mu   sync.Mutex
	seen map[string]http.Header // by host and path
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	e := &echo{seen: map[string]http.Header{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ":")
		e.mu.Lock()
		e.seen[name+r.URL.Path] = r.Header.Clone()
		e.mu.Unlock()
		switch r.URL.Path {
		case "/survey.js", "/worker.js", "/service.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(surveyScript))
			switch r.URL.Path {
			case "/worker.js":
				w.Write([]byte(`; onmessage = async () => { try { await fetch("/from-worker") } catch {} postMessage(JSON.stringify(await survey())) }`))
			case "/service.js":
				w.Write([]byte(`; onmessage = async e => { try { await fetch("/from-service") } catch {} e.source.postMessage(JSON.stringify(await survey())) }; onactivate = e => e.waitUntil(clients.claim())`))
			}
		case "/away":
			http.Redirect(w, r, e.other+"/landed", http.StatusFound)
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(`<script src="/survey.js"></script>`))
			if r.URL.Path == "/" {
				w.Write([]byte(`<iframe src="` + e.other + `/frame"></iframe>`))
			}
		}
	}))
	t.Cleanup(srv.Close)
	e.base = srv.URL
	e.other = strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	return e
}

// header is the value that a request had; "-" when there was no request.
func (e *echo) header(at, name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	h, ok := e.seen[at]
	if !ok {
		return "-"
	}
	return h.Get(name)
}

func surveyOf(t *testing.T, text string) survey {
	t.Helper()
	var s survey
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return s
}

const throughWorker = `new Promise(done => { const w = new Worker("/worker.js"); w.onmessage = e => done(e.data); w.onerror = e => done("error " + e.message); w.postMessage(0) })`

const throughService = `(async () => { const r = await navigator.serviceWorker.register("/service.js"); await navigator.serviceWorker.ready;
	return new Promise(done => { navigator.serviceWorker.onmessage = e => done(e.data); r.active.postMessage(0) }) })()`

// evalMain runs an expression in the page's own world.
func evalMain(t *testing.T, p *Page, expression string) string {
	t.Helper()
	res, err := cdp.Call(testContext(t), p.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true), AwaitPromise: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	if res.ExceptionDetails != nil {
		t.Fatal(exceptionText(res.ExceptionDetails))
	}
	var text string
	if err := json.Unmarshal(res.Result.Value, &text); err != nil {
		t.Fatalf("%s: %v", res.Result.Value, err)
	}
	return text
}

// newContextIn makes a context in a browser that other tests use too.
func newContextIn(t *testing.T, b *Browser, e Emulation) *Context {
	t.Helper()
	c, err := b.NewContext(testContext(t), ContextOptions{Emulation: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestEmulation(t *testing.T) {
	b := launch(t)
	for name, test := range map[string]func(*testing.T, *Browser){
		"every target": testEveryTarget, "offline": testOffline, "blocked addresses": testBlocked, "proxy": testProxy, "certificates": testCertificates,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
	t.Run("values that the browser does not know", func(t *testing.T) {
		t.Parallel()
		for want, e := range map[string]Emulation{`no time zone "Mars/Olympus"`: {Timezone: "Mars/Olympus"}, `no locale "!"`: {Locale: "!"}} {
			if _, err := newContextIn(t, b, e).NewPage(testContext(t)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one with %q", err, want)
			}
		}
	})
}

// testEveryTarget looks into pages, frames of both kinds, popups and workers.
func testEveryTarget(t *testing.T, b *Browser) {
	e := newEcho(t)
	c := newContextIn(t, b, Emulation{
		Locale: "de-AT", Timezone: "Asia/Tokyo", UserAgent: "Survey/1", ColorScheme: "dark", ReducedMotion: "reduce", DeviceScale: 2,
		Headers: []Header{{"X-Env", "staging"}}, HeaderOrigins: []string{e.base}, Position: &Position{Latitude: 48.2, Longitude: 16.4},
	})
	const inFrame = `(async () => { ` + surveyScript + `; return JSON.stringify(await survey()) })()`
	page := survey{Language: "de-AT", Intl: "de-AT", Zone: "Asia/Tokyo", Agent: "Survey/1", Online: true, Dark: true, Still: true, Scale: 2}
	worker := page
	worker.Dark, worker.Still, worker.Scale = false, false, 0
	check := func(what string, got string, want survey) {
		t.Helper()
		if diff := cmp.Diff(want, surveyOf(t, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	p := openPage(t, c, e.base+"/")
	frames, err := p.Frames(testContext(t))
	if err != nil || len(frames) != 2 || !frames[1].OutOfProcess {
		t.Fatalf("frames %+v, %v", frames, err)
	}
	check("page", eval[string](t, p, inFrame), page)
	var text string
	if err := p.evaluate(testContext(t), frames[1].ID, inFrame, &text); err != nil {
		t.Fatal(err)
	}
	frame := page
	frame.Scale = 1 // Chrome scales the tab's own process only
	check("frame", text, frame)
	check("worker", eval[string](t, p, throughWorker), worker)
	service := surveyOf(t, evalMain(t, p, throughService))
	service.Agent = worker.Agent // a service worker has read its own before it can be told; its requests carry ours
	if diff := cmp.Diff(worker, service); diff != "" {
		t.Errorf("service worker (-want +got):\n%s", diff)
	}
	if got := e.header("127.0.0.1/from-service", "User-Agent"); got != "Survey/1" {
		t.Errorf("the service worker asked as %q", got)
	}
	mark := p.Mark()
	eval[any](t, p, `window.open("/popup"), 0`)
	res, err := p.Settle(testContext(t), mark)
	if err != nil || len(res.NewPages) != 1 {
		t.Fatalf("settle: %+v, %v", res, err)
	}
	check("popup", eval[string](t, res.NewPages[0], inFrame), page)

	const ask = `new Promise(done => navigator.geolocation.getCurrentPosition(p => done(p.coords.latitude + " " + p.coords.longitude), e => done(e.message)))`
	if got := eval[string](t, p, ask); got != "48.2 16.4" {
		t.Errorf("position %q", got)
	}
	if err := p.Navigate(testContext(t), e.base+"/away"); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{
		"127.0.0.1/": "staging", "127.0.0.1/popup": "staging", "127.0.0.1/from-worker": "staging", "127.0.0.1/from-service": "staging", "127.0.0.1/away": "staging",
		"localhost/frame": "", "localhost/survey.js": "", "localhost/landed": "",
	} {
		if got := e.header(at, "X-Env"); got != want {
			t.Errorf("%s was asked for with X-Env %q, want %q", at, got, want)
		}
		if got := e.header(at, "Accept-Language"); !strings.HasPrefix(got, "de-AT,de") {
			t.Errorf("%s was asked for with Accept-Language %q", at, got)
		}
	}
}

func testOffline(t *testing.T, b *Browser) {
	e := newEcho(t)
	p := openPage(t, newContextIn(t, b, Emulation{Offline: true}), "")
	if eval[bool](t, p, "navigator.onLine") {
		t.Error("the page believes that it is online")
	}
	var nav *NavigationError
	if err := p.Navigate(testContext(t), e.base+"/"); !errors.As(err, &nav) || nav.Net != "net::ERR_INTERNET_DISCONNECTED" {
		t.Errorf("navigating: %v", err)
	}
	if got := e.header("127.0.0.1/", "Host"); got != "-" {
		t.Error("the page was asked for")
	}
}

func testBlocked(t *testing.T, b *Browser) {
	e := newEcho(t)
	p := openPage(t, newContextIn(t, b, Emulation{BlockURLs: []string{"*/from-worker", "*/no?hing", e.other + "/*"}}), e.base+"/")
	if got := eval[string](t, p, `fetch("/nothing").then(() => "came", e => e.name)`); got != "TypeError" {
		t.Errorf("the blocked request: %s", got)
	}
	eval[string](t, p, throughWorker)
	if got := eval[string](t, p, `fetch("/something").then(() => "came", e => e.name)`); got != "came" {
		t.Errorf("the request that is not blocked: %s", got)
	}
	var nav *NavigationError
	if err := p.Navigate(testContext(t), e.base+"/away"); !errors.As(err, &nav) || nav.Net != "net::ERR_BLOCKED_BY_CLIENT" {
		t.Errorf("the redirect to a blocked address: %v", err)
	}
	for _, at := range []string{"127.0.0.1/from-worker", "127.0.0.1/nothing", "localhost/frame", "localhost/landed"} {
		if e.header(at, "Host") != "-" {
			t.Errorf("%s was asked for", at)
		}
	}
}

// testProxy has a proxy answer for everything, this machine included.
func testProxy(t *testing.T, b *Browser) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<title>" + r.URL.Host + "</title>"))
	}))
	t.Cleanup(proxy.Close)
	e := newEcho(t)
	p := openPage(t, newContextIn(t, b, Emulation{Proxy: proxy.URL}), e.base+"/")
	if got, err := p.Title(testContext(t)); err != nil || "http://"+got != e.base {
		t.Errorf("title %q, %v", got, err)
	}
	if e.header("127.0.0.1/", "Host") != "-" {
		t.Error("the page was asked for directly")
	}
}

func testCertificates(t *testing.T, b *Browser) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<title>in</title>")) }))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of clients that do not trust it
	srv.StartTLS()
	t.Cleanup(srv.Close)
	openPage(t, newContextIn(t, b, Emulation{IgnoreHTTPSErrors: true}), srv.URL)
	var nav *NavigationError
	if err := openPage(t, newContextIn(t, b, Emulation{}), "").Navigate(testContext(t), srv.URL); !errors.As(err, &nav) {
		t.Errorf("without the option: %v", err)
	}
}

func TestEmulationCostsNothing(t *testing.T) {
	var none Emulation
	if cmds := none.documents(); len(cmds) > 0 {
		t.Errorf("commands %v", cmds)
	}
}

func TestMatchURL(t *testing.T) {
	for _, tt := range []struct {
		pattern, address string
		want             bool
	}{
		{"*/a.js", "https://x.test/a.js", true},
		{"*/a.js", "https://x.test/a.js?v=1", false},
		{"*/a.js*", "https://x.test/a.js?v=1", true},
		{"https://*.x.test/*", "https://cdn.x.test/", true},
		{"https://*.x.test/*", "https://x.test/", false},
		{"*a*b*c", "aXbXbXc", true},
		{"*a*b*c", "aXcXb", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{`a\?c`, "a?c", true},
		{`a\?c`, "abc", false},
		{"*", "", true},
		{"", "", true},
		{"", "a", false},
		{strings.Repeat("*a", 20) + "b", strings.Repeat("a", 5000), false},
	} {
		if got := MatchURL(tt.pattern, tt.address); got != tt.want {
			t.Errorf("MatchURL(%q, %q) = %v", tt.pattern, tt.address, got)
		}
	}
}

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"HTTPS://Shop.Test:443/a?b": "https://shop.test", "http://shop.test:80": "http://shop.test", "http://shop.test:443/": "http://shop.test:443",
		"https://[::1]:8443/x": "https://[::1]:8443", "file:///etc/passwd": "", "about:blank": "", "http://": "", "data:text/html,x": "", "%": "",
		"https://user:pw@shop.test/": "https://shop.test",
	} {
		if got := Origin(address); got != want {
			t.Errorf("Origin(%q) = %q, want %q", address, got, want)
		}
	}
}

// A request to an origin that the headers are not for goes on as it is, whatever made Chrome stop it.
func TestHeadersStayWithTheirOrigin(t *testing.T) {
	e := Emulation{Headers: []Header{{"X-Key", "k"}}, HeaderOrigins: []string{"https://shop.test"}, BlockURLs: []string{"*/ads/*"}}
	for address, want := range map[string]any{
		"https://shop.test/a":              fetch.ContinueRequestParams{RequestID: "1", Headers: []*fetch.HeaderEntry{{Name: "Accept", Value: "*/*"}, {Name: "X-Key", Value: "k"}}},
		"https://shop.test.evil.example/a": fetch.ContinueRequestParams{RequestID: "1"},
		"https://shop.test:8443/a":         fetch.ContinueRequestParams{RequestID: "1"},
		"http://shop.test/a":               fetch.ContinueRequestParams{RequestID: "1"},
		"https://shop.test@evil.example/":  fetch.ContinueRequestParams{RequestID: "1"},
		"https://shop.test/ads/1":          fetch.FailRequestParams{RequestID: "1", ErrorReason: network.ErrorReasonBlockedByClient},
	} {
		_, got := e.answer(&fetch.EventRequestPaused{RequestID: "1", Request: &network.Request{URL: address, Headers: network.Headers{"Accept": "*/*", "x-key": "theirs"}}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
}
