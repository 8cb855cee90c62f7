package act

import (
	"errors"
	"strings"
	"testing"
	"time"
)

const watchField = `<script>
window.seen = [];
for (const t of ['focus','beforeinput','keydown','keypress','keyup','input','change','blur'])
	b.addEventListener(t, e => seen.push(t + (e.isTrusted ? '' : ' untrusted')));
</script>`

func TestFillSeenByThePage(t *testing.T) {
	tests := []struct {
		name, html string
		o          FillOptions
		want       string
	}{
		{"replace", `<input id=b value=old>`, FillOptions{Value: "new"}, "focus,beforeinput,input,change,blur"},
		{"erase", `<input id=b value=old>`, FillOptions{}, "focus,keydown,beforeinput,input,keyup,change,blur"},
		{"enter", `<input id=b>`, FillOptions{Value: "x", Enter: true}, "focus,beforeinput,input,keydown,keypress,beforeinput,change,keyup"},
		{"stay", `<input id=b>`, FillOptions{Value: "x", Stay: true}, "focus,beforeinput,input"},
		{"keys", `<input id=b>`, FillOptions{Value: "aé", Keys: true}, "focus,keydown,keypress,beforeinput,input,keyup,beforeinput,input,change,blur"},
		{"already", `<input id=b value=x>`, FillOptions{Value: "x"}, "focus,blur"},
		{"date", `<input id=b type=date>`, FillOptions{Value: "2026-08-10"}, "focus,input untrusted,change untrusted,blur"},
		{"rich", `<div id=b contenteditable>old</div>`, FillOptions{Value: "new"}, "focus,beforeinput,input,blur"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html+watchField)
			e := tb.el("#b")
			before := tb.session.calls.Load()
			if _, err := Fill(tb.wait(5*time.Second), e, tt.o); err != nil {
				t.Fatal(err)
			}
			t.Logf("commands: %d", tb.session.calls.Load()-before)
			if got := tb.eval("seen.join()"); got != tt.want {
				t.Errorf("the page saw %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFillValues(t *testing.T) {
	tests := []struct {
		name, html string
		o          FillOptions
		want       string // the value of the field, or the text of an editable element
		note       string
	}{
		{"text", `<input id=b value=old>`, FillOptions{Value: "Zoë 😀 漢字"}, "Zoë 😀 漢字", ""},
		{"text by keys", `<input id=b value=old>`, FillOptions{Value: `Zoë 😀 "A~b"!`, Keys: true}, `Zoë 😀 "A~b"!`, ""},
		{"password", `<input id=b type=password>`, FillOptions{Value: "s3cret"}, "s3cret", ""},
		{"email", `<input id=b type=email value=a@b>`, FillOptions{Value: "c@d.org"}, "c@d.org", ""},
		{"append to email", `<input id=b type=email value=a@b>`, FillOptions{Value: "a@b.org", Append: true}, "a@b.org", ""},
		{"append", `<input id=b value=ab>`, FillOptions{Value: "abc", Append: true}, "abc", ""},
		{"append to something else", `<input id=b value=xy>`, FillOptions{Value: "abc", Append: true}, "abc", "replaced"},
		{"number", `<input id=b type=number value=1>`, FillOptions{Value: "-12.5"}, "-12.5", ""},
		{"textarea", `<textarea id=b>old</textarea>`, FillOptions{Value: "one\ntwo"}, "one\ntwo", ""},
		{"textarea by keys", `<textarea id=b>old</textarea>`, FillOptions{Value: "one\ntwo", Keys: true}, "one\ntwo", ""},
		{"long", `<textarea id=b></textarea>`, FillOptions{Value: strings.Repeat("lorem ", 1000), Keys: true}, strings.Repeat("lorem ", 1000), ""},
		{"date", `<input id=b type=date>`, FillOptions{Value: "2026-08-10"}, "2026-08-10", ""},
		{"time", `<input id=b type=time>`, FillOptions{Value: "14:30"}, "14:30", ""},
		{"month", `<input id=b type=month>`, FillOptions{Value: "2026-08"}, "2026-08", ""},
		{"week", `<input id=b type=week>`, FillOptions{Value: "2026-W32"}, "2026-W32", ""},
		{"date and time", `<input id=b type=datetime-local>`, FillOptions{Value: "2026-08-10T14:30"}, "2026-08-10T14:30", ""},
		{"colour", `<input id=b type=color>`, FillOptions{Value: "#00FF7f"}, "#00ff7f", ""},
		{"slider", `<input id=b type=range>`, FillOptions{Value: "73"}, "73", ""},
		{"erase date", `<input id=b type=date value=2026-08-10>`, FillOptions{}, "", ""},
		{"mask", `<input id=b oninput="value=value.replace(/\D/g,'').replace(/(\d{4})(?=\d)/g,'$1 ')">`, FillOptions{Value: "4111111111111111"}, "4111 1111 1111 1111", "formatted"},
		{"mask by keys", `<input id=b oninput="value=value.replace(/\D/g,'').replace(/(\d{4})(?=\d)/g,'$1 ')">`, FillOptions{Value: "4111 1111 1111 1111", Keys: true}, "4111 1111 1111 1111", ""},
		{"tag field", `<input id=b onchange="document.title=value;value=''">`, FillOptions{Value: "red"}, "", "emptied"},
		{"label", `<label id=b>Name <input></label>`, FillOptions{Value: "Ada"}, "Ada", ""},
		{"custom element", `<my-f id=b></my-f><script>customElements.define('my-f',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<p><input></p>'}})</script>`, FillOptions{Value: "Ada"}, "Ada", ""},
		{"rich", `<div id=b contenteditable><p>old</p><p>text</p></div>`, FillOptions{Value: "new text"}, "new text", ""},
		{"erase rich", `<div id=b contenteditable>old</div>`, FillOptions{}, "", ""},
		{"plaintext-only", `<div id=b contenteditable=plaintext-only>old</div>`, FillOptions{Value: "one\ntwo"}, "one\ntwo", ""},
		{"append to rich with a break", `<div id=b contenteditable>one<br>two</div>`, FillOptions{Value: "onetwo three", Append: true}, "one\ntwo three", ""},
		{"append to rich with blocks", `<div id=b contenteditable><div>one</div><div>two</div></div>`, FillOptions{Value: "onetwo three", Append: true}, "one\ntwo three", ""},
		{"append to rich after an empty line", `<div id=b contenteditable><div>one</div><div><br></div></div>`, FillOptions{Value: "onetwo", Append: true}, "one\ntwo", ""},
		{"read-only late", `<input id=b readonly><script>setTimeout(()=>b.readOnly=false,300)</script>`, FillOptions{Value: "x"}, "x", ""},
		{"aria-readonly late", `<div id=b contenteditable role=textbox aria-readonly=true></div><script>setTimeout(()=>b.ariaReadOnly='false',300)</script>`, FillOptions{Value: "x"}, "x", ""},
		{"editable late", `<div id=b role=textbox>x</div><script>setTimeout(()=>b.contentEditable='true',300)</script>`, FillOptions{Value: "y"}, "y", ""},
		{"focus by the pointer only", `<input id=b onmousedown="this.down=1" onfocus="if(!this.down)this.blur()">`, FillOptions{Value: "x"}, "x", "clicked it"},
		{"enabled late", `<input id=b disabled><script>setTimeout(()=>b.disabled=false,300)</script>`, FillOptions{Value: "x"}, "x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			r, err := Fill(tb.wait(5*time.Second), tb.el("#b"), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			got := tb.eval(`(() => { const f = b.shadowRoot ? b.shadowRoot.querySelector('input') : b.querySelector('input') || b; return f.isContentEditable ? f.innerText.replaceAll('\u00a0', ' ') : f.value })()`)
			if strings.TrimRight(got, "\n") != tt.want {
				t.Errorf("value %q, want %q", got, tt.want)
			}
			notes := strings.Join(r.Notes, "; ")
			if (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// A framework that keeps the last value it knows on the element, and hears of a change only when the two differ.
func TestFillIsSeenByAValueTracker(t *testing.T) {
	const tracker = `<script>
	for (const el of [b, d]) {
		const proto = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
		let known = el.value;
		Object.defineProperty(el, 'value', {configurable: true, get() { return proto.get.call(this) }, set(v) { known = '' + v; proto.set.call(this, v) }});
		document.addEventListener('input', e => { if (e.target === el && el.value !== known) { known = el.value; el.dataset.model = known } });
	}
	</script>`
	tb := open(t, `<input id=b><input id=d type=date>`+tracker)
	if _, err := Fill(tb.wait(3*time.Second), tb.el("#b"), FillOptions{Value: "Ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Fill(tb.wait(3*time.Second), tb.el("#d"), FillOptions{Value: "2026-08-10"}); err != nil {
		t.Fatal(err)
	}
	if got := tb.eval("b.dataset.model + ' ' + d.dataset.model"); got != "Ada 2026-08-10" {
		t.Errorf("the framework knows %q", got)
	}
}

func TestFillRejected(t *testing.T) {
	const secret = "hunter2hunter2"
	tests := []struct{ name, html, value, why string }{
		{"too long", `<input id=b maxlength=5>`, secret, "at most 5 characters"},
		{"number", `<input id=b type=number>`, secret, "not a valid number"},
		{"date", `<input id=b type=date>`, "2026-02-31", "not a valid date"},
		{"slider", `<input id=b type=range max=10>`, "73", "slider"},
		{"letters dropped", `<input id=b oninput="value=value.replace(/\D/g,'')">`, secret, "changed the value"},
		{"restored", `<input id=b value=old oninput="value='old'">`, secret, "put the old value back"},
		{"restored when left", `<input id=b value=old onchange="value='old'">`, secret, "put the old value back"},
		{"restored a frame later", `<input id=b value=old oninput="requestAnimationFrame(()=>value='old')">`, secret, "put the old value back"},
		{"editor with a model", `<div id=b contenteditable>old</div><script>new MutationObserver(()=>{if(b.textContent!=='old')b.textContent='old'}).observe(b,{childList:true,subtree:true,characterData:true})</script>`, secret, "put the old value back"},
		{"keys eaten", `<input id=b onbeforeinput="event.preventDefault()">`, secret, "stayed empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			_, err := Fill(tb.wait(3*time.Second), tb.el("#b"), FillOptions{Value: tt.value})
			var rejected *ValueRejected
			if !errors.As(err, &rejected) {
				t.Fatalf("got %v, want a ValueRejected", err)
			}
			if !strings.Contains(rejected.Why, tt.why) || rejected.Want != tt.value {
				t.Errorf("why %q, want %q", rejected.Why, tt.why)
			}
			if strings.Contains(err.Error(), tt.value) {
				t.Errorf("the error tells the value: %v", err)
			}
		})
	}
}

func TestFillRefuses(t *testing.T) {
	tests := []struct {
		name, html string
		state      State
		text       string
	}{
		{"read-only", `<input id=b readonly>`, ReadOnly, "read-only"},
		{"disabled", `<fieldset disabled><input id=b></fieldset>`, Disabled, "fieldset"},
		{"hidden", `<input id=b hidden>`, Hidden, "not displayed"},
		{"heading", `<h2 id=b>Title</h2>`, Unfit, `h2 "Title" takes no text`},
		{"checkbox", `<input type=checkbox id=b>`, Unfit, "takes no text"},
		{"file", `<input type=file id=b>`, Unfit, "files"},
		{"two fields", `<div id=b><input><input></div>`, Unfit, "takes no text"},
		{"behind a modal dialog", `<input id=b><dialog id=d aria-label=Terms><button>OK</button></dialog><script>d.showModal()</script>`, Covered, `dialog "Terms"`},
		{"focus taken away", `<input id=b onfocus="x.focus()"><input id=x aria-label=Search>`, Unfit, `the focus is on input "Search"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			_, err := Fill(tb.wait(600*time.Millisecond), tb.el("#b"), FillOptions{Value: "text"})
			var notReady *NotReady
			if !errors.As(err, &notReady) || notReady.State != tt.state || !strings.Contains(notReady.Text, tt.text) {
				t.Errorf("got %v, want %s %q", err, tt.state, tt.text)
			}
		})
	}
}
