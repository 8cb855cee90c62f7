package act

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestApproach: the pointer goes to where the element was seen while it is being watched, and the press is right all the same when it
// was seen elsewhere, slides, or moves because the pointer came.
func TestApproach(t *testing.T) {
	const ok = `onclick="document.title=event.isTrusted&&event.target===this?'ok':'wrong'"`
	const decoy = `<button id=x style="position:absolute;left:400px;top:0" onclick="document.title='wrong'" onmousedown="document.title='wrong'">x</button>`
	for _, c := range []struct {
		name, html string
		near       *Point // nil for where it is
		once       bool   // the pointer has to go nowhere else
	}{
		{"where it is", `<button id=b ` + ok + `>b</button>`, nil, true},
		{"seen where another is", `<button id=b ` + ok + `>b</button>` + decoy, &Point{410, 10}, false},
		{"seen outside of the window", `<button id=b ` + ok + `>b</button>`, &Point{5000, 5000}, false},
		{"scrolled into view", `<div style="height:3000px"></div><button id=b ` + ok + `>b</button>`, &Point{20, 20}, false},
		{"sliding", `<style>@keyframes s{from{transform:translateX(0)}to{transform:translateX(600px)}}#b{animation:s .5s linear both}</style><button id=b onclick="document.title=b.getAnimations().some(a=>a.playState==='running')?'wrong early':'ok'">b</button>`, nil, false},
		{"moved by the pointer", `<style>#b{transition:transform .2s linear}#b:hover{transform:translate(3px,-3px)}</style><button id=b style="width:80px;height:40px;margin:20px" ` + ok + `>b</button>`, nil, false},
		{"covered by what the pointer opens", `<button id=b ` + ok + ` style="width:120px;height:40px" onmouseenter="if(f.hidden){f.hidden=false;setTimeout(()=>f.remove(),300)}">b</button><div id=f hidden onclick="document.title='wrong'" style="position:absolute;left:8px;top:8px;width:120px;height:40px;background:#eee">tip</div>`, nil, false},
		{"transformed", `<button id=b style="transform:scale(1.5) rotate(10deg);margin:60px" ` + ok + `>b</button>`, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := open(t, c.html+`<script>window.moves=0;addEventListener('mousemove',()=>moves++,true)</script>`)
			e := tb.el("#b")
			var at [6]float64
			if err := json.Unmarshal([]byte(tb.eval("(r=>JSON.stringify([r.left+scrollX,r.top+scrollY,r.width,r.height,r.left+r.width/2,r.top+r.height/2]))(document.querySelector('#b').getBoundingClientRect())")), &at); err != nil {
				t.Fatal(err)
			}
			e.Seen, e.Near = &Area{at[0], at[1], at[2], at[3]}, &Point{at[4], at[5]}
			if c.near != nil {
				e.Near = c.near
			}
			r, err := Click(tb.wait(6*time.Second), e, ClickOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := tb.eval("document.title"); got != "ok" {
				t.Errorf("the page says %q", got)
			}
			if moves := strings.TrimSpace(tb.eval("String(moves)")); c.once && moves != "1" {
				t.Errorf("the pointer moved %s times", moves)
			}
			if len(r.Notes) > 0 {
				t.Errorf("notes %q", r.Notes)
			}
		})
	}
}
