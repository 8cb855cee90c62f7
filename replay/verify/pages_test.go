package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve/axtree"
)

func pageText(t *testing.T, lines ...string) *axtree.Tree {
	t.Helper()
	tree := axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n  RootWebArea \"Basket\"\n    " + strings.Join(lines, "\n    ") + "\n")
	return tree
}

func TestCompare(t *testing.T) {
	tests := []struct {
		name    string
		was, is []string
		want    []string // change, recorded, live
		told    [4]int   // appeared, disappeared, changed, same
	}{
		{name: "equal", was: []string{`heading "Basket"`, `@e1 button "Remove"`}, is: []string{`heading "Basket"`, `button "Remove"`},
			want: []string{"left_out|2 lines that are the same|"}, told: [4]int{0, 0, 0, 2}},
		{name: "row gone", was: []string{`row "Lamp"`, `row "Buoy"`, `row "Rope"`}, is: []string{`row "Lamp"`, `row "Rope"`},
			want: []string{`same|row "Lamp"|row "Lamp"`, `disappeared|row "Buoy"|`, `same|row "Rope"|row "Rope"`}, told: [4]int{0, 1, 0, 2}},
		{name: "new message", was: []string{`heading "A"`}, is: []string{`heading "A"`, "alert", `  StaticText "No"`},
			want: []string{`same|heading "A"|heading "A"`, `appeared||alert`, `appeared||text "No"`}, told: [4]int{2, 0, 0, 1}},
		{name: "renamed by its words", was: []string{`@e1 button "Save changes"`, `@e2 button "Help"`}, is: []string{`button "Save all changes"`, `button "Help"`},
			want: []string{`changed|button "Save changes"|button "Save all changes"`, `same|button "Help"|button "Help"`}, told: [4]int{0, 0, 1, 1}},
		{name: "the only one of its role", was: []string{`heading "Order"`, `@e1 link "x"`}, is: []string{`heading "Fehler"`, `link "x"`},
			want: []string{`changed|heading "Order"|heading "Fehler"`, `same|link "x"|link "x"`}, told: [4]int{0, 0, 1, 1}},
		{name: "number", was: []string{`StaticText "3 items"`}, is: []string{`StaticText "4 items"`}, want: []string{`changed|text "3 items"|text "4 items"`}, told: [4]int{0, 0, 1, 0}},
		{name: "moved", was: []string{`@e1 link "Home"`, "main", `  heading "A"`, `  @e2 button "B"`, `  @e3 button "C"`}, is: []string{"main", `  heading "A"`, `  button "B"`, `  button "C"`, `link "Home"`},
			want: []string{"left_out|5 lines that are the same|"}, told: [4]int{0, 0, 0, 5}},
		{name: "value", was: []string{`@e1 textbox "City" ="Lisbon"`}, is: []string{`textbox "City" ="Porto"`}, want: []string{`changed|textbox "City" = "Lisbon"|textbox "City" = "Porto"`}, told: [4]int{0, 0, 1, 0}},
		{name: "masked value", was: []string{`@e1 textbox "PIN" ="•••"`}, is: []string{`textbox "PIN" ="1234"`}, want: []string{"left_out|1 line that is the same|"}, told: [4]int{0, 0, 0, 1}},
		{name: "what a control stands for is not whether it is on", was: []string{`@e1 checkbox "News" ="on"`, `@e2 radio "Express" ="exp"`}, is: []string{`checkbox "News"`, `radio "Express"`},
			want: []string{"left_out|2 lines that are the same|"}, told: [4]int{0, 0, 0, 2}},
		{name: "rows that changed places", was: []string{`row "Lamp"`, `  @e1 spinbutton "Quantity" ="1"`, `row "Rope"`, `  @e2 spinbutton "Quantity" ="4"`},
			is:   []string{`row "Rope"`, `  spinbutton "Quantity" ="4"`, `row "Lamp"`, `  spinbutton "Quantity" ="1"`},
			want: []string{"left_out|4 lines that are the same|"}, told: [4]int{0, 0, 0, 4}},
		{name: "rows that changed places, and a value", was: []string{`row "Lamp"`, `  @e1 spinbutton "Quantity" ="1"`, `row "Rope"`, `  @e2 spinbutton "Quantity" ="4"`},
			is:   []string{`row "Rope"`, `  spinbutton "Quantity" ="5"`, `row "Lamp"`, `  spinbutton "Quantity" ="1"`},
			want: []string{"left_out|1 line that is the same|", `moved|spinbutton "Quantity" = "1"|spinbutton "Quantity" = "1"`, `moved|row "Rope"|row "Rope"`, `changed|spinbutton "Quantity" = "4"|spinbutton "Quantity" = "5"`},
			told: [4]int{0, 0, 1, 3}},
		{name: "repeated text says nothing", was: []string{`heading "A"`}, is: []string{`heading "A"`, `  StaticText "A"`}, want: []string{"left_out|1 line that is the same|"}, told: [4]int{0, 0, 0, 1}},
		{name: "role family", was: []string{`@e1 textbox "Find"`}, is: []string{`searchbox "Find"`}, want: []string{"left_out|1 line that is the same|"}, told: [4]int{0, 0, 0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Compare(pageText(t, tt.was...), pageText(t, tt.is...))
			var got []string
			for _, r := range p.Rows {
				got = append(got, string(r.Change)+"|"+r.Recorded+"|"+r.Live)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if told := [4]int{p.Appeared, p.Disappeared, p.Changed, p.Same}; told != tt.told {
				t.Errorf("counts %v, want %v", told, tt.told)
			}
			if p.Differs() == (tt.told[0]+tt.told[1]+tt.told[2] == 0) {
				t.Errorf("Differs is %v", p.Differs())
			}
		})
	}
}

// TestCompareChosenOption: a recording has the value of the option that is chosen, and the live page its text.
func TestCompareChosenOption(t *testing.T) {
	live := func(chosen string) *axtree.Tree {
		tree := pageText(t, `combobox "Country" ="Portugal"`, `  option "Spain"`, `  option "Portugal"`)
		for _, n := range tree.Nodes {
			n.Live = &axtree.Live{}
			if n.Role == "option" {
				n.Live.Selected = "false"
			}
			if n.Name == "Portugal" {
				n.Live.Selected, n.Live.Option = "true", chosen
			}
		}
		return tree
	}
	for _, tt := range []struct {
		recorded, live string
		changed        int
	}{{"PT", "PT", 0}, {"Portugal", "PT", 0}, {"ES", "PT", 1}, {"P", "PT", 1}, {"PT", "", 1}} {
		p := Compare(pageText(t, `@e1 combobox "Country [has-submenu]" ="`+tt.recorded+`"`), live(tt.live))
		if p.Changed != tt.changed || p.Appeared+p.Disappeared > 0 {
			t.Errorf("recorded %s, live %s: %+v", tt.recorded, tt.live, p)
		}
	}
}

// What is shown is bounded, however much differs, and the counts are of everything.
func TestCompareIsBounded(t *testing.T) {
	var was, is []string
	for i := range 3000 {
		was, is = append(was, fmt.Sprintf("heading \"old %d %s\"", i, strings.Repeat("x", 500))), append(is, fmt.Sprintf("link \"new %d\"", i))
	}
	p := Compare(pageText(t, was...), pageText(t, is...))
	if len(p.Rows) != mostRows || p.Cut != 6000-mostRows || p.Appeared != 3000 || p.Disappeared != 3000 {
		t.Errorf("%d rows, %d cut, %d appeared, %d disappeared", len(p.Rows), p.Cut, p.Appeared, p.Disappeared)
	}
	for _, r := range p.Rows {
		if len(r.Recorded)+len(r.Live) > 300 {
			t.Fatalf("a row has %d bytes", len(r.Recorded)+len(r.Live))
		}
	}
}

// A recording of an open dialog says nothing about what is behind it.
func TestCompareBehindDialog(t *testing.T) {
	was := axtree.Parse("@vom 1\n@layers 2 focus=L2\nL1 page … occluded by another layer\nL2 modal cover=40%\n  dialog \"Edit\"\n    @e1 button \"Save\"\n")
	p := Compare(was, pageText(t, `heading "Behind"`, `dialog "Edit"`, `  button "Save"`, `  alert "Wrong"`))
	if p.Appeared != 1 || p.Disappeared != 0 || p.Same != 2 || len(p.Notes) != 1 {
		t.Errorf("%+v", p)
	}
}

// A dialog that the recording does not show takes the page behind it from the tree.
func TestCompareBehindNewDialog(t *testing.T) {
	was := pageText(t, `heading "Products"`, `button "Delete"`)
	is := pageText(t, `dialog`, `  heading "Your session has ended"`, `  button "Sign in"`)
	for _, n := range is.Nodes {
		n.Live = &axtree.Live{Modal: n.Role == "dialog"}
	}
	if p := Compare(was, is); p.Disappeared != 0 || p.Changed != 0 || p.Appeared != 3 || len(p.Notes) != 1 {
		t.Errorf("%+v", p)
	}
	was = pageText(t, `heading "Products"`, `dialog`, `  heading "Your session ends soon"`)
	if p := Compare(was, is); len(p.Notes) != 0 {
		t.Errorf("a dialog of the recording: %+v", p)
	}
}

func TestAround(t *testing.T) {
	lines := []string{"main", "  table"}
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("    row \"r%d\"", i), fmt.Sprintf("      cell \"c%d\"", i), "      cell \"go\"", fmt.Sprintf("        @e%d button \"Go\"", i))
	}
	tree := pageText(t, lines...)
	var got []string
	for _, l := range Around(tree.ByRef("e7")) {
		mark := "  "
		if l.Target {
			mark = "> "
		}
		got = append(got, mark+strings.Repeat(" ", l.Depth)+l.Text)
	}
	want := []string{"  main", "   table", `    row "r7"`, `     cell "c7"`, `     cell "go"`, `>     button "Go"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}
