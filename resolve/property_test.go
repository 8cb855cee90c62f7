package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrace/resolve"
	"retrace/resolve/axtree"
	"retrace/resolve/sample"
)

// samples reads the saved searches of the project.
func samples(t *testing.T) map[string]*sample.Sample {
	t.Helper()
	files, err := filepath.Glob("../testdata/trees/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no saved trees: %v", err)
	}
	out := map[string]*sample.Sample{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sample.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".txtar")] = s
	}
	return out
}

// edited is a copy of a tree after an edit of its nodes.
func edited(t *testing.T, tree *axtree.Tree, edit func(nodes []*axtree.Node)) *axtree.Tree {
	t.Helper()
	c := copyOf(t, tree)
	edit(c.Nodes)
	c.Nodes = nil
	for _, l := range c.Layers {
		for _, r := range l.Roots {
			for n := range r.Subtree() {
				n.Index = len(c.Nodes)
				c.Nodes = append(c.Nodes, n)
			}
		}
	}
	return c
}

func copyOf(t *testing.T, tree *axtree.Tree) *axtree.Tree {
	t.Helper()
	data, err := axtree.Encode(tree)
	if err != nil {
		t.Fatal(err)
	}
	c, err := axtree.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wanted is the node of a tree that a sample wants found; nil when it wants none.
func wanted(s *sample.Sample, nodes []*axtree.Node) *axtree.Node {
	for _, n := range nodes {
		if s.Want.Backend != 0 && n.Live.Backend == s.Want.Backend && n.Live.Frame == s.Want.Frame {
			return n
		}
	}
	return nil
}

// found runs a search and says which element it gives: its ids, "" for none.
func found(q resolve.Query, live *axtree.Tree) (string, resolve.Decision) {
	n, d := resolve.Find(q, live)
	if n == nil {
		return "", d
	}
	return id(n), d
}

func id(n *axtree.Node) string { return fmt.Sprint(n.Live.Frame, " ", n.Live.Backend) }

// unrelated is a small part of a page that has nothing to do with any sample.
func unrelated(r *rand.Rand) *axtree.Node {
	live := func() *axtree.Live { return &axtree.Live{Frame: "f1", Backend: 900000, W: 10, H: 10} }
	n := &axtree.Node{Role: "paragraph", Live: live()}
	for i := range 1 + r.IntN(3) {
		c := &axtree.Node{Role: "StaticText", Name: fmt.Sprint("Zyx", r.IntN(1000), "qv", i), Parent: n, Live: live()}
		if r.IntN(3) == 0 {
			c.Role, c.Live.Clickable, c.Live.Tag = "button", true, "button"
		}
		n.Children = append(n.Children, c)
	}
	return n
}

func insert(parent *axtree.Node, at int, n *axtree.Node) {
	n.Parent = parent
	parent.Children = slices.Insert(parent.Children, at, n)
}

// rounds is how many pages are made of each sample by chance: a few of them unless all is asked for, since the race detector
// makes each slow.
func rounds() uint64 {
	if os.Getenv("RETRACE_E2E_THOROUGH") != "" {
		return 25
	}
	return 4
}

// TestUnrelatedNodes: what has nothing to do with the target never leads to another element; at the end of the page it does
// not change the answer at all.
func TestUnrelatedNodes(t *testing.T) {
	for name, s := range samples(t) {
		t.Run(name, func(t *testing.T) {
			want, _ := found(s.Query, s.Live)
			after := edited(t, s.Live, func(nodes []*axtree.Node) {
				end := unrelated(rand.New(rand.NewPCG(1, 1)))
				insert(nodes[0], len(nodes[0].Children), end)
			})
			if got, d := found(s.Query, after); got != want {
				t.Errorf("found %q, want %q after adding to the end: %s", got, want, d.Why)
			}
			for seed := range rounds() {
				r := rand.New(rand.NewPCG(seed, 7))
				live := edited(t, s.Live, func(nodes []*axtree.Node) {
					for range 1 + r.IntN(3) {
						p := nodes[r.IntN(len(nodes))]
						if p.Name == "" && p.Role != "textbox" && p.Role != "option" {
							insert(p, r.IntN(len(p.Children)+1), unrelated(r))
						}
					}
				})
				if got, d := found(s.Query, live); got != want && got != "" {
					t.Errorf("seed %d: found %q, want %q or none: %s\n%s", seed, got, want, d.Why, axtree.Format(live))
				}
			}
		})
	}
}

// TestPermutedSiblings: in another order the same element is found, or none.
func TestPermutedSiblings(t *testing.T) {
	for name, s := range samples(t) {
		if byPosition(s) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, _ := found(s.Query, s.Live)
			for seed := range rounds() {
				r := rand.New(rand.NewPCG(seed, 11))
				live := edited(t, s.Live, func(nodes []*axtree.Node) {
					for range 3 {
						p := nodes[r.IntN(len(nodes))]
						// A text and the control that it belongs to may stand side by side; only whole parts are moved.
						if slices.ContainsFunc(p.Children, func(c *axtree.Node) bool { return len(c.Children) == 0 }) || labelled(p.Children) {
							continue
						}
						r.Shuffle(len(p.Children), func(i, j int) { p.Children[i], p.Children[j] = p.Children[j], p.Children[i] })
					}
				})
				if got, d := found(s.Query, live); got != want && got != "" {
					t.Errorf("seed %d: found %q, want %q or none: %s\n%s", seed, got, want, d.Why, axtree.Format(live))
				}
			}
		})
	}
}

// labelled reports whether of several parts some are what stands above others: a heading or a text above a form, an entry above its
// branch.
func labelled(parts []*axtree.Node) bool {
	texts, acted := 0, 0
	for i, p := range parts {
		if p.Role == "treeitem" || p.Role == "heading" && i > 0 {
			return true
		}
		acts := false
		for n := range p.Subtree() {
			acts = acts || n.Live.Clickable || n.Live.Tag == "button"
		}
		if acts {
			acted++
		} else {
			texts++
		}
	}
	return texts > 0 && acted > 1
}

// byPosition reports whether only the place of the target among its equals decided.
func byPosition(s *sample.Sample) bool {
	return strings.Contains(s.Want.Why, "as recorded")
}

// TestRemovedTarget: without the target no other element is found. An old recording, which has no page text, does not say that
// there were others.
func TestRemovedTarget(t *testing.T) {
	for name, s := range samples(t) {
		if s.Want.Backend == 0 || s.Query.Before == nil || len(s.Query.Before.Nodes) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for up := range 2 { // alone, and with what it stands in
				live := edited(t, s.Live, func(nodes []*axtree.Node) {
					n := wanted(s, nodes)
					for range up {
						if n.Parent.Parent != nil {
							n = n.Parent
						}
					}
					p := n.Parent
					p.Children = slices.DeleteFunc(p.Children, func(c *axtree.Node) bool { return c == n })
					unlabel(nodes, n)
				})
				if got, d := found(s.Query, live); got != "" && !reads(s.Query, d) {
					t.Errorf("%d up: found %q without the target: %s\n%s", up, got, d.Why, axtree.Format(live))
				}
			}
		})
	}
}

// unlabel takes their control away from the labels of what was removed.
func unlabel(nodes []*axtree.Node, removed *axtree.Node) {
	for gone := range removed.Subtree() {
		for _, n := range nodes {
			if c := n.Live.Control; c != nil && c.Backend == gone.Live.Backend && n.Live.Frame == gone.Live.Frame {
				n.Live.Control = nil
			}
		}
	}
}

// reads reports whether what was found is called like the target but for white space, which is the same name by design, and is
// told of.
func reads(q resolve.Query, d resolve.Decision) bool {
	bare := func(s string) string { return strings.ToLower(strings.ReplaceAll(resolve.Normalise(s), " ", "")) }
	return d.Outcome == resolve.One && len(d.Warnings) > 0 && bare(d.Candidates[0].Name) == bare(q.Target.Name)
}

// TestDuplicatedTarget: when what the target stands in is there twice, nothing tells which was meant.
func TestDuplicatedTarget(t *testing.T) {
	for name, s := range samples(t) {
		if s.Want.Backend == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			live := edited(t, s.Live, func(nodes []*axtree.Node) {
				n := wanted(s, nodes)
				for n.Parent.Parent != nil && len(n.Parent.Children) == 1 || item(n.Parent) {
					n = n.Parent
				}
				insert(n.Parent, slices.Index(n.Parent.Children, n)+1, clone(n))
			})
			if got, d := found(s.Query, live); got != "" {
				t.Errorf("found %q of two that are the same: %s\n%s", got, d.Why, axtree.Format(live))
			}
		})
	}
}

func item(n *axtree.Node) bool {
	return n.Role == "row" || n.Role == "listitem" || n.Role == "article" || n.Role == "cell"
}

func clone(n *axtree.Node) *axtree.Node {
	c := *n
	l := *n.Live
	l.Backend += 500000
	c.Live, c.Children = &l, nil
	for _, k := range n.Children {
		k = clone(k)
		k.Parent = &c
		c.Children = append(c.Children, k)
	}
	return &c
}
