package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"retrace/e2e/harness"
)

// TestLargePage replays one flow on pages of many elements, which are probed instead of read whole. The recorded page had one
// button "Send" and one field "Reference"; each case says what the live page has instead of them.
func TestLargePage(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	const (
		field = `<label>Reference <input data-truth="ref"></label>`
		send  = `<button data-truth="send" onclick="done()">Send</button>`
	)
	// With a twin it may stop, or tell the two apart by what stands beside them; it must not touch the twin.
	either, ok, stop := []harness.Verdict{harness.OK, harness.Stop}, []harness.Verdict{harness.OK}, []harness.Verdict{harness.Stop}
	for i, c := range []struct {
		name, live string
		want       []harness.Verdict
		says       string
	}{
		{"as recorded", field + send, ok, ""},
		{"enabled late", field + `<button data-truth="send" onclick="done()" disabled id="b">Send</button><script>setTimeout(()=>b.disabled=false,700)</script>`, ok, ""},
		{"shown late", field + `<div id="late"></div><script>setTimeout(()=>late.innerHTML='<button data-truth="send" onclick="done()">Send</button>',700)</script>`, ok, ""},
		{"a twin", field + send + `<button data-truth="twin">Send</button>`, either, ""},
		{"a twin named by a picture", field + send + `<button data-truth="twin"><img alt="Send" width="20" height="20"></button>`, either, ""},
		{"a picture as recorded, a twin with text", `<button data-truth="twin">Send</button>` + field + `<button data-truth="send" onclick="done()"><img alt="Send" width="20" height="20"></button>`, either, ""},
		{"a twin with a hidden word", field + send + `<button data-truth="twin">Send<span hidden> all</span></button>`, either, ""},
		{"an icon that is not read, a twin with text", `<button data-truth="twin">Send</button>` + field + `<button data-truth="send" onclick="done()"><i aria-hidden="true">done</i> Send</button>`, either, ""},
		{"a word that is hidden later", `<button data-truth="twin">Send</button>` + field + `<button data-truth="send" onclick="done()"><span id="w">Now </span>Send</button><script>w.style.display='none'</script>`, either, ""},
		{"a label with a picture, a twin with a text", `<label>Reference <input data-truth="twin"></label><label><img alt="Reference" width="20" height="20"> <input data-truth="ref"></label>` + send, either, ""},
		{"a label with a hidden word, a twin without", `<label>Reference <input data-truth="twin"></label><label>Reference <b hidden>number</b> <input data-truth="ref"></label>` + send, either, ""},
		{"generated content as recorded, a twin with text", `<style>.s::before{content:"Send"}</style><button data-truth="twin">Send</button>` + field + `<button data-truth="send" class="s" onclick="done()"></button>`, either, ""},
		{"a twin in a frame", field + send + `<iframe title="Other" srcdoc="<button data-truth='twin'>Send</button>"></iframe>`, either, ""},
		{"a hidden twin", field + send + `<button data-truth="twin" hidden>Send</button>`, ok, ""},
		{"a twin in a closed shadow root", field + send + `<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'closed'}).innerHTML='<button data-truth=twin>Send</button>'</script>`, either, ""},
		{"as recorded in an open shadow tree that shows a slot, a twin with text", `<button data-truth="twin">Send</button>` + field + `<x-y data-truth="send">Send</x-y><script>const x=document.querySelector('x-y');x.attachShadow({mode:'open'}).innerHTML='<button><slot></slot></button>';x.shadowRoot.firstChild.onclick=()=>done()</script>`, either, ""},
		{"half a name by a style, a twin with text", `<style>.s::after{content:"nd"}</style><button data-truth="twin">Send</button>` + field + `<button data-truth="send" class="s" onclick="done()">Se</button>`, either, ""},
		{"a form that hides what it is, added later", field + send + `<script>document.querySelector('[data-truth=ref]').addEventListener('change',()=>document.body.insertAdjacentHTML('beforeend','<form><input name="hasAttributes"></form>'))</script>`, ok, ""},
		{"another name", field + `<button data-truth="twin">Cancel</button>`, stop, "target_missing"},
		{"no effect", field + `<button data-truth="send">Send</button>`, stop, "effect_not_seen"},
		{"an error instead", field + `<button data-truth="send" onclick="o.textContent='Server is down'">Send</button>`, stop, "effect_not_seen"},
		{"another number in the message", field + `<button data-truth="send" onclick="done(77)">Send</button>`, ok, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			oneIn(t, 3, i)
			t.Parallel()
			rows := strings.Repeat(`<li><span>Row</span> <input aria-label="Amount"> <button>Open</button></li>`, 600)
			page := `<!doctype html><title>Large</title><body><main><h1>Shipments</h1>` + c.live + `<p id="o" role="status"></p><ul>` + rows + `</ul></main>` +
				`<script>function done(n=12){o.textContent='Sent number '+n;window.__done=document.querySelector('[data-truth=ref]').value==='R-1'}</script>`
			server := harness.Serve(fstest.MapFS{"large.html": {Data: []byte(page)}})
			defer server.Close()
			recordings, err := harness.Recordings(largeRecording(t))
			if err != nil {
				t.Fatal(err)
			}
			r := recordings[0]
			r.Want = c.want
			o, err := server.Replay(t.Context(), bin, t.TempDir(), r, append(attach, "--timeout", "10s")...)
			if err != nil {
				t.Fatal(err)
			}
			if !r.AsWanted(o) || !strings.Contains(o.Output, c.says) {
				t.Errorf("%s, want %v saying %q; touched %q\n%s", o.Verdict, c.want, c.says, o.Strays, o.Output)
			}
		})
	}
}

// largeRecording writes the recording of the flow and gives the directory that holds it.
func largeRecording(t *testing.T) string {
	t.Helper()
	const url = "http://127.0.0.1:8899/large.html"
	body := func(message string) string {
		s := "@vom 1\n@view 1280x720\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Large\"\n    main\n      heading \"Shipments\"\n        StaticText \"Shipments\"\n" +
			"      StaticText \"Reference\"\n      @e1 textbox \"Reference\" [empty]\n      @e2 button \"Send\"\n      status\n"
		if message != "" {
			s += fmt.Sprintf("        StaticText %q\n", message)
		}
		return s
	}
	state := func(id, message string) map[string]any {
		return map[string]any{"id": id, "url": url, "title": "Large", "body": body(message)}
	}
	step := func(id int, op, before, after, ref, role, name string) map[string]any {
		return map[string]any{"id": id, "op": op, "state": before, "result": map[string]any{"state": after}, "target": map[string]any{"ref": ref, "role": role, "name": name}}
	}
	fill := step(1, "fill", "s1", "s1", "e1", "textbox", "Reference")
	fill["value"], fill["commit"] = "R-1", "blur"
	root := t.TempDir()
	dir := filepath.Join(root, "large")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]any{
		"trace.json": map[string]any{
			"version": 3, "recorded_at": "2026-01-01T00:00:00.000Z", "stopped_by": "user_finish", "entry": map[string]any{"start_url": url},
			"recorder": map[string]any{"bsk": "0.1.6", "vom": 1}, "states": []any{state("s1", ""), state("s2", "Sent number 12")},
			"steps": []any{fill, step(2, "click", "s1", "s2", "e2", "button", "Send")},
		},
		"expect.json": map[string]any{"check": "window.__done"},
		"events.json": []map[string]any{{"type": "input", "truth": "ref"}, {"type": "change", "truth": "ref"}, {"type": "click", "truth": "send"}},
	} {
		data, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
