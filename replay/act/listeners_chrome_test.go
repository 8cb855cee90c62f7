package act

import (
	"errors"
	"testing"
	"time"
)

func TestListeners(t *testing.T) {
	tests := []struct {
		name, html, target string
		want               int
	}{
		{"none", `<button id=b>b</button>`, "#b", 0},
		{"of other events", `<button id=b onfocus="1">b</button><script>b.addEventListener('keydown',()=>{})</script>`, "#b", 0},
		{"attribute", `<button id=b onclick="1">b</button>`, "#b", 1},
		{"beside and below", `<p onclick="1">p</p><button id=b>b<i onclick="1">i</i></button>`, "#b", 0},
		{"on all that is around", `<div id=d><button id=b>b</button></div><script>
			b.addEventListener('click',()=>{}); d.addEventListener('mousedown',()=>{}); document.body.onpointerup=()=>{};
			document.addEventListener('click',()=>{},true);</script>`, "#b", 4},
		{"around a closed shadow root", `<div id=h onclick="1"></div><script>const r=h.attachShadow({mode:'closed'});r.innerHTML='<button onclick="1">b</button>';window.x=r.firstChild</script>`, "", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			var e Element
			if tt.target != "" {
				e = tb.el(tt.target)
			} else {
				e = tb.variable("x")
			}
			if got, err := Listeners(tb.wait(5*time.Second), e); err != nil || got != tt.want {
				t.Errorf("%d listeners, %v, want %d", got, err, tt.want)
			}
		})
	}
	t.Run("of a page that has gone", func(t *testing.T) {
		tb := open(t, `<button id=b>b</button>`)
		e := tb.el("#b")
		reload(tb)
		var stale *Stale
		if _, err := Listeners(tb.wait(5*time.Second), e); !errors.As(err, &stale) {
			t.Errorf("error %v, want stale", err)
		}
	})
}
