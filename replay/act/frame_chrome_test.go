package act

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

const (
	inner = `<body style="margin:0"><div style="height:{H}px"></div><button id=b style="width:120px;height:30px" onclick="document.title=[event.isTrusted,event.offsetX>0].join()">Pay</button><input id=i onchange="document.title='changed '+value"><div style="height:700px"></div>`
)

func doc(height string) string { return strings.ReplaceAll(inner, "{H}", height) }

// deep is the frame that lies innermost in the tab's process.
func (tb *tab) deep() Element {
	frames := tb.frames()
	return tb.in(tb.session, frames[len(frames)-1], `document.querySelector("#b")`)
}

func TestFramesOfTheSameProcess(t *testing.T) {
	const style = `style="width:400px;height:200px;border:7px solid;padding:11px 0 0 13px;margin:20px"`
	tests := []struct{ name, html, frame, middle string }{
		{"border and padding", `<iframe src=/in ` + style + `></iframe>`, doc("0"), ""},
		{"scrolled inside and outside", `<div style="height:1200px"></div><iframe src=/in ` + style + `></iframe><div style="height:1200px"></div>`, doc("800"), ""},
		{"nested", `<iframe src=/mid ` + style + `></iframe>`, doc("300"), `<p>text<p><iframe src=/in ` + style + `></iframe>`},
		{"scaled", `<iframe src=/in style="width:400px;height:200px;border:7px solid;transform:scale(1.5) rotate(20deg);margin:150px"></iframe>`, doc("0"), ""},
		{"zoomed", `<div style="zoom:1.3"><iframe src=/in ` + style + `></iframe></div>`, doc("300"), ""},
		{"zoomed, nested", `<div style="zoom:1.3"><iframe src=/mid ` + style + `></iframe></div>`, doc("300"), `<p>text<p><div style="zoom:.8"><iframe src=/in ` + style + `></iframe></div>`},
		{"another origin", `<iframe src="http://x.a.test:{PORT}/in" ` + style + `></iframe>`, doc("300"), ""},
		{"another origin, nested", `<div style="height:900px"></div><iframe src="http://x.a.test:{PORT}/mid" ` + style + `></iframe>`, doc("300"), `<p>text<p><iframe src="http://a.test:{PORT}/in" ` + style + `></iframe>`},
		{"shadow host", `<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<iframe src=/in></iframe>'</script>`, doc("300"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html, "in", tt.frame, "mid", tt.middle)
			e := tb.deep()
			before := tb.session.calls.Load()
			r, err := Click(tb.wait(5*time.Second), e, ClickOptions{})
			if err != nil {
				t.Fatalf("click: %v", err)
			}
			t.Logf("commands: %d", tb.session.calls.Load()-before)
			if got := title(tb, e); got != "true,true" || len(r.Notes) > 0 {
				t.Errorf("the frame says %q, notes %v", got, r.Notes)
			}
			if r.Point.X <= 0 || r.Point.Y <= 0 || r.Point.X >= 1000 || r.Point.Y >= 600 {
				t.Errorf("point %v is not in the viewport", *r.Point)
			}
			// Something on top of the frame in the page is seen from inside.
			tb.eval(`const c=document.createElement('div'); c.textContent='Cookies'; c.style='position:fixed;inset:0;z-index:9'; c.onmousedown=()=>document.title='pressed'; document.body.append(c)`)
			_, err = Click(tb.wait(900*time.Millisecond), e, ClickOptions{})
			var notReady *NotReady
			if !errors.As(err, &notReady) || notReady.Cover != `div "Cookies"` || tb.eval("document.title") == "pressed" {
				t.Errorf("covered: got %v", err)
			}
		})
	}
}

func title(tb *tab, e Element) string {
	h, err := hold(tb.ctx, e)
	if err != nil {
		tb.Fatal(err)
	}
	return documentTitle(tb, h)
}

func TestFrameOfAnotherProcessTurned(t *testing.T) {
	tb := open(t, `<iframe id=f src="http://b.test:{PORT}/in" style="width:400px;height:200px;border:7px solid;padding:11px 0 0 13px;margin:150px;transform:rotate(30deg) scale(1.4)"></iframe>`, "in", doc("0"))
	e := tb.remote("#f", "#b")
	if _, err := Click(tb.wait(8*time.Second), e, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := title(tb, e); got != "true,true" {
		t.Errorf("the frame says %q", got)
	}
}

func TestFrameOfAnotherProcess(t *testing.T) {
	tb := open(t, `<div style="height:900px"></div>
	<iframe id=f src="http://b.test:{PORT}/in" style="width:400px;height:200px;border:7px solid;padding:11px 0 0 13px;margin-left:50px"></iframe>
	<div style="height:900px"></div>`, "in", doc("500"))
	e := tb.remote("#f", "#b")
	before := tb.session.calls.Load() + e.Session.(*counting).calls.Load()
	r, err := Click(tb.wait(8*time.Second), e, ClickOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("commands: %d", tb.session.calls.Load()+e.Session.(*counting).calls.Load()-before)
	if got := title(tb, e); got != "true,true" {
		t.Errorf("the frame says %q", got)
	}
	// The point of the report is where the button is seen in the tab.
	left := 8 + 50 + 7 + 13 + 60.0
	if math.Abs(r.Point.X-left) > 3 || r.Point.Y < 0 || r.Point.Y > 600 {
		t.Errorf("point %v, want x %v", *r.Point, left)
	}

	field := e
	field.Backend = tb.in(e.Session, frameOf(tb, e), `document.querySelector("#i")`).Backend
	if _, err := Fill(tb.wait(5*time.Second), field, FillOptions{Value: "Ada", Keys: true}); err != nil {
		t.Fatal(err)
	}
	if got := title(tb, e); got != "changed Ada" {
		t.Errorf("fill: the frame says %q", got)
	}
	if _, err := Press(tb.wait(5*time.Second), &field, "x", 0); err != nil {
		t.Fatal(err)
	}
	if f, err := ReadField(tb.ctx, field); err != nil || !strings.Contains(f.Value, "x") {
		t.Errorf("press: %v", err)
	}

	tb.eval(`const c=document.createElement('div'); c.setAttribute('role','dialog'); c.textContent='Cookies'; c.style='position:fixed;inset:0;z-index:9'; c.onmousedown=()=>document.title='pressed'; document.body.append(c)`)
	_, err = Click(tb.wait(900*time.Millisecond), e, ClickOptions{})
	var notReady *NotReady
	if !errors.As(err, &notReady) || notReady.State != Covered || !strings.Contains(notReady.Cover, "Cookies") {
		t.Errorf("covered: got %v", err)
	}
	if tb.eval("document.title") == "pressed" {
		t.Error("the cover was pressed")
	}
}
