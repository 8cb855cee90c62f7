package act

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"retrace/keymap"
)

const watchList = `<script>window.seen=[];for(const t of ['input','change'])document.addEventListener(t,e=>seen.push(t+[...e.target.selectedOptions].map(o=>o.value).join('+')))</script>`

func TestSelect(t *testing.T) {
	const one = `<select id=b><option value=a>Apple<option value=b>Banana<option value=c selected>Cherry</select>`
	tests := []struct {
		name, html string
		choices    []Choice
		want, note string
	}{
		{"value and label", one, []Choice{{"b", "Banana"}}, "inputb,changeb", ""},
		{"value", one, []Choice{{Value: "b"}}, "inputb,changeb", ""},
		{"label alone", one, []Choice{{Label: " Banana\n"}}, "inputb,changeb", ""},
		{"numbered anew", `<select id=b><option value=3>Apple<option value=1>Banana<option value=2>Cherry</select>`, []Choice{{"3", "Cherry"}}, "input2,change2", "by its label"},
		{"count in the label", `<select id=b><option>x<option value=a>Apples (12)</select>`, []Choice{{"a", "Apples (9)"}}, "inputa,changea", "digits"},
		{"translated", one, []Choice{{"b", "Plátano"}}, "inputb,changeb", "by its value"},
		{"already", one, []Choice{{"c", "Cherry"}}, "", "already"},
		{"late options", `<select id=b></select><script>setTimeout(()=>b.innerHTML='<option>x<option value=b>Banana',300)</script>`, []Choice{{"b", "Banana"}}, "inputb,changeb", ""},
		{"late enabled option", `<select id=b><option>x<optgroup id=g disabled><option value=b>Banana</optgroup></select><script>setTimeout(()=>g.disabled=false,300)</script>`, []Choice{{"b", "Banana"}}, "inputb,changeb", ""},
		{"late enabled", `<select id=b disabled><option>x<option value=b>Banana</select><script>setTimeout(()=>b.disabled=false,300)</script>`, []Choice{{"b", "Banana"}}, "inputb,changeb", ""},
		{"options that come with the focus", `<select id=b onfocus="setTimeout(()=>b.innerHTML='<option>x<option value=b>Banana',50)"></select>`, []Choice{{"b", "Banana"}}, "inputb,changeb", ""},
		{"several", `<select id=b multiple><option value=a selected>A<option value=b>B<option value=c>C</select>`, []Choice{{Value: "b"}, {Value: "c"}}, "inputb+c,changeb+c", ""},
		{"none", `<select id=b multiple><option value=a selected>A</select>`, nil, "input,change", ""},
		{"empty value", `<select id=b><option value="">Choose<option value=a selected>A</select>`, []Choice{{Value: "", Label: "Choose"}}, "input,change", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, watchList+tt.html)
			e := tb.el("#b")
			before := tb.session.calls.Load()
			r, err := Select(tb.wait(4*time.Second), e, tt.choices)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("commands: %d", tb.session.calls.Load()-before)
			if got := tb.eval("seen.join()"); got != tt.want {
				t.Errorf("the page saw %q, want %q", got, tt.want)
			}
			notes := strings.Join(r.Notes, "; ")
			if (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

func TestSelectInAShadowTree(t *testing.T) {
	tb := open(t, `<div id=b></div><script>b.attachShadow({mode:'open'}).innerHTML='<label>Fruit <select><option>x<option value=b>Banana</select></label>';
	window.seen=[]; b.addEventListener('input', () => seen.push('input')); b.shadowRoot.addEventListener('change', e => seen.push('change ' + e.target.value))</script>`)
	if _, err := Select(tb.wait(3*time.Second), tb.el("#b"), []Choice{{"b", "Banana"}}); err != nil {
		t.Fatal(err)
	}
	if got := tb.eval("seen.join()"); got != "input,change b" {
		t.Errorf("the page saw %s", got)
	}
}

func TestSelectMissing(t *testing.T) {
	tests := []struct{ name, html, why string }{
		{"missing", `<select id=b><option>Apple</select>`, ""},
		{"disabled", `<select id=b><option>Apple<option disabled>Banana</select>`, "it is disabled"},
		{"twice", `<select id=b><option value=1>Banana<option value=2>Banana</select>`, "several options have this label"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, watchList+tt.html)
			_, err := Select(tb.wait(700*time.Millisecond), tb.el("#b"), []Choice{{"Banana", "Banana"}})
			var missing *OptionMissing
			if !errors.As(err, &missing) || missing.Why != tt.why || missing.Want[0] != "Banana" {
				t.Fatalf("got %v", err)
			}
			if got := tb.eval("seen.join()"); got != "" {
				t.Errorf("the page saw %s", got)
			}
		})
	}
}

func TestSelectPutBack(t *testing.T) {
	tb := open(t, `<select id=b onchange="value='a'"><option>a<option>b</select>`)
	_, err := Select(tb.wait(3*time.Second), tb.el("#b"), []Choice{{Value: "b"}})
	var rejected *ValueRejected
	if !errors.As(err, &rejected) {
		t.Fatalf("got %v, want a ValueRejected", err)
	}
}

func TestSelectRefuses(t *testing.T) {
	tb := open(t, `<select id=b><option>a<option>b</select><h1 id=h>T</h1>`)
	for selector, n := range map[string]int{"#b": 2, "#h": 1} {
		_, err := Select(tb.wait(700*time.Millisecond), tb.el(selector), make([]Choice, n))
		var notReady *NotReady
		if !errors.As(err, &notReady) || notReady.State != Unfit {
			t.Errorf("%s: got %v", selector, err)
		}
	}
}

func TestPress(t *testing.T) {
	const page = `<script>window.seen=[];document.addEventListener('keydown',e=>seen.push(e.target.id+' '+[e.ctrlKey?'Ctrl+':'',e.key].join('')));document.addEventListener('focusin',e=>seen.push('focus '+e.target.id))</script>
	<form onsubmit="seen.push('submit');return false"><input id=a><input id=b><button>Go</button></form><div id=w tabindex=-1><button id=k>K</button></div>`
	tests := []struct {
		name, before, target, key string
		mods                      keymap.Modifiers
		want                      string
	}{
		{"enter submits", "", "#b", "Enter", 0, "focus b,b Enter,submit"},
		{"has the focus", "b.focus();seen.length=0", "#b", "Escape", 0, "b Escape"},
		{"something inside has the focus", "k.focus();seen.length=0", "#w", "Escape", 0, "k Escape"},
		{"whatever has the focus", "a.focus();seen.length=0", "", "ArrowDown", 0, "a ArrowDown"},
		{"chord", "", "#a", "a", keymap.Ctrl, "focus a,a Ctrl+Control,a Ctrl+a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, page)
			tb.eval(tt.before)
			e := Element{Page: tb.session}
			if tt.target != "" {
				e = tb.el(tt.target)
			}
			if _, err := Press(tb.wait(3*time.Second), &e, tt.key, tt.mods); err != nil {
				t.Fatal(err)
			}
			if got := tb.eval("seen.join()"); got != tt.want {
				t.Errorf("the page saw %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("not focusable", func(t *testing.T) {
		tb := open(t, `<p id=b>text</p>`)
		e := tb.el("#b")
		_, err := Press(tb.wait(500*time.Millisecond), &e, "Enter", 0)
		var notReady *NotReady
		if !errors.As(err, &notReady) || notReady.State != Unfit {
			t.Errorf("got %v", err)
		}
	})
	t.Run("unknown key", func(t *testing.T) {
		_, err := Press(t.Context(), &Element{}, "Hyperspace", 0)
		var unknown *keymap.UnknownKeyError
		if !errors.As(err, &unknown) {
			t.Errorf("got %v", err)
		}
	})
}

func TestSubmitButton(t *testing.T) {
	tests := []struct {
		name, html string
		count      int
		first      string
	}{
		{"one in the form", `<form><input id=b><button type=button>x</button><button id=s>Go</button></form>`, 1, "s"},
		{"by attribute", `<form id=f><input id=b></form><input type=submit id=s form=f>`, 1, "s"},
		{"image", `<form><input id=b><input type=image id=s alt=Go width=20 height=20></form>`, 1, "s"},
		{"two", `<form><input id=b><button id=s>Go</button><button>Other</button></form>`, 2, "s"},
		{"hidden ones do not count", `<form><input id=b><button style="display:none">No</button><button id=s>Go</button></form>`, 1, "s"},
		{"no submit button", `<form><textarea id=b></textarea><button type=button id=s>Send</button></form>`, 1, "s"},
		{"search landmark", `<div role=search><input id=b><span role=button id=s>Go</span></div><button>Other</button>`, 1, "s"},
		{"search class", `<div class="top-Search-bar"><p><input id=b></p><button id=s>Go</button></div><button>Other</button>`, 1, "s"},
		{"none", `<input id=b><button>Other</button>`, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			got, n, err := SubmitButton(tb.wait(3*time.Second), tb.el("#b"))
			if err != nil {
				t.Fatal(err)
			}
			var want cdp.BackendNodeID
			if tt.first != "" {
				want = tb.el("#" + tt.first).Backend
			}
			if n != tt.count || got != want {
				t.Errorf("got node %d of %d, want %d of %d", got, n, want, tt.count)
			}
		})
	}
}
