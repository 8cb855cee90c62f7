package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

var framePages = map[string]string{
	"/": `<title>top</title><iframe name=one src="{other}/middle"></iframe><iframe name=two src="/leaf?two"></iframe>
		<iframe name=three srcdoc="<p>three"></iframe>`,
	"/middle":   `<title>middle</title><iframe name=inner src="{base}/leaf?inner"></iframe><iframe name=near src="{other}/leaf?near"></iframe>`,
	"/leaf":     `<title>leaf</title><p>leaf`,
	"/frameset": `<frameset cols="50%,50%"><frame name=left src="/leaf?left"><frame name=right src="{other}/leaf?right"></frameset>`,
	"/late":     `<title>late</title><p>none yet`,
}

// frameRow is what a test says of a frame.
type frameRow struct {
	Name, Parent string
	Owner        string // tag and name of the owner element
	OutOfProcess bool
	Title        string
}

// rows describes the frames, and proves on the way that each session, world and owner is the right one.
func rows(t *testing.T, p *Page) []frameRow {
	t.Helper()
	ctx := testContext(t)
	frames, err := p.Frames(ctx)
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[cdp.FrameID]Frame)
	var out []frameRow
	for _, f := range frames {
		byID[f.ID] = f
		row := frameRow{Name: f.Name, Parent: byID[f.Parent].Name, OutOfProcess: f.OutOfProcess}
		world, err := p.World(ctx, f.ID)
		if err != nil {
			t.Fatalf("frame %s: %v", f.Name, err)
		}
		res, err := cdp.Call(ctx, f.Session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: "document.title + '|' + location.href + '|' + name", ContextID: world, ReturnByValue: new(true),
		})
		if err != nil {
			t.Fatalf("frame %s: %v", f.Name, err)
		}
		row.Title = objectText(res.Result)
		if want := f.URL + "|" + f.Name; len(row.Title) < len(want) || row.Title[len(row.Title)-len(want):] != want {
			t.Errorf("frame %s (%s): its world says %q", f.Name, f.URL, row.Title)
		} else {
			row.Title = row.Title[:len(row.Title)-len(want)-1]
		}
		if again, err := p.World(ctx, f.ID); err != nil || again != world {
			t.Errorf("frame %s: second World = %v, %v; want %v", f.Name, again, err, world)
		}
		if f.Owner != 0 {
			desc, err := cdp.Call(ctx, byID[f.Parent].Session, dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: f.Owner})
			if err != nil {
				t.Fatalf("owner of frame %s: %v", f.Name, err)
			}
			row.Owner = desc.Node.LocalName
			for i := 0; i+1 < len(desc.Node.Attributes); i += 2 {
				if desc.Node.Attributes[i] == "name" {
					row.Owner += " " + desc.Node.Attributes[i+1]
				}
			}
		}
		if f.Loader == "" {
			t.Errorf("frame %s has no loader", f.Name)
		}
		out = append(out, row)
	}
	return out
}

func TestFrames(t *testing.T) {
	base, _ := serve(t, framePages)
	tests := []struct {
		path string
		want []frameRow
	}{
		{"/", []frameRow{
			{"", "", "", false, "top"},
			{"one", "", "iframe one", true, "middle"},
			{"inner", "one", "iframe inner", true, "leaf"},
			{"near", "one", "iframe near", true, "leaf"},
			{"two", "", "iframe two", false, "leaf"},
			{"three", "", "iframe three", false, ""},
		}},
		{"/frameset", []frameRow{
			{"", "", "", false, ""},
			{"left", "", "frame left", false, "leaf"},
			{"right", "", "frame right", true, "leaf"},
		}},
	}
	c := newContext(t, ContextOptions{})
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p := openPage(t, c, base+tt.path)
			if diff := cmp.Diff(tt.want, rows(t, p)); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLateFrames(t *testing.T) {
	base, other := serve(t, framePages)
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/late")
	top := frameRow{"", "", "", false, "late"}
	if diff := cmp.Diff([]frameRow{top}, rows(t, p)); diff != "" {
		t.Fatalf("frames (-want +got):\n%s", diff)
	}
	step := func(expression string, want ...frameRow) {
		t.Helper()
		mark := p.Mark()
		eval[any](t, p, expression+"; 0")
		if _, err := p.Settle(testContext(t), mark); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]frameRow{top}, want...), rows(t, p)); diff != "" {
			t.Errorf("frames after %s (-want +got):\n%s", expression, diff)
		}
	}
	before := p.Documents()
	step(`f = document.createElement("iframe"); f.name = "late"; f.src = "`+other+`/leaf"; document.body.append(f)`,
		frameRow{"late", "", "iframe late", true, "leaf"})
	if p.Documents() == before {
		t.Error("the document count did not grow")
	}
	step(`f.src = "/leaf?home"`, frameRow{"late", "", "iframe late", false, "leaf"})
	step(`f.src = "`+other+`/middle"`,
		frameRow{"late", "", "iframe late", true, "middle"},
		frameRow{"inner", "late", "iframe inner", true, "leaf"},
		frameRow{"near", "late", "iframe near", true, "leaf"})
	frames, err := p.Frames(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	gone := frames[1].Session
	step(`f.remove()`)
	if _, err := cdp.Call(testContext(t), gone, page.GetFrameTree, cdp.Empty{}); !isErr(err, ErrFrameDetached) {
		t.Errorf("call on a frame that left: %v", err)
	}
}

// TestFramesAreAskedForOnce: the browser is asked again only after an event told of a change.
func TestFramesAreAskedForOnce(t *testing.T) {
	base, _ := serve(t, framePages)
	p := openPage(t, newContext(t, ContextOptions{}), base+"/")
	list := func() (n int, commands int64) {
		t.Helper()
		before := p.ctx.b.conn.nextID.Load()
		frames, err := p.Frames(testContext(t))
		if err != nil {
			t.Fatal(err)
		}
		return len(frames), p.ctx.b.conn.nextID.Load() - before
	}
	n, _ := list()
	if again, commands := list(); again != n || commands != 0 {
		t.Errorf("%d frames with %d commands, want the same %d with none", again, commands, n)
	}
	mark := p.Mark()
	eval[any](t, p, `document.querySelector("[name=two]").remove()`)
	if _, err := p.Settle(testContext(t), mark); err != nil {
		t.Fatal(err)
	}
	if fewer, commands := list(); fewer != n-1 || commands == 0 {
		t.Errorf("%d frames with %d commands, want %d, asked for", fewer, commands, n-1)
	}
}

func TestFrameCrash(t *testing.T) {
	base, _ := serve(t, framePages)
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/frameset")
	frames, err := p.Frames(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	right := frames[2].Session
	if _, err := cdp.Call(testContext(t), right, page.Crash, cdp.Empty{}); !isErr(err, ErrPageCrashed) {
		t.Errorf("call on the crashed frame: %v", err)
	}
	if got := eval[int](t, p, "1+1"); got != 2 {
		t.Errorf("the top document is dead too")
	}
	if isClosed(p.Crashed()) {
		t.Error("the tab counts as crashed")
	}
	if _, err := p.Frames(testContext(t)); err != nil {
		t.Error(err)
	}
}

func TestWorldIsRebuilt(t *testing.T) {
	base, other := serve(t, framePages)
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/late")
	eval[any](t, p, "globalThis.mine = 1")
	for _, url := range []string{base + "/late", base + "/leaf", other + "/leaf", base + "/leaf"} {
		if err := p.Navigate(testContext(t), url); err != nil {
			t.Fatal(err)
		}
		if got := eval[string](t, p, "typeof mine + location.href"); got != "undefined"+url {
			t.Errorf("after going to %s the world says %q", url, got)
		}
	}
}
