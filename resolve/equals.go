package resolve

import (
	"slices"

	"retrace/resolve/axtree"
)

// equals are the nodes of one tree that could be called the same: the recorded line and its twins, or the candidates on the
// live page. They are counted once for every ancestor, so that asking what belongs to one of them alone takes the time of
// its depth and not of their number.
type equals struct {
	name  string // their own, which says nothing of what stands around them
	is    map[*axtree.Node]bool
	below map[*axtree.Node]int // how many of them the subtree of a node holds, itself included
}

func newEquals(name string, nodes []*axtree.Node) *equals {
	e := &equals{name: Normalise(name), is: make(map[*axtree.Node]bool, len(nodes)), below: make(map[*axtree.Node]int, 2*len(nodes))}
	for _, n := range nodes {
		e.is[n] = true
		for a := n; a != nil; a = a.Parent {
			e.below[a]++
		}
	}
	return e
}

// nearby is what stands around a node: what belongs to it and to none of its equals.
type nearby struct {
	// box is the largest part of the page that holds the node and no equal; top says that it is the whole page.
	box *axtree.Node
	top bool
	// loose says that the box was guessed by its size, so that it may hold what belongs to others.
	loose bool
	// before and after are the texts inside the box, nearest first.
	before, after []string
	// left and right are the texts between the box and the equals beside it, nearest first.
	left, right []string
}

// maxNear bounds the texts on each side.
const maxNear = 40

// around finds what stands around n, which may be one of the equals or not. Equals that hold n or lie in it do not count. A row
// or a list item that says anything is one thing: what is outside belongs to others.
func (e *equals) around(n *axtree.Node) nearby {
	near := nearby{box: e.boxOf(n)}
	near.top = near.box.Parent == nil
	near.before, near.after = e.splitTexts(near.box, n)
	if isRow(near.box) {
		near.before = append(near.before, spanning(near.box, e.says(near.box, n))...)
	}
	p := near.box.Parent
	if p == nil || near.box.Role == "Iframe" && near.box != n {
		return near // what stands beside a frame is not beside what is in it
	}
	i := position(near.box)
	left, right := newTexts(maxNear), newTexts(maxNear)
	left.seen[e.name], right.seen[e.name] = true, true
	for j := i - 1; j >= 0 && e.below[p.Children[j]] == 0 && !left.full(); j-- {
		left.addBackwards(p.Children[j])
	}
	for j := i + 1; j < len(p.Children) && e.below[p.Children[j]] == 0 && !right.full(); j++ {
		right.addForwards(p.Children[j])
	}
	near.left, near.right = left.list, right.list
	return near
}

// boxOf is the largest part of the page that holds n and none of its equals.
func (e *equals) boxOf(n *axtree.Node) *axtree.Node {
	box, own := n, e.below[n]
	for p := n.Parent; p != nil && (box.Role != "Iframe" || box == n); p = p.Parent {
		if e.is[p] {
			own++
		}
		if e.below[p] > own {
			break
		}
		box = p
		if itemRoles[p.Role] && e.says(p, n) {
			break
		}
	}
	return box
}

// bare are the boxes of nodes that have no text in them but the name of the equals, when that is so of all; else the nodes.
func (e *equals) bare(nodes []*axtree.Node) []*axtree.Node {
	boxes := make([]*axtree.Node, len(nodes))
	for i, n := range nodes {
		boxes[i] = e.boxOf(n)
		if boxes[i].Parent == nil || e.says(boxes[i], n) {
			return nodes
		}
	}
	return boxes
}

// says reports whether an item has a text that means something beside n.
func (e *equals) says(item, n *axtree.Node) bool {
	b, a := e.splitTexts(item, n)
	return slices.ContainsFunc(append(b, a...), func(t string) bool { return !meaningless(t) })
}

// run counts the equals around n in reading order from which no text parts it, itself included, and says which of them n is,
// from 0.
func (e *equals) run(t *axtree.Tree, n *axtree.Node) (length, at int) {
	count := func(step int) int {
		found := 0
		for i := n.Index + step; i >= 0 && i < len(t.Nodes); i += step {
			switch c := t.Nodes[i]; {
			case e.is[c] && !within(c, n) && !within(n, c):
				if group(c) != group(n) {
					return found
				}
				found++
			case e.below[c] > 0 || Normalise(c.Name) == "" || e.inside(c):
			default:
				return found
			}
		}
		return found
	}
	before := count(-1)
	return before + 1 + count(1), before
}

// group is the nearest named group around a node, or nil.
func group(n *axtree.Node) *axtree.Node {
	if l := landmarksOf(n); len(l) > 0 {
		return l[0].node
	}
	return nil
}

// inside reports whether a node is part of one of the equals.
func (e *equals) inside(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		if e.is[a] {
			return true
		}
	}
	return false
}

// inside lists the texts of the box.
func (n nearby) inside() []string { return append(slices.Clone(n.before), n.after...) }

// position is the node's place among the children of its parent.
func position(n *axtree.Node) int {
	i, _ := slices.BinarySearchFunc(n.Parent.Children, n.Index, func(c *axtree.Node, index int) int { return c.Index - index })
	return i
}

// splitTexts lists the texts inside box that come before and after n, nearest first; those of n's ancestors and of n itself
// are left out.
func splitTexts(box, n *axtree.Node) (before, after []string) {
	return (&equals{}).splitTexts(box, n)
}

// splitTexts is the same without the name of the equals.
func (e *equals) splitTexts(box, n *axtree.Node) (before, after []string) {
	b, a := newTexts(maxNear), newTexts(maxNear)
	b.seen[e.name], a.seen[e.name] = true, true
	for c := n; c != box; c = c.Parent {
		siblings := c.Parent.Children
		i := position(c)
		for j := i - 1; j >= 0 && !b.full(); j-- {
			b.addBackwards(siblings[j])
		}
		for j := i + 1; j < len(siblings) && !a.full(); j++ {
			a.addForwards(siblings[j])
		}
	}
	return b.list, a.list
}

// texts gathers normalised names, each once, up to a number.
type texts struct {
	list []string
	seen map[string]bool
	max  int
}

func newTexts(max int) *texts { return &texts{seen: map[string]bool{}, max: max} }

func (t *texts) full() bool { return t.max > 0 && len(t.list) >= t.max }

func (t *texts) add(n *axtree.Node) {
	if n.Role == "option" || n.Role == "Iframe" || t.full() {
		return
	}
	if s := Normalise(n.Name); s != "" && !t.seen[s] {
		t.seen[s] = true
		t.list = append(t.list, s)
	}
}

// popup reports whether a part of a page is the open list of a text field, which says nothing of what stands around it.
func popup(n *axtree.Node) bool { return n.Live != nil && n.Live.PopupOf != 0 }

// addForwards adds the names of a subtree in reading order.
func (t *texts) addForwards(n *axtree.Node) {
	if popup(n) {
		return
	}
	t.add(n)
	for _, c := range n.Children {
		if t.full() {
			return
		}
		t.addForwards(c)
	}
}

// addBackwards adds the names of a subtree from its end.
func (t *texts) addBackwards(n *axtree.Node) {
	if popup(n) {
		return
	}
	for _, c := range slices.Backward(n.Children) {
		if t.full() {
			return
		}
		t.addBackwards(c)
	}
	t.add(n)
}

// textsIn lists the texts below root in reading order, without those of the subtree of skip; at most max (0: all). The name
// of root itself counts when nothing is skipped.
func textsIn(root, skip *axtree.Node, max int) []string {
	t := newTexts(max)
	if skip == nil {
		t.add(root)
	}
	var walk func(n *axtree.Node)
	walk = func(n *axtree.Node) {
		for _, c := range n.Children {
			if c == skip || popup(c) || t.full() {
				continue
			}
			t.add(c)
			walk(c)
		}
	}
	walk(root)
	return t.list
}
