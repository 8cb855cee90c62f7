package replay

import (
	"testing"

	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

// recordedPage is a recorded state that shows the lines, each of which is a role and a name.
func recordedPage(id, url, title string, lines ...[2]string) *trace.State {
	t := &axtree.Tree{}
	for _, l := range lines {
		t.Nodes = append(t.Nodes, &axtree.Node{Role: l[0], Name: l[1], Ref: "e1"})
	}
	return &trace.State{ID: id, URL: url, Title: title, Tree: t}
}

func livePage(lines ...[2]string) *axtree.Tree {
	t := &axtree.Tree{}
	for _, l := range lines {
		n := &axtree.Node{Role: l[0], Name: l[1], Live: &axtree.Live{}}
		if l[0] == "password" {
			n.Role, n.Live.Type = "textbox", "password"
		}
		t.Nodes = append(t.Nodes, n)
	}
	return t
}

func TestPageHint(t *testing.T) {
	list := recordedPage("s1", "http://a.test/list", "List", [2]string{"heading", "Orders"}, [2]string{"button", "Open"})
	order := recordedPage("s2", "http://a.test/order", "Order", [2]string{"heading", "Order 7"}, [2]string{"button", "Pay"})
	paid := recordedPage("s3", "http://a.test/paid", "Paid", [2]string{"heading", "Thanks"}, [2]string{"link", "Back"})
	rec := &trace.Trace{States: []*trace.State{list, order, paid}, Steps: []*trace.Step{{ID: 1, State: list, Result: order}, {ID: 2, State: order, Result: paid}}}
	tests := []struct {
		name, url, title string
		live             *axtree.Tree
		want             string
	}{
		{"login", "http://a.test/login", "Sign in", livePage([2]string{"heading", "Sign in"}, [2]string{"password", "Password"}),
			`the page asks for a login (field "Password"): record the login too, or attach to a browser that is logged in with --remote`},
		{"error page", "http://a.test/order", "Oops", livePage([2]string{"heading", "404 Not found"}),
			`the server answered with an error page ("404 Not found"): see whether the site is complete and running`},
		{"step without effect", "http://a.test/list", "List", livePage([2]string{"heading", "Orders"}, [2]string{"button", "Open"}),
			"the page is still the one on which step 1 was recorded: that step had no effect, or another one than recorded"},
		{"too far", "http://a.test/paid", "Paid", livePage([2]string{"heading", "Thanks"}, [2]string{"link", "Back"}),
			"the page is already the one that step 2 led to: its effect came without it"},
		{"other origin", "http://b.test/x", "X", livePage([2]string{"heading", "X"}), "the page is on b.test, recorded on a.test: --base-url replays on another origin"},
		{"nothing known", "http://a.test/x", "X", livePage([2]string{"heading", "X"}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := pageHint(rec, order, tt.live, tt.url, tt.title); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
