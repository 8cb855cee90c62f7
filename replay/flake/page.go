package flake

import (
	"slices"
	"strconv"
	"strings"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Page is what a page showed when the search for a target ended: its named nodes in reading order, each as role and name, and
// the place of the target among them, -1 when it was not found.
type Page struct {
	Names  []string
	Target int
}

// Bounds of a Page.
const (
	mostNames = 600
	mostRunes = 100
)

func newPage(t *axtree.Tree, target *axtree.Node) Page {
	p := Page{Target: -1}
	for _, n := range t.Nodes {
		name := resolve.Normalise(n.Name)
		if n == target {
			p.Target = len(p.Names)
		}
		if name == "" && n != target || n.Role == "RootWebArea" || len(p.Names) >= mostNames {
			continue
		}
		p.Names = append(p.Names, label(n.Role, name))
	}
	if p.Target >= len(p.Names) {
		p.Target = -1
	}
	return p
}

func label(role, name string) string {
	if r := []rune(name); len(r) > mostRunes {
		name = string(r[:mostRunes-1]) + "…"
	}
	return role + " " + strconv.Quote(name)
}

// role is the role of a name of a page.
func role(label string) string {
	r, _, _ := strings.Cut(label, " ")
	return r
}

// permuted reports whether two pages show the same things in another order. Pages that differ in more than a tenth of what they
// show are other pages.
func permuted(a, b Page) bool {
	if slices.Equal(a.Names, b.Names) || len(a.Names) == 0 {
		return false
	}
	onlyA, onlyB := minus(a.Names, b.Names), minus(b.Names, a.Names)
	if 10*(len(onlyA)+len(onlyB)) > len(a.Names)+len(b.Names) {
		return false
	}
	only := slices.Concat(onlyA, onlyB) // a second one of the same name is no other order
	return !slices.Equal(without(a.Names, only), without(b.Names, only))
}

// minus are the elements of a that b has not, each as often as it has more of it.
func minus(a, b []string) []string {
	n := map[string]int{}
	for _, s := range b {
		n[s]++
	}
	var out []string
	for _, s := range a {
		if n[s]--; n[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

func without(a, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(drop, s) })
}

// moved names something that stands before another in one page and after it in the other.
func moved(a, b Page) string {
	at := map[string]int{}
	for i, s := range b.Names {
		if _, twice := at[s]; twice {
			at[s] = -1
			continue
		}
		at[s] = i
	}
	last, before := -1, ""
	for _, s := range a.Names {
		i, ok := at[s]
		if !ok || i < 0 {
			continue
		}
		if i < last {
			return s + " stood after " + before + " in one run and before it in another"
		}
		last, before = i, s
	}
	return "the same things stood in another order"
}
