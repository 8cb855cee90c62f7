package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"retrace/resolve"
)

// control is an element with the roles that the recorder gives it: matched is Chrome's role at the time of the recorder, ""
// when it gives no ref to such an element; unmatched is what it makes of the DOM.
type control struct {
	html               string // NAME stands for the name, TRUTH for what marks the element
	matched, unmatched string
	use                resolve.Use
}

var controls = []control{
	{`<label>NAME <input TRUTH></label>`, "textbox", "textbox", resolve.ToFill},
	{`<label>NAME <input type=email TRUTH></label>`, "textbox", "textbox", resolve.ToFill},
	{`<label>NAME <input type=password TRUTH></label>`, "textbox", "textbox", resolve.ToFill},
	{`<label>NAME <input type=search TRUTH></label>`, "searchbox", "textbox", resolve.ToFill},
	{`<label>NAME <input type=number TRUTH></label>`, "spinbutton", "textbox", resolve.ToFill},
	{`<label>NAME <input type=range TRUTH></label>`, "slider", "slider", resolve.ToFill},
	{`<label>NAME <input type=date TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input type=time TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input type=datetime-local TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input type=month TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input type=week TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input type=color TRUTH></label>`, "", "textbox", resolve.ToFill},
	{`<label>NAME <input list=l TRUTH></label>`, "combobox", "textbox", resolve.ToFill},
	{`<label>NAME <textarea TRUTH></textarea></label>`, "textbox", "textbox", resolve.ToFill},
	{`<div contenteditable=true aria-label="NAME" TRUTH>x</div>`, "textbox", "textbox", resolve.ToFill},
	{`<div contenteditable=plaintext-only aria-label="NAME" TRUTH>x</div>`, "textbox", "textbox", resolve.ToFill},
	{`<label>NAME <input type=file TRUTH></label>`, "button", "textbox", resolve.ToClick},
	{`<label>NAME <input type=checkbox TRUTH></label>`, "checkbox", "checkbox", resolve.ToClick},
	{`<label>NAME <input type=radio TRUTH></label>`, "radio", "radio", resolve.ToClick},
	{`<input type=submit value="NAME" TRUTH>`, "button", "button", resolve.ToClick},
	{`<input type=image alt="NAME" TRUTH>`, "button", "button", resolve.ToClick},
	{`<button TRUTH>NAME</button>`, "button", "button", resolve.ToClick},
	{`<button aria-pressed=false TRUTH>NAME</button>`, "button", "button", resolve.ToClick},
	{`<button aria-haspopup=menu TRUTH>NAME</button>`, "button", "button", resolve.ToClick},
	{`<a href=#x TRUTH>NAME</a>`, "link", "link", resolve.ToClick},
	{`<a onclick="1" TRUTH>NAME</a>`, "button", "", resolve.ToClick},
	{`<details><summary TRUTH>NAME</summary>x</details>`, "", "button", resolve.ToClick},
	{`<details name=group><summary TRUTH>NAME</summary>x</details>`, "", "button", resolve.ToClick},
	{`<label>NAME <select TRUTH><option>x</select></label>`, "combobox", "combobox", resolve.ToSelect},
	{`<label>NAME <select multiple TRUTH><option>x</select></label>`, "listbox", "combobox", resolve.ToSelect},
	{`<label>NAME <select size=3 TRUTH><option>x</select></label>`, "listbox", "combobox", resolve.ToSelect},
	{`<div style="cursor:pointer;width:80px" TRUTH>NAME</div>`, "button", "", resolve.ToClick},
	{`<div onclick="1" style="width:80px" TRUTH>NAME</div>`, "button", "", resolve.ToClick},
	{`<div role=button tabindex=0 TRUTH>NAME</div>`, "button", "button", resolve.ToClick},
	{`<div role=link tabindex=0 TRUTH>NAME</div>`, "link", "link", resolve.ToClick},
	{`<div role=checkbox tabindex=0 aria-checked=false TRUTH>NAME</div>`, "checkbox", "checkbox", resolve.ToClick},
	{`<div role=switch tabindex=0 aria-checked=false TRUTH>NAME</div>`, "switch", "switch", resolve.ToClick},
	{`<div role=tablist><div role=tab tabindex=0 TRUTH>NAME</div></div>`, "tab", "tab", resolve.ToClick},
	{`<div role=menu><div role=menuitem tabindex=0 TRUTH>NAME</div></div>`, "menuitem", "menuitem", resolve.ToClick},
	{`<div role=menu><div role=menuitemcheckbox tabindex=0 TRUTH>NAME</div></div>`, "menuitemcheckbox", "menuitemcheckbox", resolve.ToClick},
	{`<div role=menu><div role=menuitemradio tabindex=0 TRUTH>NAME</div></div>`, "menuitemradio", "menuitemradio", resolve.ToClick},
	{`<div role=listbox><div role=option tabindex=0 TRUTH>NAME</div></div>`, "option", "option", resolve.ToClick},
	{`<div role=tree><div role=treeitem tabindex=0 TRUTH>NAME</div></div>`, "treeitem", "treeitem", resolve.ToClick},
	{`<div role=combobox tabindex=0 aria-expanded=false aria-label="NAME" TRUTH>x</div>`, "combobox", "combobox", resolve.ToClick},
	{`<div role=slider tabindex=0 aria-valuenow=1 aria-label="NAME" TRUTH>x</div>`, "slider", "slider", resolve.ToClick},
	{`<img src="data:," width=20 height=20 alt="NAME" TRUTH>`, "", "img", resolve.ToClick},
}

// TestRoles asks this Chrome for the role of every control and looks each up by the roles that recordings hold. It fails when
// Chrome has changed a role so that roles.json no longer leads to it.
func TestRoles(t *testing.T) {
	needBrowser(t)
	var body strings.Builder
	names := make([]string, len(controls))
	for i, c := range controls {
		names[i] = "Control " + strings.Repeat("i", i/26) + string(rune('A'+i%26))
		fmt.Fprintln(&body, strings.NewReplacer("NAME", names[i], "TRUTH", fmt.Sprintf(`data-truth="%d"`, i)).Replace("<p></p>"+c.html))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><meta charset=utf-8><datalist id=l><option>x</datalist>%s", body.String())
	}))
	defer server.Close()
	page := newPage(t)
	if err := page.Navigate(t.Context(), server.URL); err != nil {
		t.Fatal(err)
	}
	tree := capture(t, page)
	d := decoy{page: page}
	for i, c := range controls {
		t.Run(c.html, func(t *testing.T) {
			targets := []resolve.Descriptor{{Role: c.unmatched, Name: names[i], Unmatched: true}}
			if c.unmatched != "" { // without what the DOM says: by the families alone
				targets = append(targets, resolve.Descriptor{Role: c.unmatched, Name: names[i]})
			}
			if c.matched != "" {
				targets = append(targets, resolve.Descriptor{Role: c.matched, Name: names[i]})
			}
			for _, target := range targets {
				n, decision := resolve.Find(resolve.Query{Target: target, Use: c.use}, tree)
				if n == nil {
					t.Errorf("recorded as %q: %s: %s", target.Role, decision.Outcome, decision.Why)
					for _, m := range tree.Nodes {
						if m.Live.Backend != 0 && m.Role != "StaticText" && m.Role != "RootWebArea" && d.truth(t, m) == fmt.Sprint(i) {
							t.Logf("Chrome: %s %q", m.Role, m.Name)
						}
					}
					continue
				}
				if got := d.truth(t, n); got != fmt.Sprint(i) {
					t.Errorf("recorded as %q: found control %s, want %d", target.Role, got, i)
				}
				t.Logf("recorded as %q, Chrome: %s, %s", target.Role, n.Role, decision.Tier)
			}
		})
	}
}
