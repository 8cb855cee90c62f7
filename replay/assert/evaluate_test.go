package assert

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve/axtree"
)

// node makes a live node with its children.
func node(role, name string, l axtree.Live, children ...*axtree.Node) *axtree.Node {
	n := &axtree.Node{Role: role, Name: name, Live: &l, Children: children}
	for _, c := range children {
		c.Parent = n
	}
	return n
}

func text(s string) *axtree.Node { return node("StaticText", s, axtree.Live{}) }

func field(role, name, value string) *axtree.Node {
	n := node(role, name, axtree.Live{})
	n.Value, n.HasValue = value, true
	return n
}

func page() Page {
	root := node("RootWebArea", "Basket", axtree.Live{},
		node("heading", "Your basket", axtree.Live{}, text("Your basket")),
		node("paragraph", "", axtree.Live{}, node("strong", "", axtree.Live{}, text("3")), text(" items, "), node("emphasis", "", axtree.Live{}, text("free")), text(" shipping")),
		node("list", "", axtree.Live{}, node("listitem", "", axtree.Live{}, text("Deck lamp")), node("listitem", "", axtree.Live{}, text("Rope"))),
		node("button", "Pay", axtree.Live{Disabled: true}),
		node("button", "Menu [expanded]", axtree.Live{Expanded: "true"}),
		node("checkbox", "News", axtree.Live{Checked: "false"}),
		node("radio", "Post", axtree.Live{Checked: "true"}), node("radio", "Post", axtree.Live{Checked: "false"}),
		field("searchbox", "Search", "lamp"), field("textbox", "Password", "•••••"), field("textbox", "Note", ""),
		node("status", "", axtree.Live{}, text("Voucher applied")),
		node("button", "Secret", axtree.Live{Hidden: true}),
		node("img", "A\u00a0deck", axtree.Live{}),
	)
	t := &axtree.Tree{Hidden: []axtree.Hidden{{Node: node("menuitem", "Log out", axtree.Live{})}}}
	for n := range root.Subtree() {
		t.Nodes = append(t.Nodes, n)
	}
	return Page{t, "http://shop.test/cart/7?q=a#top", "Basket - Shop"}
}

func TestHolds(t *testing.T) {
	const where = `the page is "Basket - Shop" at http://shop.test/cart/7?q=a#top`
	tests := []struct {
		name string
		a    Assertion
		want Finding
	}{
		{"whole url", Assertion{URL: "http://shop.test/cart/7?q=a#top"}, Finding{Holds: true}},
		{"path", Assertion{URL: "/cart/7"}, Finding{Holds: true}},
		{"path and query", Assertion{URL: "/cart/*?q=*"}, Finding{Holds: true}},
		{"path and fragment", Assertion{URL: "/cart/7#top"}, Finding{Holds: true}},
		{"pattern", Assertion{URL: "*//shop.test/*"}, Finding{Holds: true}},
		{"other path", Assertion{URL: "/cart"}, Finding{Instead: []string{`the address is "http://shop.test/cart/7?q=a#top"`}}},
		{"other query", Assertion{URL: "/cart/7?q=b"}, Finding{Instead: []string{`the address is "http://shop.test/cart/7?q=a#top"`}}},
		{"title", Assertion{Title: "Basket  - Shop"}, Finding{Holds: true}},
		{"title pattern", Assertion{Title: "* - Shop"}, Finding{Holds: true}},
		{"other title", Assertion{Title: "Basket"}, Finding{Instead: []string{`the title is "Basket - Shop"`}}},

		{"text", Assertion{Text: "Voucher"}, Finding{Holds: true}},
		{"text over elements", Assertion{Text: "3 items, free shipping"}, Finding{Holds: true}},
		{"text of neighbours", Assertion{Text: "Deck lamp Rope"}, Finding{Holds: true}},
		{"text of an image", Assertion{Text: "A deck"}, Finding{Holds: true}},
		{"text in another case", Assertion{Text: "voucher applied"}, Finding{Instead: []string{where, `it says "Your basket"`, `it says "Voucher applied"`}}},
		{"text that is hidden", Assertion{Text: "Secret", Absent: true}, Finding{Holds: true}},
		{"text absent", Assertion{Text: "items, free", Absent: true}, Finding{Instead: []string{"it is in paragraph"}}},

		{"element", Assertion{Role: "heading", Name: "Your basket"}, Finding{Holds: true}},
		{"role only", Assertion{Role: "status"}, Finding{Holds: true}},
		{"name only", Assertion{Name: "News"}, Finding{Holds: true}},
		{"role family", Assertion{Role: "textbox", Name: "Search"}, Finding{Holds: true}},
		{"suffix of the recorder", Assertion{Role: "button", Name: "Menu"}, Finding{Holds: true}},
		{"a name is no part", Assertion{Role: "button", Name: "Pa"}, Finding{Instead: []string{`there is button "Pay", button "Menu"`, where}}},
		{"text is no element", Assertion{Name: "Rope"}, Finding{Instead: []string{`there is StaticText "Rope"`, where}}},
		{"hidden", Assertion{Role: "menuitem", Name: "Log out"}, Finding{Instead: []string{"one is in the document, but not shown", "there is no menuitem at all", where}}},
		{"other role", Assertion{Role: "link", Name: "News"}, Finding{Instead: []string{`there is checkbox "News"`, where}}},
		{"absent", Assertion{Role: "dialog", Absent: true}, Finding{Holds: true}},
		{"not absent", Assertion{Role: "checkbox", Absent: true}, Finding{Instead: []string{`there is checkbox "News"`}}},

		{"state", Assertion{Role: "button", Name: "Pay", State: Disabled}, Finding{Holds: true}},
		{"other state", Assertion{Role: "button", Name: "Pay", State: Enabled}, Finding{Instead: []string{`button "Pay" is disabled`}}},
		{"expanded", Assertion{Name: "Menu", State: Expanded}, Finding{Holds: true}},
		{"no such state", Assertion{Role: "button", Name: "Pay", State: Checked}, Finding{Instead: []string{`button "Pay" has not a checked state`}}},
		{"unchecked", Assertion{Name: "News", State: Unchecked}, Finding{Holds: true}},
		{"all must be so", Assertion{Role: "radio", Name: "Post", State: Checked}, Finding{Instead: []string{`radio "Post" is unchecked, enabled`, "2 elements are called so, and all must be as asserted"}}},

		{"value", Assertion{Name: "Search", Value: new("lamp")}, Finding{Holds: true}},
		{"other value", Assertion{Name: "Search", Value: new("rope")}, Finding{Instead: []string{`searchbox "Search" holds "lamp"`}}},
		{"empty value", Assertion{Name: "Note", Value: new("")}, Finding{Holds: true}},
		{"value missing", Assertion{Name: "Note", Value: new("x")}, Finding{Instead: []string{`textbox "Note" holds nothing`}}},
		{"password", Assertion{Name: "Password", Value: new("•••••")}, Finding{Instead: []string{`textbox "Password" hides what it holds`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.a.Holds(page())
			if got.Holds {
				got.Instead = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.a, diff)
			}
		})
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		a    Assertion
		want string
	}{
		{Assertion{URL: "/a*"}, `url is "/a*"`}, {Assertion{Title: "T"}, `title is "T"`}, {Assertion{Text: "a"}, `text "a" is present`},
		{Assertion{Role: "alert", Absent: true}, "alert is absent"}, {Assertion{Name: "Email", Value: new("x")}, `"Email" holds "x"`},
		{Assertion{Role: "button", Name: "Pay", State: Disabled}, `button "Pay" is disabled`},
	}
	for _, tt := range tests {
		if got := tt.a.String(); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.a, got, tt.want)
		}
	}
}

func TestMatchPattern(t *testing.T) {
	tests := []struct {
		pattern, text string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "ab", true}, {"*b", "ab", true}, {"a*b*c", "a1b2c", true}, {"a*b*c", "a1c2b", false},
		{"ab*bc", "abc", false}, {"*", "", true}, {"a**b", "ab", true}, {"*a*a*", "a", false},
	}
	for _, tt := range tests {
		if got := matchPattern(tt.pattern, tt.text); got != tt.want {
			t.Errorf("matchPattern(%q, %q) = %v", tt.pattern, tt.text, got)
		}
	}
}

func TestContainsJoined(t *testing.T) {
	tests := []struct {
		text, want string
		in         bool
	}{
		{"3\x00items", "3 items", true}, {"3\x00items", "3items", true}, {"un\x00believ\x00able fun", "unbelievable fun", true}, {"a\x00b\x00c", "ab c", true},
		{"login", "log in", false}, {"log in", "login", false}, {"log\x00in", "login now", false}, {"a\x00b", "b", true}, {"", "a", false}, {"xx3\x00items", "3 items", true},
	}
	for _, tt := range tests {
		if got := containsJoined(tt.text, tt.want); got != tt.in {
			t.Errorf("containsJoined(%q, %q) = %v", tt.text, tt.want, got)
		}
	}
}

func TestMoved(t *testing.T) {
	s := &Set{Assertions: []Assertion{{URL: "http://a.test/x"}, {URL: "/x"}, {Text: "://"}}}
	got := s.Moved(func(u string) string { return "moved " + u })
	want := []Assertion{{URL: "moved http://a.test/x"}, {URL: "/x"}, {Text: "://"}}
	if diff := cmp.Diff(want, got.Assertions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.Assertions[0].URL != "http://a.test/x" {
		t.Error("the set itself was changed")
	}
}
