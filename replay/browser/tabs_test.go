package browser

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func TestPopups(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/":      `<title>opener</title>`,
		"/popup": `<title>popup</title><script>window.early = window.innerWidth</script>`,
	})
	tests := []struct {
		name, open string
		opener     bool
		url        string
	}{
		{"window.open", `window.open("/popup")`, true, base + "/popup"},
		{"noopener", `window.open("/popup", "_blank", "noopener")`, false, base + "/popup"},
		{"link", `(() => { const a = document.createElement("a"); a.href = "/popup"; a.target = "_blank"; document.body.append(a); a.click() })()`, false, base + "/popup"},
		{"blank, then written", `(() => { const w = window.open(""); w.document.title = "popup" })()`, true, "about:blank"},
		{"small window", `window.open("/popup", "", "width=300,height=200")`, true, base + "/popup"},
	}
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mark := p.Mark()
			eval[any](t, p, tt.open+", 0")
			res, err := p.Settle(testContext(t), mark)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.NewPages) != 1 {
				t.Fatalf("%d new pages, want 1", len(res.NewPages))
			}
			q := res.NewPages[0]
			if got := q.URL(); got != tt.url {
				t.Errorf("URL = %q, want %q", got, tt.url)
			}
			if got, err := q.Title(testContext(t)); err != nil || got != "popup" {
				t.Errorf("title = %q, %v", got, err)
			}
			if got := q.Opener() == p; got != tt.opener {
				t.Errorf("has opener: %v, want %v", got, tt.opener)
			}
			if got := eval[int](t, q, "innerWidth"); got != DefaultWidth {
				t.Errorf("innerWidth = %d, want %d", got, DefaultWidth)
			}
			if pages := c.Pages(); len(pages) != 2 || pages[0] != p || pages[1] != q {
				t.Errorf("pages = %v", pages)
			}
			// The opener is hidden behind the popup and must draw all the same.
			eval[any](t, p, "new Promise(requestAnimationFrame)")
			if err := q.Close(testContext(t)); err != nil {
				t.Fatal(err)
			}
			if pages := c.Pages(); len(pages) != 1 {
				t.Errorf("pages after closing = %v", pages)
			}
		})
	}
}

func TestPopupIsPreparedBeforeItsScripts(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/":      ``,
		"/popup": `<script>document.title = innerWidth + " " + alert("early")</script>`,
	})
	c := newContext(t, ContextOptions{Width: 900, Height: 600})
	p := openPage(t, c, base+"/")
	mark := p.Mark()
	eval[any](t, p, `window.open("/popup"), 0`)
	res, err := p.Settle(testContext(t), mark)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.NewPages) != 1 {
		t.Fatalf("%d new pages, want 1", len(res.NewPages))
	}
	if got := eval[string](t, res.NewPages[0], "document.title"); got != "900 undefined" {
		t.Errorf("the popup's script saw %q", got)
	}
	if d := c.TakeDialogs(); len(d) != 1 || d[0].Text != "early" || d[0].Page != res.NewPages[0] {
		t.Errorf("dialogs = %+v", d)
	}
}

func TestPageClosesItself(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": ``, "/popup": `<p>x`})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/")
	mark := p.Mark()
	eval[any](t, p, `(window.w = window.open("/popup"), 0)`)
	// The variable lives in our world; so does close().
	res, err := p.Settle(testContext(t), mark)
	if err != nil || len(res.NewPages) != 1 {
		t.Fatalf("settle: %+v, %v", res, err)
	}
	q := res.NewPages[0]
	done := make(chan error, 1)
	ctx := testContext(t)
	go func() { done <- q.evaluate(ctx, q.MainFrame(), "new Promise(() => {})", nil) }()
	eval[any](t, p, `w.close()`)
	if err := <-done; !isErr(err, ErrPageClosed) {
		t.Errorf("running call: %v", err)
	}
	<-q.Closed()
	if pages := c.Pages(); len(pages) != 1 || pages[0] != p {
		t.Errorf("pages = %v", pages)
	}
}

func TestCrashEndsCalls(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<p>x`})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/")
	ctx := testContext(t)
	done := make(chan error, 1)
	go func() { done <- p.evaluate(ctx, p.MainFrame(), "new Promise(() => {})", nil) }()
	until(t, "the call runs", func() bool { return len(pendingCalls(c.b.conn)) > 0 })
	crash := make(chan error, 1)
	go func() { _, err := cdp.Call(ctx, p.Session(), page.Crash, cdp.Empty{}); crash <- err }()
	if err := <-done; !isErr(err, ErrPageCrashed) {
		t.Errorf("running call: %v", err)
	}
	if err := <-crash; !isErr(err, ErrPageCrashed) {
		t.Errorf("the call that crashed it: %v", err)
	}
	<-p.Crashed()
	if err := p.Navigate(ctx, base+"/"); !isErr(err, ErrPageCrashed) {
		t.Errorf("later call: %v", err)
	}
	if _, err := p.Frames(ctx); !isErr(err, ErrPageCrashed) {
		t.Errorf("Frames: %v", err)
	}
	// Other tabs live on.
	q := openPage(t, c, base+"/")
	if err := q.Navigate(ctx, base+"/"); err != nil {
		t.Error(err)
	}
}

func TestContextsAreIsolated(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<p>x`})
	b := launch(t)
	var pages []*Page
	for range 2 {
		c, err := b.NewContext(testContext(t), ContextOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, openPage(t, c, base+"/"))
	}
	eval[any](t, pages[0], `document.cookie = "a=1", localStorage.a = 1`)
	if got := eval[string](t, pages[0], "document.cookie"); got != "a=1" {
		t.Errorf("own cookie = %q", got)
	}
	if got := eval[string](t, pages[1], "document.cookie + (localStorage.a || '')"); got != "" {
		t.Errorf("the other context sees %q", got)
	}
	if err := pages[0].Context().Close(); err != nil {
		t.Fatal(err)
	}
	<-pages[0].Closed()
	if _, err := pages[0].Title(testContext(t)); !isErr(err, ErrPageClosed) {
		t.Errorf("call on a page of a closed context: %v", err)
	}
	if err := pages[1].Navigate(testContext(t), base+"/"); err != nil {
		t.Error(err)
	}
}

func TestBrowserOutlivesItsLastContext(t *testing.T) {
	b := launch(t)
	for range 3 {
		c, err := b.NewContext(testContext(t), ContextOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p := openPage(t, c, "")
		if err := p.Close(testContext(t)); err != nil {
			t.Fatal(err)
		}
		if len(c.Pages()) != 0 {
			t.Errorf("pages = %v", c.Pages())
		}
		openPage(t, c, "")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	}
}

func TestInputAndPictureCoverTheWholeViewport(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/":      ``,
		"/popup": `<body style="margin:0"><button style="position:fixed;right:5px;bottom:5px" onclick="document.title = 'clicked'">b</button>`,
	})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/")
	mark := p.Mark()
	eval[any](t, p, `window.open("/popup", "", "width=300,height=200"), 0`)
	res, err := p.Settle(testContext(t), mark)
	if err != nil || len(res.NewPages) != 1 {
		t.Fatalf("settle: %+v, %v", res, err)
	}
	q := res.NewPages[0]
	click(t, q, "button")
	if got, err := q.Title(testContext(t)); err != nil || got != "clicked" {
		t.Errorf("title = %q, %v: the click missed", got, err)
	}
	for _, page := range []*Page{p, q} { // the opener is hidden
		shot, err := page.Screenshot(testContext(t), "png", 0)
		if err != nil {
			t.Fatal(err)
		}
		size, err := png.DecodeConfig(bytes.NewReader(shot))
		if err != nil || size.Width != DefaultWidth || size.Height != DefaultHeight {
			t.Errorf("picture of %d × %d, %v", size.Width, size.Height, err)
		}
	}
}
