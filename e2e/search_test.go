package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"retrace/replay"
	"retrace/replay/trace"
)

// searches are pages on which the target of a click has to be brought to light. The page names its elements by data-truth.
var searches = []struct {
	name, page string
	trace      string // the recording, with BASE for its address
	want       string // the data-truth of the element that is clicked; empty when none may be
	says       string // part of what the step says
}{
	{"one of three buttons opens it", `<button>Help</button> <span id=a><button>Account</button></span> <button>Language</button>` + opensOnHover("a", "My lists"),
		oldClick(`"tag":"a","role":"menuitem","name":"My lists"`), "a My lists", `only button "Account" shows it`},
	{"two buttons open one each", `<span id=a><button>Orders</button></span> <span id=b><button>Invoices</button></span>` + opensOnHover("a", "Export") + opensOnHover("b", "Export"),
		oldClick(`"tag":"a","role":"menuitem","name":"Export"`), "", `button "Orders" and button "Invoices" both show one`},
	{"two buttons share one menu", `<button>Orders</button> <button>Invoices</button> <a id=m role=menuitem href="#x" hidden data-truth=shared>Export</a><script>
		for (const b of document.querySelectorAll('button')) { b.onmouseenter = () => { m.hidden = false }; b.onmouseleave = () => { m.hidden = true } }</script>`,
		oldClick(`"tag":"a","role":"menuitem","name":"Export"`), "", `the same one shows after button "Orders" and after button "Invoices" was pointed at`},
	{"nothing opens it", `<button>Help</button> <button>Account</button>`,
		oldClick(`"tag":"a","role":"menuitem","name":"My lists"`), "", "none shows the target"},
	{"more buttons than can be tried", strings.Repeat("<button>Row</button> ", 20) + `<span id=a><button>Account</button></span>` + opensOnHover("a", "My lists"),
		oldClick(`"tag":"a","role":"menuitem","name":"My lists"`), "", ""},
	{"a new recording keeps what was pointed at", `<span id=a><button>Account</button></span>` + opensOnHover("a", "My lists"),
		newClick(`"role":"menuitem","name":"My lists","unmatched":true`), "", ""},
	{"hidden in one menu", hiddenMenus("a"), newClick(`"name":"Archive","unmatched":true`), "a", "pointed at what holds it"},
	{"hidden in two menus", hiddenMenus("a", "b"), newClick(`"name":"Archive","unmatched":true`), "", "both show one"},
	{"hidden in a menu and in a drawer that does not open on hover", hiddenMenus("a") + `<div style="width:90px"><i>Drawer</i><ul hidden><li data-truth=drawer style="cursor:pointer">Archive</ul></div>`,
		newClick(`"name":"Archive","unmatched":true`), "a", "shows it"},
}

// naming are pages on which a name is found only after the page has changed, or among very many. The number is that of the
// kind, as in the names of the decoys.
var naming = []struct{ name, page, trace, want string }{
	{"naming-32 the page loads anew while its target is waited for", `<p>Loading</p><script>
		if (sessionStorage.again) setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button data-truth=go>Go</button>'), 200);
		else { sessionStorage.again = 1; setTimeout(() => location.reload(), 300); }</script>`,
		newClick(`"role":"button","name":"Go","unmatched":true`), "go"},
	{"naming-41 one of ten thousand rows", `<table></table><script>document.querySelector('table').innerHTML =
		Array.from({length: 10000}, (_, i) => '<tr><td>Order ' + i + '<td><button data-truth=' + i + '>Open ' + i + '</button>').join('')</script>`,
		newClick(`"role":"button","name":"Open 7421","unmatched":true`), "7421"},
}

// TestNaming looks which element of such a page a replay clicks.
func TestNaming(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	remote := sharedBrowser(t)[1]
	for i, tt := range naming {
		t.Run(tt.name, func(t *testing.T) {
			oneIn(t, 2, i)
			if clicked, result := searchOn(t, remote, tt.page, tt.trace, 20*time.Second); strings.Join(clicked, ", ") != tt.want {
				t.Errorf("clicked %q, want %q: %+v", clicked, tt.want, result.Failure)
			}
		})
	}
}

// opensOnHover makes a menu with one item while the pointer is on an element.
func opensOnHover(id, item string) string {
	return fmt.Sprintf(`<script>(() => {
		const at = document.getElementById(%q); let menu = null;
		at.style.cssText = 'display:inline-block;position:relative';
		at.onmouseenter = () => setTimeout(() => { menu ??= Object.assign(document.createElement('div'), {role: 'menu', style: 'position:absolute;top:20px',
			innerHTML: '<a role=menuitem href="#x" data-truth="%s %s">%s</a>'}); at.append(menu); }, 60);
		at.onmouseleave = () => { menu?.remove(); menu = null; };
	})()</script>`, id, id, item, item)
}

// hiddenMenus makes menus whose items are in the document before they show.
func hiddenMenus(ids ...string) string {
	page := `<style>.m{width:90px;display:inline-block}.m ul{display:none;margin:0}.m:hover ul{display:block}.m li{cursor:pointer}</style>`
	for _, id := range ids {
		page += fmt.Sprintf(`<div class=m><i>Menu %s</i><ul><li data-truth=%s>Archive</ul></div>`, id, id)
	}
	return page
}

func oldClick(target string) string {
	return `{"recorded_at":"2026-01-02T03:04:05.000Z","entry":{"start_url":"BASE"},"pages":[{"id":"p1","url":"BASE"}],"steps":[{"op":"click","id":1,"page":"p1","target":{` + target + `}}]}`
}

func newClick(target string) string {
	return `{"version":3,"recorded_at":"2026-01-02T03:04:05.000Z","stopped_by":"user_finish","entry":{"start_url":"BASE"},"recorder":{"bsk":"0.2.1","vom":1},
"states":[{"id":"s1","url":"BASE","body":"@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Search\"\n"}],"steps":[{"op":"click","id":1,"state":"s1","result":{"state":"s1"},"target":{` + target + `}}]}`
}

// TestSearch looks which element a replay clicks when its target is not there at first.
func TestSearch(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	remote := sharedBrowser(t)[1]
	t.Run("pages", func(t *testing.T) {
		for _, tt := range searches {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				limit := 6 * time.Second
				if tt.want == "" && tt.says == "" {
					limit = 2 * time.Second // there is nothing to wait for
				}
				clicked, result := searchOn(t, remote, tt.page, tt.trace, limit)
				if strings.Join(clicked, ", ") != tt.want {
					t.Errorf("clicked %q, want %q", clicked, tt.want)
				}
				step := result.Steps[len(result.Steps)-1]
				says := strings.Join(step.Notes, "; ")
				if step.Decision != nil {
					says += step.Decision.Why
				}
				if !strings.Contains(says, tt.says) {
					t.Errorf("the step says %q, want something about %q", says, tt.says)
				}
			})
		}
	})
}

// searchOn replays a recording on a page and gives the data-truth of what it clicked.
func searchOn(t *testing.T, remote, page, recording string, timeout time.Duration) ([]string, *replay.Result) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><meta charset=utf-8><title>Search</title>%s", page)
	}))
	defer server.Close()
	tr, err := trace.Read(strings.NewReader(strings.ReplaceAll(recording, "BASE", server.URL+"/")), "trace.json")
	if err != nil {
		t.Fatal(err)
	}
	var clicked []string
	options := replay.Options{Remote: remote, Timeout: timeout, OnResolved: func(f replay.Resolved) {
		truth, err := call(context.Background(), f.Node, truthOf)
		if err != nil {
			t.Errorf("asking the %s %q: %v", f.Node.Role, f.Node.Name, err)
		}
		clicked = append(clicked, truth)
	}}
	result, err := replay.Run(t.Context(), tr, options)
	if err != nil {
		t.Fatal(err)
	}
	return clicked, result
}
