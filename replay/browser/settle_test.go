package browser

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// click presses the mouse on the first element that the selector matches.
func click(t *testing.T, p *Page, selector string) {
	t.Helper()
	ctx := testContext(t)
	world, err := p.World(ctx, p.MainFrame())
	if err != nil {
		t.Fatal(err)
	}
	res, err := cdp.Call(ctx, p.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: "document.querySelector('" + selector + "')", ContextID: world,
	})
	if err != nil {
		t.Fatal(err)
	}
	quads, err := cdp.Call(ctx, p.Session(), dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: res.Result.ObjectID})
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	q := quads.Quads[0]
	for _, typ := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		_, err := cdp.Call(ctx, p.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: typ, X: (q[0] + q[4]) / 2, Y: (q[1] + q[5]) / 2, Button: input.MouseButtonLeft, ClickCount: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSettle(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/b": `<title>b</title>`,
		"/": `<title>top</title><style>a, button { display: block; width: 100px; height: 20px }</style>
			<button id=nothing>nothing</button>
			<a id=link href=/b>link</a>
			<a id=cross href="{other}/b">other site</a>
			<a id=hash href=#here>hash</a>
			<button id=push onclick="history.pushState(0, '', '/pushed')">push</button>
			<form action=/b><button id=submit>submit</button></form>
			<form action=/b method=get target=in><button id=framed>submit into a frame</button></form>
			<button id=script onclick="location = '/b'">script</button>
			<button id=timer onclick="setTimeout(() => location = '/b')">timer</button>
			<a id=js href="javascript:void 0">script link</a>
			<a id=blank href=/b target=_blank>new tab</a>
			<a id=chain href=/chain>chain</a>
			<button id=confirm onclick="if (confirm('leave?')) location = '/b'">ask</button>
			<iframe name=in></iframe>`,
		"/chain": `<script>location.replace("/b")</script>`,
	})
	tests := []struct {
		id, title string
		want      SettleResult
		popups    int
	}{
		{id: "nothing", title: "top"},
		{id: "link", title: "b", want: SettleResult{Navigated: true}},
		{id: "cross", title: "b", want: SettleResult{Navigated: true}},
		{id: "hash", title: "top", want: SettleResult{SameDocument: true}},
		{id: "push", title: "top", want: SettleResult{SameDocument: true}},
		{id: "submit", title: "b", want: SettleResult{Navigated: true}},
		{id: "framed", title: "top", want: SettleResult{FrameNavigated: true}},
		{id: "script", title: "b", want: SettleResult{Navigated: true}},
		{id: "timer", title: "b", want: SettleResult{Navigated: true}},
		{id: "js", title: "top"},
		{id: "blank", title: "top", popups: 1},
		{id: "chain", title: "b", want: SettleResult{Navigated: true}},
		{id: "confirm", title: "b", want: SettleResult{Navigated: true}},
	}
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, "")
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			if err := p.Navigate(testContext(t), base+"/"); err != nil {
				t.Fatal(err)
			}
			mark := p.Mark()
			click(t, p, "#"+tt.id)
			res, err := p.Settle(testContext(t), mark)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.NewPages) != tt.popups {
				t.Errorf("%d new pages, want %d", len(res.NewPages), tt.popups)
			}
			for _, q := range res.NewPages {
				if got, _ := q.Title(testContext(t)); got != "b" {
					t.Errorf("title of the new page = %q", got)
				}
				if err := q.Close(testContext(t)); err != nil {
					t.Error(err)
				}
			}
			res.NewPages, res.Still = nil, false
			if diff := cmp.Diff(tt.want, res); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if got, err := p.Title(testContext(t)); err != nil || got != tt.title {
				t.Errorf("title = %q, %v; want %q", got, err, tt.title)
			}
			if p.Loading() {
				t.Error("still loading")
			}
		})
	}
}

func TestSettleWaitsForASlowServerAsLongAsItsContext(t *testing.T) {
	base := testSite(t)
	p := openPage(t, newContext(t, ContextOptions{}), base+"/a")
	mark := p.Mark()
	eval[any](t, p, `location.href = "/slow", 0`)
	ctx, cancel := context.WithTimeout(testContext(t), 500*time.Millisecond)
	defer cancel()
	res, err := p.Settle(ctx, mark)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
	if res.Navigated || !p.Loading() {
		t.Errorf("result = %+v, loading %v", res, p.Loading())
	}
}

func TestSettleOnRestlessPages(t *testing.T) {
	base := testSite(t)
	for path, times := range map[string]int{"/reloading": 5, "/hanging-image": 1, "/chain": 5} {
		t.Run(path, func(t *testing.T) {
			p := openPage(t, newContext(t, ContextOptions{}), base+"/a")
			for range times {
				mark := p.Mark()
				eval[any](t, p, `location.href = "`+path+`", 0`)
				res, err := p.Settle(testContext(t), mark)
				if err != nil || !res.Navigated {
					t.Errorf("settled with %+v, %v", res, err)
				}
			}
		})
	}
}

// TestSettleTellsOfChanges: a document in which something changes after the input, or in which that cannot be seen, is not still.
func TestSettleTellsOfChanges(t *testing.T) {
	base := testSite(t)
	for _, tt := range []struct {
		name, set, input string
		want             bool
	}{
		{"nothing", "", "", true},
		{"at once", "", "document.body.append('x')", true},
		{"in every frame", "", "const go = () => { document.body.append('x'); requestAnimationFrame(go) }; go()", false},
		{"in tasks", "", "setInterval(() => document.body.append('x'), 1)", false},
		{"an attribute", "", "let n = 0; const go = () => { document.body.className = n++; requestAnimationFrame(go) }; go()", false},
		{"a text", "document.body.append('x')", "let n = 0; const go = () => { document.body.lastChild.data = n++; requestAnimationFrame(go) }; go()", false},
		{"beside a shadow tree", "document.body.appendChild(document.createElement('p')).attachShadow({mode: 'open'})", "", false},
		{"beside an element that may have a closed one", "document.body.append(document.createElement('x-y'))", "", false},
		{"a new document", "", "location.href = '/b'", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openPage(t, newContext(t, ContextOptions{}), base+"/a")
			eval[any](t, p, "("+"() => {"+tt.set+"})()")
			mark := p.Mark()
			eval[any](t, p, "("+"() => {"+tt.input+"})()")
			asked := false
			res, err := p.SettleMeanwhile(testContext(t), mark, func() { asked = true })
			if err != nil || !asked {
				t.Fatalf("asked %t, %v", asked, err)
			}
			if res.Still != tt.want {
				t.Errorf("still = %t, want %t", res.Still, tt.want)
			}
		})
	}
}
