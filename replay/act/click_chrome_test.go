package act

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/keymap"
)

// log is a page script that keeps what the page saw in window.seen.
const log = `<script>
window.seen = [];
const note = (s) => seen.push(s);
</script>`

func TestClickSeenByThePage(t *testing.T) {
	tb := open(t, log+`<button id=b>Save</button><script>
	for (const t of ['mousemove','pointerdown','mousedown','mouseup','click','dblclick'])
		b.addEventListener(t, e => note([t, e.isTrusted, e.detail, e.buttons, e.shiftKey].join(' ')));
	</script>`)
	r, err := Click(tb.wait(5*time.Second), tb.el("#b"), ClickOptions{Count: 2, Modifiers: keymap.Shift})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"mousemove true 0 0 true",
		"pointerdown true 0 1 true", "mousedown true 1 1 true", "mouseup true 1 0 true", "click true 1 0 true",
		"pointerdown true 0 1 true", "mousedown true 2 1 true", "mouseup true 2 0 true", "click true 2 0 true",
		"dblclick true 2 0 true",
	}
	if got := tb.eval("seen.join('\\n')"); got != strings.Join(want, "\n") {
		t.Errorf("the page saw\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if r.Point == nil || len(r.Notes) > 0 {
		t.Errorf("point %v, notes %v", r.Point, r.Notes)
	}
}

// Pages on which a click has to succeed. The page sets the title to "ok" for a good click and to something else for
// a wrong one.
func TestClickWaitsAndAims(t *testing.T) {
	const ok = `onclick="document.title='ok'"`
	const wrong = `onclick="document.title='wrong '+event.target.id"`
	tests := []struct {
		name, html, target, note string
	}{
		{"enabled late", `<button id=b disabled ` + ok + `>b</button><script>setTimeout(()=>b.disabled=false,300)</script>`, "#b", ""},
		{"fieldset", `<fieldset id=f disabled><button id=b ` + ok + `>b</button></fieldset><script>setTimeout(()=>f.disabled=false,300)</script>`, "#b", ""},
		{"legend of a disabled fieldset", `<fieldset disabled><legend><button id=b ` + ok + `>b</button></legend></fieldset>`, "#b", ""},
		{"aria-disabled ancestor", `<div id=f aria-disabled=true><button id=b ` + ok + `>b</button></div><script>setTimeout(()=>f.removeAttribute('aria-disabled'),300)</script>`, "#b", ""},
		{"displayed late", `<button id=b style="display:none" ` + ok + `>b</button><script>setTimeout(()=>b.style.display='',300)</script>`, "#b", ""},
		{"visible late", `<div id=f style="visibility:hidden"><button id=b ` + ok + `>b</button></div><script>setTimeout(()=>f.style.visibility='',300)</script>`, "#b", ""},
		{"opacity 0", `<button id=b style="opacity:0" ` + ok + `>b</button>`, "#b", ""},
		{"display contents", `<a href="#" id=b style="display:contents" ` + ok + `><span>text</span></a>`, "#b", ""},
		{"overlay for 300 ms", `<button id=b ` + ok + `>b</button><div id=f ` + wrong + ` style="position:fixed;inset:0">Loading</div><script>setTimeout(()=>f.remove(),300)</script>`, "#b", ""},
		{"busy container", `<div id=f aria-busy=true><button id=b onclick="document.title=f.ariaBusy?'wrong':'ok'">b</button></div><script>setTimeout(()=>f.ariaBusy=null,300)</script>`, "#b", ""},
		{"busy for ever", `<div aria-busy=true><button id=b ` + ok + `>b</button></div>`, "#b", "busy"},
		{"half covered", `<button id=b style="width:200px;height:40px" ` + ok + `>b</button><div id=f ` + wrong + ` style="position:absolute;left:60px;top:0;width:300px;height:90px">Help</div>`, "#b", ""},
		{"sticky header", `<div style="height:1500px"></div><button id=b ` + ok + `>b</button><div style="height:1500px"></div><div id=f ` + wrong + ` style="position:fixed;top:0;left:0;right:0;height:330px;background:#ccc">Bar</div>`, "#b", ""},
		{"sticky footer", `<div style="height:1500px"></div><button id=b ` + ok + `>b</button><div style="height:1500px"></div><div id=f ` + wrong + ` style="position:fixed;bottom:0;left:0;right:0;height:330px;background:#ccc">Bar</div>`, "#b", ""},
		{"inner scroller with a sticky header", `<div style="height:300px;overflow:auto"><div id=f ` + wrong + ` style="position:sticky;top:0;height:160px;background:#ccc">Bar</div><div style="height:900px"></div><button id=b ` + ok + `>b</button><div style="height:900px"></div></div>`, "#b", ""},
		{"sliding for a second", `<style>@keyframes s{from{transform:translateX(0)}to{transform:translateX(800px)}}#b{animation:s 1s linear both}</style><button id=b onclick="document.title=b.getAnimations().some(a=>a.playState==='running')?'wrong early':'ok'">b</button>`, "#b", ""},
		{"pulsing for ever", `<style>@keyframes p{from{transform:scale(1)}to{transform:scale(1.2)}}#b{animation:p .4s infinite alternate}</style><button id=b ` + ok + `>Pulse</button>`, "#b", "never stands still"},
		{"label of a zero-size checkbox", `<input type=checkbox id=b style="width:0;height:0;position:absolute;appearance:none" onchange="document.title='ok'"><label for=b>Terms</label>`, "#b", "label"},
		{"label with a link in its middle", `<input type=checkbox id=b style="width:0;height:0;position:absolute;appearance:none" onchange="document.title='ok'"><label for=b style="display:block;width:300px;text-align:center;padding:10px">I accept the <a href="#x" id=x onclick="document.title='wrong'">terms and conditions</a> now</label>`, "#b", "label"},
		{"transparent checkbox under its label", `<style>label{position:relative;display:inline-block;padding:10px 40px}label input{position:absolute;opacity:0}label i{position:absolute;inset:0;background:#eee}</style><label>A<input type=checkbox id=b onchange="document.title='ok'"><i></i></label>`, "#b", ""},
		{"wrapped inline link", `<p style="width:200px;font:20px/24px monospace">some words before <a id=b href="#" ` + ok + `>a link that wraps over</a> lines</p>`, "#b", ""},
		{"link around an image", `<a id=b href="#" ` + ok + `><svg width=50 height=50 style="display:block"><rect width=50 height=50 /></svg></a>`, "#b", ""},
		{"one pixel", `<div id=b ` + ok + ` style="width:1px;height:1px;position:absolute;left:33px;top:77px"></div>`, "#b", ""},
		{"card with a button in its middle", `<div id=b role=button ` + ok + ` style="width:300px;height:100px;text-align:center;line-height:100px"><button id=x onclick="document.title='wrong';event.stopPropagation()">Delete</button></div>`, "#b", ""},
		{"far down", `<div style="height:5000px"></div><button id=b ` + ok + `>b</button>`, "#b", ""},
		{"smooth scrolling", `<style>html{scroll-behavior:smooth}</style><div style="height:5000px"></div><button id=b ` + ok + `>b</button>`, "#b", ""},
		{"custom element with a slot", `<my-b id=b ` + ok + `><span>text</span></my-b><script>customElements.define('my-b',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<button><slot></slot></button>'}})</script>`, "#b", ""},
		{"panel that the hover opens", `<button id=b ` + ok + ` style="width:120px;height:40px" onmouseenter="if(f.hidden){f.hidden=false;setTimeout(()=>f.remove(),300)}">b</button><div id=f hidden ` + wrong + ` style="position:absolute;left:8px;top:8px;width:120px;height:40px;background:#eee">tip</div>`, "#b", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			r, err := Click(tb.wait(6*time.Second), tb.el(tt.target), ClickOptions{})
			if err != nil {
				t.Fatalf("click: %v", err)
			}
			if got := tb.eval("document.title"); got != "ok" {
				t.Errorf("the page says %q", got)
			}
			notes := strings.Join(r.Notes, "; ")
			if (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// Pages on which a click must not happen, and what it says.
func TestClickRefuses(t *testing.T) {
	const wrong = `onmousedown="document.title='pressed'"`
	tests := []struct {
		name, html string
		state      State
		text       string
	}{
		{"disabled", `<button id=b disabled>b</button>`, Disabled, "it is disabled"},
		{"fieldset", `<fieldset disabled><button id=b>b</button></fieldset>`, Disabled, "fieldset"},
		{"aria-disabled", `<div aria-disabled=true aria-label=Tools><a href="#" id=b>b</a></div>`, Disabled, `div "Tools" around it is disabled`},
		{"inert", `<div inert><button id=b>b</button></div>`, Disabled, "inert"},
		{"not displayed", `<div style="display:none"><button id=b>b</button></div>`, Hidden, "not displayed"},
		{"without size", `<div id=b style="width:0;height:0;overflow:hidden">text</div>`, Hidden, "no size"},
		{"invisible", `<button id=b style="visibility:hidden">b</button>`, Hidden, "visibility: hidden"},
		{"overlay", `<button id=b>b</button><div ` + wrong + ` role=dialog aria-label=Cookies style="position:fixed;inset:0">We use cookies</div>`, Covered, `covered by div "Cookies" (role dialog)`},
		{"in a dialog", `<button id=b>b</button><dialog id=d><h2>Delete item?</h2><div ` + wrong + ` style="position:fixed;inset:0">Sure?</div></dialog><script>d.show()</script>`, Covered, `covered by div "Sure?" in dialog "Delete item?"`},
		{"modal dialog", `<button id=b>b</button><dialog id=d aria-label=Terms style="width:90%;height:90%">Hello</dialog><script>d.showModal()</script>`, Covered, `dialog "Terms"`},
		{"no pointer events", `<button id=b style="pointer-events:none">b</button>`, NoPointer, "pointer-events"},
		{"off the page", `<button id=b style="position:fixed;left:-500px">b</button>`, Offscreen, "viewport"},
		{"sliding for ever", `<style>@keyframes s{from{left:0}to{left:900px}}#b{position:absolute;animation:s .7s linear infinite}</style><button id=b ` + wrong + `>b</button>`, Moving, "moving"},
		{"native option", `<select><option>a<option id=b>b</select>`, Unfit, "option"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			_, err := Click(tb.wait(900*time.Millisecond), tb.el("#b"), ClickOptions{})
			var notReady *NotReady
			if !errors.As(err, &notReady) {
				t.Fatalf("got %v, want a NotReady", err)
			}
			if notReady.State != tt.state || !strings.Contains(notReady.Text, tt.text) {
				t.Errorf("got %s %q, want %s %q", notReady.State, notReady.Text, tt.state, tt.text)
			}
			if n := tb.session.presses.Load(); n > 0 || tb.eval("document.title") == "pressed" {
				t.Errorf("%d presses were sent", n)
			}
		})
	}
}

func TestClickOnDisabledHovers(t *testing.T) {
	tb := open(t, log+`<button id=b disabled>b</button><script>b.onpointerenter=()=>note('enter')</script>`)
	if _, err := Hover(tb.wait(3*time.Second), tb.el("#b")); err != nil {
		t.Fatal(err)
	}
	if got := tb.eval("b.matches(':hover')"); got != "true" {
		t.Errorf("hover is %s", got)
	}
}

// What moves under the pointer between the last check and the press is not pressed.
func TestGuardKeepsAWrongPressFromThePage(t *testing.T) {
	tb := open(t, log+`<button id=b style="position:absolute;left:0;top:0;width:100px;height:40px">Good</button>
	<button id=x style="position:absolute;left:300px;top:0;width:100px;height:40px">Bad</button><script>
	for (const t of ['pointerdown','mousedown','mouseup','click','focus']) {
		x.addEventListener(t, () => note('bad ' + t));
		document.addEventListener(t, (e) => { if (e.target === b) note('good ' + t) }, true);
	}
	// The page swaps the two as soon as a press begins, before any listener behind the guard hears of it.
	let swaps = 0;
	window.swap = () => { if (swaps++) return; b.style.left = '300px'; x.style.left = '0' };
	</script>`)
	e := tb.el("#b")
	h, err := hold(tb.ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	swapping := &swapBeforePress{counting: tb.session, swap: func() { tb.eval("swap()") }}
	h.Session, e.Session, e.Page = swapping, swapping, swapping
	if _, err := Click(tb.wait(5*time.Second), e, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	got := tb.eval("seen.join()")
	if strings.Contains(got, "bad") || !strings.Contains(got, "good click") {
		t.Errorf("the page saw %s", got)
	}
	if n := tb.session.presses.Load(); n != 2 {
		t.Errorf("%d presses were sent, want 2", n)
	}
}

func TestClickStale(t *testing.T) {
	for _, name := range []string{"removed", "navigated"} {
		t.Run(name, func(t *testing.T) {
			tb := open(t, `<button id=b>b</button>`)
			e := tb.el("#b")
			if name == "removed" {
				tb.eval("b.remove()")
			} else {
				reload(tb)
			}
			_, err := Click(tb.wait(10*time.Second), e, ClickOptions{})
			var stale *Stale
			if !errors.As(err, &stale) {
				t.Fatalf("got %v, want a Stale", err)
			}
			if tb.session.presses.Load() > 0 {
				t.Error("a press was sent")
			}
		})
	}
}

func TestClickThatLeavesThePage(t *testing.T) {
	tb := open(t, `<a id=b href="/next">next</a>`, "next", "<title>arrived</title>")
	if _, err := Click(tb.wait(5*time.Second), tb.el("#b"), ClickOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestClickReportsToggles(t *testing.T) {
	tests := []struct{ name, html, before, after string }{
		{"checkbox", `<input type=checkbox id=b>`, "false", "true"},
		{"pressed", `<button id=b aria-pressed=false onclick="ariaPressed=ariaPressed==='true'?'false':'true'">B</button>`, "false", "true"},
		{"switch", `<div id=b role=switch tabindex=0 aria-checked=true onclick="setTimeout(()=>ariaChecked='false')">B</div>`, "true", "false"},
		{"expanded", `<button id=b aria-expanded=false onclick="ariaExpanded='true'">B</button>`, "false", "true"},
		{"details", `<details><summary id=b>More</summary>text</details>`, "false", "true"},
	}
	state := func(f FieldState) string {
		return f.Checked + f.AriaChecked + f.Pressed + f.Expanded
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			r, err := Click(tb.wait(5*time.Second), tb.el("#b"), ClickOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := state(r.Before) + " " + state(r.After); got != tt.before+" "+tt.after || !r.Before.Toggled(r.After) {
				t.Errorf("states %s, want %s %s", got, tt.before, tt.after)
			}
		})
	}
}

func TestShadowTrees(t *testing.T) {
	for _, mode := range []string{"open", "closed"} {
		t.Run(mode, func(t *testing.T) {
			tb := open(t, `<div id=h></div><script>
			const outer = h.attachShadow({mode:'`+mode+`'});
			outer.innerHTML = '<section><div id=in>text in light</div></section>';
			const root = outer.querySelector('#in').attachShadow({mode:'`+mode+`'});
			root.innerHTML = '<button>Deep <slot></slot></button>';
			var deep = root.querySelector('button');
			deep.onclick = () => document.title = 'ok';
			</script>`)
			if _, err := Click(tb.wait(3*time.Second), tb.variable("deep"), ClickOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := tb.eval("document.title"); got != "ok" {
				t.Errorf("the page says %q", got)
			}
			tb.eval(`const c = document.createElement('div'); c.textContent='On top'; c.style='position:fixed;inset:0'; document.body.append(c)`)
			_, err := Click(tb.wait(800*time.Millisecond), tb.variable("deep"), ClickOptions{})
			var notReady *NotReady
			if !errors.As(err, &notReady) || notReady.Cover != `div "On top"` {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestScrollTo(t *testing.T) {
	tb := open(t, `<div style="height:3000px"></div><iframe style="height:200px" src=/in></iframe><div style="height:3000px"></div>`, "in", `<div style="height:900px"></div><p id=b>here</p><div style="height:900px"></div>`)
	e := tb.deep()
	if err := ScrollTo(tb.wait(3*time.Second), e); err != nil {
		t.Fatal(err)
	}
	if got := tb.eval("String(scrollY > 2000 && frames[0].scrollY > 500)"); got != "true" {
		t.Error("it was not scrolled into view in both documents")
	}
	hidden := open(t, `<p id=b hidden>text</p>`)
	var notReady *NotReady
	if err := ScrollTo(hidden.wait(300*time.Millisecond), hidden.el("#b")); !errors.As(err, &notReady) || notReady.State != Hidden {
		t.Errorf("hidden: got %v", err)
	}
}

func TestReadField(t *testing.T) {
	tests := []struct {
		name, html string
		want       FieldState
	}{
		{"text in a form", `<form><input id=b value=x maxlength=9></form>`, FieldState{Kind: KindText, Tag: "input", Type: "text", Value: "x", Enabled: true, Editable: true, MaxLength: 9, HasForm: true}},
		{"read-only", `<textarea id=b readonly>x</textarea>`, FieldState{Kind: KindText, Tag: "textarea", Value: "x", Enabled: true, ReadOnly: true, MaxLength: -1}},
		{"checkbox in its label", `<label id=b>Yes <input type=checkbox checked></label>`, FieldState{Kind: KindToggle, Tag: "input", Type: "checkbox", Checked: "true", Enabled: true, MaxLength: -1}},
		{"list", `<select id=b disabled><option value=1>One  and<option value=2 selected disabled>Two</select>`, FieldState{Kind: KindSelect, Tag: "select", Value: "2", MaxLength: -1, Options: []Option{{Value: "1", Label: "One and", Disabled: false}, {Value: "2", Label: "Two", Selected: true, Disabled: true}}}},
		{"custom switch", `<div id=b role=switch aria-checked=mixed tabindex=0></div>`, FieldState{Kind: KindOther, Tag: "div", AriaChecked: "mixed", Enabled: true, MaxLength: -1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			got, err := ReadField(tb.ctx, tb.el("#b"))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Options) == 0 {
				got.Options = nil
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(FieldState{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A press is one click only when nothing takes the element's place before the button is let go.
func TestClickUnheard(t *testing.T) {
	for _, tt := range []struct {
		name, html string
		unheard    bool
	}{
		{"stays", `<button id=b onclick="document.title='ok'">b</button>`, false},
		{"replaced by its press", `<div id=d onmousedown="d.innerHTML=d.innerHTML"><button id=b onclick="document.title='ok'">b</button></div>`, true},
		{"removed by its click", `<button id=b onclick="document.title='ok';b.remove()">b</button>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			r, err := Click(tb.wait(5*time.Second), tb.el("#b"), ClickOptions{})
			if err != nil || r.Unheard != tt.unheard {
				t.Errorf("unheard %v, %v, want %v", r.Unheard, err, tt.unheard)
			}
			if heard := tb.eval("document.title") == "ok"; heard == tt.unheard {
				t.Errorf("the page heard the click: %v", heard)
			}
		})
	}
}
