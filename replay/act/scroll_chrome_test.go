package act

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
)

// TestPointScrollsAsTheProtocol: pointing at an element leaves the page where the protocol's own command would, without that
// command where the script can do the same.
func TestPointScrollsAsTheProtocol(t *testing.T) {
	const far = `<div style="height:3000px"></div>`
	for _, tt := range []struct {
		name, html string
		protocol   bool
	}{
		{"in view", `<button id=b>b</button>` + far, false},
		{"below", far + `<button id=b>b</button>` + far, false},
		{"in view by half", `<div style="height:590px"></div><button id=b style="height:20px">b</button>` + far, false},
		{"taller than the page", far + `<button id=b style="height:2000px">b</button>` + far, false},
		{"in a part that scrolls", `<div id=s style="height:200px;overflow:auto">` + far + `<button id=b>b</button>` + far + `</div>`, false},
		{"padding for a bar", `<style>html{scroll-padding-top:100px}</style>` + far + `<button id=b>b</button>` + far, false},
		{"smooth", `<style>html{scroll-behavior:smooth}</style>` + far + `<button id=b>b</button>` + far, true},
		{"a part that is smooth", `<div id=s style="height:200px;overflow:auto;scroll-behavior:smooth">` + far + `<button id=b>b</button>` + far + `</div>`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const where = `[scrollX, scrollY, window.s ? s.scrollTop : 0].map(Math.round).join()`
			tb := open(t, tt.html)
			call(tb, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: tb.el("#b").Backend})
			want := tb.eval(where)

			tb = open(t, tt.html)
			if _, err := Hover(tb.wait(5*time.Second), tb.el("#b")); err != nil {
				t.Fatal(err)
			}
			if got := tb.eval(where); got != want {
				t.Errorf("scrolled to %s, the protocol scrolls to %s", got, want)
			}
			if n := tb.session.scrolls.Load(); (n > 0) != tt.protocol {
				t.Errorf("%d scrolls by the protocol", n)
			}
		})
	}
}
