package act

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// shifting is a session on which something happens to the page just before the first event of a kind is sent.
type shifting struct {
	cdp.Session
	event string
	shift func()
}

func (s *shifting) Call(ctx context.Context, method string, params, result any) error {
	if raw, err := jsonv2.Marshal(params); err == nil && s.shift != nil && strings.Contains(string(raw), `"`+s.event+`"`) {
		shift := s.shift
		s.shift = nil
		shift()
	}
	return s.Session.Call(ctx, method, params, result)
}

// jumpy is a page whose own listeners come first on the window, and see where each event of a press went. swap puts a trap
// where the button was.
const jumpy = `<script>
window.seen = [];
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(type, e => seen.push(type + ' ' + (e.target.id || e.target.localName)), true);
const swap = () => { b.style.top = '200px'; trap.style.top = '20px' };
</script><style>button, #trap { position: absolute; top: 20px; width: 200px; height: 40px }</style>
<button id=b onclick="document.title='ok'">b</button><div id=trap style="top:200px" onclick="document.title='wrong'"></div>`

// A page that is moved between the last check and the press hears nothing of the press, not even through listeners that it
// had on its window before; the element is pressed where it is then.
func TestClickMissesUnheard(t *testing.T) {
	tb := open(t, jumpy)
	e := tb.el("#b")
	e.Session = &shifting{Session: e.Session, event: "mousePressed", shift: func() { tb.eval("swap()") }}
	r, err := Click(tb.wait(5*time.Second), e, ClickOptions{})
	if err != nil || r.Unheard {
		t.Errorf("unheard %v, %v", r.Unheard, err)
	}
	want := "pointerdown b,mousedown b,pointerup b,mouseup b,click b"
	if got := tb.eval("seen.join()"); got != want {
		t.Errorf("the page heard %s, want %s", got, want)
	}
	if n := tb.session.presses.Load(); n != 2 {
		t.Errorf("%d presses, want 2", n)
	}
}

// What moves away while the button is down is not clicked, and neither is what it left behind.
func TestClickAstray(t *testing.T) {
	tb := open(t, jumpy)
	e := tb.el("#b")
	e.Session = &shifting{Session: e.Session, event: "mouseReleased", shift: func() { tb.eval("swap()") }}
	r, err := Click(tb.wait(5*time.Second), e, ClickOptions{})
	if err != nil || !r.Unheard {
		t.Errorf("unheard %v, %v, want true", r.Unheard, err)
	}
	if got := tb.eval("seen.join()"); strings.Contains(got, "click") {
		t.Errorf("the page heard %s", got)
	}
}

// The click that a label passes on to its control belongs to the click on what stands in the label.
func TestClickInsideLabel(t *testing.T) {
	tb := open(t, `<label><input type=checkbox id=c style="margin-right:300px"><span id=b onclick="b.style.cssText='position:fixed;top:300px'">Send me news</span></label>`)
	if _, err := Click(tb.wait(5*time.Second), tb.el("#b"), ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := tb.eval("String(c.checked)"); got != "true" {
		t.Errorf("the checkbox is checked: %s", got)
	}
}

// What took the place of an element that was removed before the press hears nothing of it.
func TestClickOnRemoved(t *testing.T) {
	tb := open(t, jumpy)
	e := tb.el("#b")
	e.Session = &shifting{Session: e.Session, event: "mousePressed", shift: func() { tb.eval("swap(); b.remove()") }}
	_, err := Click(tb.wait(5*time.Second), e, ClickOptions{})
	if _, ok := errors.AsType[*Stale](err); !ok {
		t.Errorf("got %v, want a stale element", err)
	}
	if got := tb.eval("seen.join()"); got != "" {
		t.Errorf("the page heard %s", got)
	}
}
