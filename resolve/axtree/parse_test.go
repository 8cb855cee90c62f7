package axtree

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// outline writes a tree with every field of its nodes in brackets of its own, so that a test sees what went where.
func outline(t *Tree) string {
	var b strings.Builder
	for _, l := range t.Layers {
		fmt.Fprintf(&b, "layer name=%s kind=%s cover=%d occluded=%t\n", l.Name, l.Kind, l.Cover, l.Occluded)
		for _, n := range l.Roots {
			outlineNode(&b, n, 1)
		}
	}
	return b.String()
}

func outlineNode(b *strings.Builder, n *Node, depth int) {
	fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), n.Role)
	for _, field := range []struct{ name, value string }{
		{"ref", n.Ref}, {"name", n.Name}, {"ctx", n.Ctx}, {"host", n.Host}, {"field", n.Field}, {"placeholder", n.Placeholder},
	} {
		if field.value != "" {
			fmt.Fprintf(b, " %s<%s>", field.name, field.value)
		}
	}
	if n.HasValue {
		fmt.Fprintf(b, " value<%s>", n.Value)
	}
	for _, m := range n.Marks {
		fmt.Fprintf(b, " mark<%d %s %s>", m.Step, m.Op, m.Detail)
	}
	b.WriteByte('\n')
	for _, c := range n.Children {
		outlineNode(b, c, depth+1)
	}
}

func TestParseLine(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`main`, `main`},
		{`@e12 button`, `button ref<e12>`},
		{`@e1 link "首页"`, `link ref<e1> name<首页>`},
		{`heading "a \"b\" \\ \u00e9"`, `heading name<a "b" \ é>`},
		{`StaticText "Plan: {\"slot\":null}"`, `StaticText name<Plan: {"slot":null}>`},
		{`@e2 button "Add" [ctx: Rain jacket]`, `button ref<e2> name<Add> ctx<Rain jacket>`},
		{`@e2 button "Add" [ctx: 订单[3] x]`, `button ref<e2> name<Add> ctx<订单[3] x>`},
		{`@e2 link "Add" [ctx: a] b] [→ shop.example] ⟵ step 4: click`,
			`link ref<e2> name<Add> ctx<a] b> host<shop.example> mark<4 click >`},
		{`@e2 link "Add" [ctx: a] [→ shop.example]`, `link ref<e2> name<Add> ctx<a> host<shop.example>`},
		{`@e2 button "Add" [ctx: a [later]`, `button ref<e2> name<Add> ctx<a [later>`},
		{`@e2 button "Add" [ctx: a] [new: thing]`, `button ref<e2> name<Add> ctx<a] [new: thing>`},
		{`@e2 button "Add" [ctx: a] {new}`, `button ref<e2> name<Add> ctx<a>`},
		{`@e2 button "Add" [ctx: without an end`, `button ref<e2> name<Add>`},
		{`@e3 link "Docs" [→ [::1]]`, `link ref<e3> name<Docs> host<[::1]>`},
		{`@e4 textbox "Name" [empty]`, `textbox ref<e4> name<Name> field<empty>`},
		{`@e4 textbox "手机号" [default] placeholder="手机号" ="没有手机号"`,
			`textbox ref<e4> name<手机号> field<default> placeholder<手机号> value<没有手机号>`},
		{`@e4 textbox [filled] ="•••"`, `textbox ref<e4> field<filled> value<•••>`},
		{`@e4 textbox [unknown] placeholder="a ] \"b\"" =""`, `textbox ref<e4> field<unknown> placeholder<a ] "b"> value<>`},
		{`@e4 textbox "Name" [ctx: A] [empty] ="x ⟵ step 9: click"`,
			`textbox ref<e4> name<Name> ctx<A> field<empty> value<x ⟵ step 9: click>`},
		{`@e4 textbox "Name" [empty] ⟵ step 2: fill: "a ⟵ step 3: press" ⟵ step 3: press`,
			`textbox ref<e4> name<Name> field<empty> mark<2 fill a ⟵ step 3: press> mark<3 press >`},
		{`@e4 textbox "Name" ⟵ step 2: fill: raw text ⟵ step 3: press`,
			`textbox ref<e4> name<Name> mark<2 fill raw text> mark<3 press >`},
		{`@e4 textbox "Name" ⟵ step 2: fill: ""`, `textbox ref<e4> name<Name> mark<2 fill >`},
		{`@e4 button "Menu [has-submenu]" [hover first: A | B [x]] ⟵ step 12: hover`,
			`button ref<e4> name<Menu [has-submenu]> mark<12 hover >`},
		{`ColorWell ="#ff0000"`, `ColorWell value<#ff0000>`},
		{`@e4 button "Save" [new: thing] ="on" {x}`, `button ref<e4> name<Save> value<on>`},
		{`@e4 button "half a name`, `button ref<e4>`},
		{`doc-chapter "1"`, `doc-chapter name<1>`},
		// lines that are not nodes
		{`two words`, `#text name<two words>`},
		{`He said "no".`, `#text name<He said "no".>`},
		{`price "5"!`, `#text name<price "5"!>`},
		{`他说`, `#text name<他说>`},
		{`3 rows`, `#text name<3 rows>`},
		{`@e5`, `#text name<@e5>`},
		{`@e5 3`, `#text name<@e5 3>`},
		{`@all here`, `#text name<@all here>`},
		{`(more)`, `#text name<(more)>`},
	} {
		t.Run(tt.line, func(t *testing.T) {
			got := outline(Parse("L1 page\n  " + tt.line + "\n"))
			want := "layer name=L1 kind=page cover=0 occluded=false\n  " + tt.want + "\n"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseBody(t *testing.T) {
	const page = "layer name=L1 kind=page cover=0 occluded=false\n"
	for _, tt := range []struct{ name, body, want string }{
		{"nothing", "", ""},
		{"blank lines", "\n  \n\r\n", ""},
		{"nesting", "L1 page\n  main\n    form\n      @e1 button\n    status\n  region\n",
			page + "  main\n    form\n      button ref<e1>\n    status\n  region\n"},
		{"CRLF", "L1 page\r\n  main\r\n    @e1 button \"A\"\r\n", page + "  main\n    button ref<e1> name<A>\n"},
		{"byte order mark", "\uFEFFL1 page\n  main", page + "  main\n"},
		{"no layer", "  main\n    form\n", "layer name= kind=page cover=0 occluded=false\n  main\n    form\n"},
		{"no first level", "L1 page\nmain\n  @e1 link \"x\"\n@e2 button \"y\"\n", page + "  main\n    link ref<e1> name<x>\n  button ref<e2> name<y>\n"},
		{"uneven indentation", "L1 page\n  main\n       form\n     status\n  region\n", page + "  main\n    form\n    status\n  region\n"},
		{"directives", "@vom 1\n@view 1280x813\n@new thing\n@layers 1 focus=L1\nL1 page\n  main\n", page + "  main\n"},
		{"layers", "@layers 2 focus=L1\nL1 modal cover=62%\n  dialog \"提示\"\nL2 page … occluded by L1 (~2 nodes, not actionable)\n",
			"layer name=L1 kind=modal cover=62 occluded=false\n  dialog name<提示>\nlayer name=L2 kind=page cover=0 occluded=true\n"},
		{"a node called like a layer", "L1 page\n  L2 page\n", page + "  #text name<L2 page>\n"},
		{"unknown line with children", "L1 page\n  ~ new kind ~\n    @e1 button\n", page + "  #text name<~ new kind ~>\n    button ref<e1>\n"},
		{"active scope", `L1 page
  tablist
    @e1 tab "Notes"
      [§ active: Notes]
        button "looks like a node"
          deeper
        L1 page
    @e2 tab "Files"
`, page + `  tablist
    tab ref<e1> name<Notes>
      #text name<[§ active: Notes]>
        #text name<button "looks like a node">
        #text name<deeper>
        #text name<L1 page>
    tab ref<e2> name<Files>
`},
		{"frames", "L1 page\n  Iframe \"A\"\n    Iframe \"B\"\n      @e1 textbox \"Tel\" [empty]\n",
			page + "  Iframe name<A>\n    Iframe name<B>\n      textbox ref<e1> name<Tel> field<empty>\n"},
		{"bytes that are not UTF-8", "L1 page\n  button \"a\xff\"\n", page + "  button name<a\uFFFD>\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(Parse(tt.body))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseHead(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       Tree
	}{
		{"all", "# bsk-observation 1\nstate: \"s2\"\nurl: \"http://a/?q=\\\"\"\ntitle: \"商品: 管理\"\nsteps_here: [2, 3]\n---\n" +
			"@vom 1\n@view 1280x720\n@layers 2 focus=L2\n",
			Tree{URL: `http://a/?q="`, Title: "商品: 管理", Width: 1280, Height: 720, Focus: "L2"}},
		{"CRLF", "# bsk-observation 1\r\nurl: \"http://a/\"\r\n---\r\n@view 3x4\r\n", Tree{URL: "http://a/", Width: 3, Height: 4}},
		{"fields of a fork", "# bsk-observation 2\nextension_build: ab12-dirty.77\nurl: \"http://a/\"\n---\n", Tree{URL: "http://a/"}},
		{"a value without quotes", "# bsk-observation 1\nurl: http://a/\n---\n", Tree{URL: "http://a/"}},
		{"no end", "# bsk-observation 1\nurl: \"http://a/\"\n@vom 1\n@view 3x4\n", Tree{URL: "http://a/", Width: 3, Height: 4}},
		{"only a head", "# bsk-observation 1\nurl: \"http://a/\"", Tree{URL: "http://a/"}},
		{"no head", "url: \"http://a/\"\n---\n@view 3x4\n", Tree{Width: 3, Height: 4}},
		{"bad numbers", "@view -3x4e9\n@layers\n", Tree{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := *Parse(tt.body)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Tree{}, "Layers", "Nodes")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestParseKeepsRealPages reads real page texts and writes them again: nothing but what a tree has no place for is lost.
func TestParseKeepsRealPages(t *testing.T) {
	lost := regexp.MustCompile(`(?m)^(state|steps_here): .*\n`)
	occluded := regexp.MustCompile(`(?m) … occluded by L1 .*$`)
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no page texts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := occluded.ReplaceAllString(lost.ReplaceAllString(string(body), ""), " … occluded by another layer")
			tree := Parse(string(body))
			if diff := cmp.Diff(want, Format(tree)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, n := range tree.Nodes {
				if n.Role == TextRole {
					t.Errorf("line %q was not understood", n.Name)
				}
			}
			checkLinks(t, tree)
		})
	}
}

// checkLinks fails when a tree is not one: nodes in reading order, each child with its parent.
func checkLinks(t *testing.T, tree *Tree) {
	t.Helper()
	next := 0
	visit := func(n, parent *Node) {
		if n.Index != next || tree.Nodes[next] != n {
			t.Fatalf("node %q has index %d, want %d", n.Name, n.Index, next)
		}
		if n.Parent != parent {
			t.Fatalf("node %q has the wrong parent", n.Name)
		}
		next++
	}
	var walk func(n, parent *Node)
	walk = func(n, parent *Node) {
		visit(n, parent)
		for _, c := range n.Children {
			walk(c, n)
		}
	}
	for _, l := range tree.Layers {
		for _, n := range l.Roots {
			walk(n, nil)
		}
	}
	if next != len(tree.Nodes) {
		t.Fatalf("%d nodes in the layers, %d in all", next, len(tree.Nodes))
	}
}

func TestModal(t *testing.T) {
	for body, want := range map[string]bool{
		"@layers 2 focus=L1\nL1 modal cover=90%\nL2 page … occluded by L1\n": true,
		"@layers 2 focus=L1\nL1 mask cover=90%\n":                            true,
		"@layers 1 focus=L1\nL1 page\n":                                      false,
		"main\n":                                                             false,
	} {
		if got := Parse(body).Modal(); got != want {
			t.Errorf("Modal of %q is %t", body, got)
		}
	}
}

// FuzzParse checks that there is never more than a node a line, that the tree is whole, and that a tree that is written
// and read again is the same.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no page texts: %v", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	f.Add("L1 page\n  @e2 link \"A\" [ctx: a] b] [→ h] [empty] placeholder=\"p\" =\"v\" [hover first: A | B] ⟵ step 1: fill: \"x\" ⟵ step 2: press\n")
	f.Add("L1 mask cover=7%\n  @e1 tab\n    [§ active: x]\n      raw \"line\"\n     \n  y z\n")
	f.Fuzz(func(t *testing.T, body string) {
		tree := Parse(body)
		if lines := strings.Count(body, "\n") + 1; len(tree.Nodes) > lines || len(tree.Layers) > lines {
			t.Fatalf("%d nodes and %d layers from %d lines", len(tree.Nodes), len(tree.Layers), lines)
		}
		checkLinks(t, tree)
		text := Format(tree)
		again := Parse(text)
		if diff := cmp.Diff(outline(tree), outline(again)); diff != "" {
			t.Errorf("after writing and reading again (-want +got):\n%s\n%s", diff, text)
		}
		if tree.URL != again.URL || tree.Title != again.Title || tree.Focus != again.Focus ||
			tree.Width != again.Width || tree.Height != again.Height {
			t.Errorf("head changed:\n%s", text)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	body, err := os.ReadFile("testdata/pages/redacted.txt")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(string(body))
	}
}

// BenchmarkParseHostile reads single lines on which a parser that looks back would take quadratic time.
func BenchmarkParseHostile(b *testing.B) {
	for name, piece := range map[string]string{
		"contexts": ` [ctx: a] ="`, "marks": `] ⟵ step 1: a: "`, "escapes": ` ="\`, "hosts": ` [→ a`,
	} {
		b.Run(name, func(b *testing.B) {
			line := `@e1 button "x" [ctx: ` + strings.Repeat(piece, 1<<20/len(piece))
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				Parse(line)
			}
		})
	}
}
