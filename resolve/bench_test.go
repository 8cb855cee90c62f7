package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// build makes a tree of nested nodes; live nodes get ids.
type build struct {
	tree *axtree.Tree
	live bool
}

func newBuild(live bool) (*build, *axtree.Node) {
	b := &build{tree: &axtree.Tree{Focus: "L1"}, live: live}
	root := b.add(nil, "RootWebArea", "")
	b.tree.Layers = []axtree.Layer{{Name: "L1", Kind: "page", Roots: []*axtree.Node{root}}}
	return b, root
}

func (b *build) add(parent *axtree.Node, role, name string) *axtree.Node {
	n := &axtree.Node{Role: role, Name: name, Parent: parent, Index: len(b.tree.Nodes)}
	if parent != nil {
		parent.Children = append(parent.Children, n)
	}
	if b.live {
		n.Live = &axtree.Live{Frame: "f1", Backend: cdp.BackendNodeID(n.Index + 1), W: 10, H: 10, Clickable: role == "button"}
	} else if role == "button" {
		n.Ref = fmt.Sprint("e", n.Index)
	}
	b.tree.Nodes = append(b.tree.Nodes, n)
	return n
}

// table is a page of about n nodes: rows of a name, a status and a button of the same name in each. The recorded page has the
// first rows only, as the recorder cuts pages.
func table(n int, live, rows bool) (*axtree.Tree, *axtree.Node) {
	b, root := newBuild(live)
	main := b.add(root, "main", "")
	b.add(main, "heading", "Customers")
	list := b.add(main, "table", "")
	var target *axtree.Node
	for i := 0; len(b.tree.Nodes) < n; i++ {
		item := list
		if rows {
			item = b.add(list, "row", "")
		}
		b.add(item, "StaticText", fmt.Sprint("Customer ", word(i)))
		b.add(item, "StaticText", []string{"open", "paid", "late"}[i%3])
		button := b.add(item, "button", "Delete")
		if i == 7 {
			target = button
		}
	}
	return b.tree, target
}

// word is a name without digits.
func word(i int) string {
	s := ""
	for ; i >= 0; i = i/26 - 1 {
		s = string(rune('a'+i%26)) + s
	}
	return s
}

func tableQuery(recorded int, rows bool) resolve.Query {
	before, line := table(recorded, false, rows)
	return resolve.Query{Target: resolve.Descriptor{Ref: line.Ref, Role: "button", Name: "Delete"}, Use: resolve.ToClick, Before: before}
}

// TestLargePages: the time grows with the page and not with its square.
func TestLargePages(t *testing.T) {
	for _, rows := range []bool{true, false} {
		q := tableQuery(10_000, rows)
		live, want := table(10_000, true, rows)
		start := time.Now()
		n, d := resolve.Find(q, live)
		if n != want {
			t.Errorf("rows %t: %s: %s", rows, d.Outcome, d.Why)
		}
		t.Logf("rows %t: 10 000 nodes, 2 500 equals: %s", rows, time.Since(start))
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000} {
		for _, bb := range []struct {
			name  string
			query resolve.Query
			rows  bool
		}{
			{"rows", tableQuery(1_000, true), true},
			{"rows-all-recorded", tableQuery(n, true), true},
			{"flat", tableQuery(1_000, false), false},
			{"flat-all-recorded", tableQuery(n, false), false},
			{"missing", resolve.Query{Target: resolve.Descriptor{Role: "button", Name: "Nowhere"}, Use: resolve.ToClick}, true},
		} {
			live, _ := table(n, true, bb.rows)
			b.Run(fmt.Sprint(bb.name, "/", n), func(b *testing.B) {
				for b.Loop() {
					resolve.Find(bb.query, live)
				}
			})
		}
	}
}

// TestRandomTrees: no tree makes the search fail, whatever the query is.
func TestRandomTrees(t *testing.T) {
	roles := []string{"button", "link", "textbox", "row", "listitem", "generic", "StaticText", "Iframe", "dialog", "heading", "checkbox", "region", "combobox", "LabelText", "option"}
	names := []string{"", "Save", "Save", "Delete", "Anna 12", "Anna 13", "€ 12.50", "…", "Ａ", "\u00ad", "12 March 2026", "a b", "ab"}
	random := func(r *rand.Rand, live bool) *axtree.Tree {
		b, _ := newBuild(live)
		for range r.IntN(60) {
			p := b.tree.Nodes[r.IntN(len(b.tree.Nodes))]
			n := b.add(p, roles[r.IntN(len(roles))], names[r.IntN(len(names))])
			if live {
				n.Live.Hidden, n.Live.Clipped, n.Live.Clickable = r.IntN(9) == 0, r.IntN(9) == 0, r.IntN(2) == 0
				n.Live.DOMName, n.Live.DOMRole = names[r.IntN(len(names))], roles[r.IntN(len(roles))]
				n.Live.Names = names[:r.IntN(3)]
				n.Live.Tag = []string{"", "label", "input", "select"}[r.IntN(4)]
			} else if r.IntN(2) == 0 {
				n.Ref = fmt.Sprint("e", n.Index)
			}
		}
		return ordered(b.tree)
	}
	outcomes := map[resolve.Outcome]int{}
	for seed := range 200 * rounds() {
		r := rand.New(rand.NewPCG(seed, 3))
		q := resolve.Query{
			Target: resolve.Descriptor{Ref: fmt.Sprint("e", r.IntN(60)), Role: roles[r.IntN(len(roles))], Name: names[r.IntN(len(names))], Unmatched: r.IntN(2) == 0},
			Use:    []resolve.Use{resolve.ToClick, resolve.ToFill, resolve.ToSelect}[r.IntN(3)],
			Mode:   []resolve.Mode{resolve.Strict, resolve.Tolerant}[r.IntN(2)],
			Before: random(r, false), After: random(r, false),
		}
		if n := q.Before.ByRef(q.Target.Ref); n != nil && r.IntN(2) == 0 {
			q.Target.Role, q.Target.Name = n.Role, n.Name
		}
		n, d := resolve.Find(q, random(r, true))
		outcomes[d.Outcome]++
		if (n != nil) != (d.Outcome == resolve.One) || d.Why == "" {
			t.Fatalf("seed %d: node %v with outcome %q, %q", seed, n, d.Outcome, d.Why)
		}
	}
	for _, o := range []resolve.Outcome{resolve.One, resolve.Ambiguous, resolve.Missing} {
		if outcomes[o] == 0 {
			t.Errorf("no random tree gives %s", o)
		}
	}
	t.Log(outcomes)
}

// ordered puts the nodes of a tree in reading order.
func ordered(t *axtree.Tree) *axtree.Tree {
	t.Nodes = nil
	for n := range t.Layers[0].Roots[0].Subtree() {
		n.Index = len(t.Nodes)
		t.Nodes = append(t.Nodes, n)
	}
	return t
}
