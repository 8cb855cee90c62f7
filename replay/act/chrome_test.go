package act

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

// One tab of one browser serves all tests of the binary, one after the other; each test loads a page of its own.
var chrome struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chrome.stop != nil {
		chrome.stop()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func chromePath() string {
	for _, name := range []string{os.Getenv("RETRACE_CHROME"), "chromium", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); name != "" && err == nil {
			return p
		}
	}
	return ""
}

func browser(t *testing.T) context.Context {
	t.Helper()
	path := chromePath()
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no Chrome found")
		}
		t.Skip("no Chrome found; set RETRACE_CHROME to its path")
	}
	chrome.once.Do(func() {
		tmp, err := os.MkdirTemp("", "act")
		if err != nil {
			chrome.err = err
			return
		}
		opts := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath(path), chromedp.Env("TMPDIR="+tmp),
			chromedp.Flag("disable-features", "Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,HttpsUpgrades,OptimizationHints,MediaRouter"),
			chromedp.Flag("disable-back-forward-cache", true),
			chromedp.Flag("site-per-process", true),
			chromedp.Flag("host-resolver-rules", "MAP *.test 127.0.0.1"),
		)
		actx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
		bctx, cancel := chromedp.NewContext(actx)
		chrome.ctx = bctx
		if chrome.err = chromedp.Do(bctx); chrome.err == nil {
			chrome.err = lean(bctx, chromedp.FromContext(bctx).Target)
		}
		chrome.stop = func() {
			closing, done := context.WithTimeout(bctx, 10*time.Second)
			defer done()
			_ = chromedp.Cancel(closing)
			cancel()
			stop()
			_ = os.RemoveAll(tmp)
		}
	})
	if chrome.err != nil {
		t.Fatalf("starting Chrome: %v", chrome.err)
	}
	return chrome.ctx
}

// counting counts the commands that pass through a session, and those that press a button or scroll.
type counting struct {
	cdp.Session
	calls, presses, scrolls atomic.Int64
}

func (c *counting) Call(ctx context.Context, method string, params, result any) error {
	c.calls.Add(1)
	if raw, err := jsonv2.Marshal(params); err == nil && strings.Contains(string(raw), `"mousePressed"`) {
		c.presses.Add(1)
	}
	if method == dom.CommandScrollIntoViewIfNeeded {
		c.scrolls.Add(1)
	}
	return c.Session.Call(ctx, method, params, result)
}

// tab is a page under test.
type tab struct {
	*testing.T
	ctx     context.Context
	session *counting
	server  *httptest.Server
}

// open shows a page. Further documents are reached as /name; their hosts are a.test (the page's own), x.a.test (same
// site, another origin) and b.test (another site, so another process). {HOST} in a document is replaced by the port.
func open(t *testing.T, html string, more ...string) *tab {
	t.Helper()
	parent := browser(t)
	docs := map[string]string{"/": html}
	for i := 0; i+1 < len(more); i += 2 {
		docs["/"+more[i]] = more[i+1]
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8>"+strings.ReplaceAll(docs[r.URL.Path], "{PORT}", port))
	}))
	t.Cleanup(srv.Close)
	tb := &tab{T: t, server: srv}
	deadline, done := context.WithTimeout(parent, 30*time.Second)
	t.Cleanup(done)
	tb.ctx = deadline
	tb.session = &counting{Session: chromedp.FromContext(parent).Target}
	call(tb, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1000, Height: 600, DeviceScaleFactor: 1})
	loaded := cdp.Events(tb.ctx, tb.session, page.LoadEventFired)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL, "http://"), ":")
	call(tb, page.Navigate, page.NavigateParams{URL: "http://a.test:" + port + "/"})
	for _, err := range loaded {
		if err != nil {
			t.Fatalf("loading the page: %v", err)
		}
		break
	}
	return tb
}

// lean switches off what chromedp has switched on and nobody needs, gives the target the focus for good, and sets the sentry.
func lean(ctx context.Context, s cdp.Session) error {
	for _, m := range []string{"DOM.disable", "CSS.disable", "Log.disable", "Network.disable"} {
		if err := s.Call(ctx, m, nil, nil); err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
	}
	if _, err := cdp.Call(ctx, s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: Sentry, WorldName: "retrace"})
	return err
}

func call[P, R any](tb *tab, c cdp.Command[P, R], p P) R {
	tb.Helper()
	res, err := cdp.Call(tb.ctx, tb.session, c, p)
	if err != nil {
		tb.Fatalf("%s: %v", c.Method, err)
	}
	return res
}

// eval evaluates an expression in the page's own world.
func (tb *tab) eval(expr string) string {
	tb.Helper()
	res := call(tb, runtime.Evaluate, runtime.EvaluateParams{Expression: expr, ReturnByValue: new(true), AwaitPromise: new(true)})
	if res.ExceptionDetails != nil {
		tb.Fatalf("%s: %s", expr, res.ExceptionDetails.Text)
	}
	if s := ""; json.Unmarshal(res.Result.Value, &s) == nil {
		return s
	}
	return string(res.Result.Value)
}

// wait gives a part of the tab's time to an action.
func (tb *tab) wait(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(tb.ctx, d)
	tb.Cleanup(cancel)
	return ctx
}

// frames are the frames of the tab's process, the top frame first.
func (tb *tab) frames() []cdp.FrameID {
	var out []cdp.FrameID
	var walk func(t *page.FrameTree)
	walk = func(t *page.FrameTree) {
		out = append(out, t.Frame.ID)
		for _, c := range t.ChildFrames {
			walk(c)
		}
	}
	walk(call(tb, page.GetFrameTree, cdp.Empty{}).FrameTree)
	return out
}

// in is the element that an expression gives in a frame: `document.querySelector("#a")`.
func (tb *tab) in(s cdp.Session, frame cdp.FrameID, expr string) Element {
	tb.Helper()
	world, err := cdp.Call(tb.ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: "retrace"})
	if err != nil {
		tb.Fatalf("creating a world: %v", err)
	}
	res, err := cdp.Call(tb.ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: expr, ContextID: world.ExecutionContextID})
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		tb.Fatalf("no element %s: %v", expr, err)
	}
	node, err := cdp.Call(tb.ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: res.Result.ObjectID})
	if err != nil {
		tb.Fatal(err)
	}
	return Element{Page: tb.session, Session: s, World: world.ExecutionContextID, Backend: node.Node.BackendNodeID}
}

func (tb *tab) el(selector string) Element {
	tb.Helper()
	return tb.in(tb.session, tb.frames()[0], fmt.Sprintf("document.querySelector(%q)", selector))
}

// closed is an element that the page has put into the global variable x, for closed shadow trees.
func (tb *tab) variable(name string) Element {
	tb.Helper()
	frame := tb.frames()[0]
	res := call(tb, runtime.Evaluate, runtime.EvaluateParams{Expression: name})
	node := call(tb, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: res.Result.ObjectID})
	e := tb.in(tb.session, frame, "document.documentElement")
	e.Backend = node.Node.BackendNodeID
	return e
}

// remote is an element of the tab's only out-of-process frame, whose <iframe> element has the selector.
func (tb *tab) remote(owner, selector string) Element {
	tb.Helper()
	o := tb.el(owner)
	var id target.ID
	infos, err := chromedp.CallBrowser(tb.ctx, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, i := range infos.TargetInfos {
		if i.Type == "iframe" && strings.Contains(i.URL, strings.Split(tb.server.URL, ":")[2]) {
			id = i.TargetID
		}
	}
	if id == "" {
		tb.Fatal("the frame is in no process of its own")
	}
	ctx, cancel := chromedp.NewContext(tb.ctx, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel())
	tb.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("attaching to the frame: %v", err)
	}
	s := &counting{Session: chromedp.FromContext(ctx).Target}
	if err := lean(tb.ctx, s); err != nil {
		tb.Fatal(err)
	}
	e := tb.in(s, cdp.FrameID(id), fmt.Sprintf("document.querySelector(%q)", selector))
	e.Owners = []Owner{{Session: tb.session, World: o.World, Backend: o.Backend}}
	return e
}

// swapBeforePress lets the page change in the moment between the last check and the press.
type swapBeforePress struct {
	*counting
	swap func()
}

func (s *swapBeforePress) Call(ctx context.Context, method string, params, result any) error {
	if raw, err := jsonv2.Marshal(params); err == nil && strings.Contains(string(raw), `"mousePressed"`) {
		s.swap()
	}
	return s.counting.Call(ctx, method, params, result)
}

func reload(tb *tab) {
	tb.Helper()
	loaded := cdp.Events(tb.ctx, tb.session, page.LoadEventFired)
	call(tb, page.Reload, page.ReloadParams{})
	for _, err := range loaded {
		if err != nil {
			tb.Fatal(err)
		}
		return
	}
}

// documentTitle is the title of the element's document.
func documentTitle(tb *tab, h *handle) string {
	tb.Helper()
	res, err := cdp.Call(tb.ctx, h.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function() { return this.ownerDocument.title }", ObjectID: h.object, ReturnByValue: new(true),
	})
	if err != nil {
		tb.Fatal(err)
	}
	var s string
	if err := json.Unmarshal(res.Result.Value, &s); err != nil {
		tb.Fatal(err)
	}
	return s
}

// frameOf is the top frame of the element's target.
func frameOf(tb *tab, e Element) cdp.FrameID {
	tb.Helper()
	res, err := cdp.Call(tb.ctx, e.Session, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		tb.Fatal(err)
	}
	return res.FrameTree.Frame.ID
}
