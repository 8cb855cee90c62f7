package resolve

import (
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// comparison are the recorded texts that should stand with a candidate, and those that do.
type comparison struct {
	want, have []string
	known      []string // all recorded texts on the sides that are compared, those beyond want included
	reading    []string // want in reading order
	boxed      bool     // want belongs to the target alone: it is the text of its row, card or form
	loose      bool     // want and have may hold what belongs to others
	sides      bool     // want are texts to both sides, of which nobody knows which belong to the target
}

// comparable picks the recorded texts that should stand with the element, given how the live element is laid out: a
// recording is flat where the page has plain containers, so that the texts of an item may lie beside it instead of in it.
func (s *scale) comparable(recorded, live nearby) comparison {
	labels := s.labels.side
	if labels != sideUnknown {
		recorded.left, recorded.right = s.telling(recorded.left), s.telling(recorded.right)
		live.left, live.right = s.telling(live.left), s.telling(live.right)
	}
	inReadingOrder := func(before, after []string) []string {
		r := slices.Clone(before)
		slices.Reverse(r)
		return append(r, after...)
	}
	pick := func(before, after, have []string, boxed bool) comparison {
		want := append(slices.Clone(before), after...)
		return comparison{want: want, have: have, known: want, reading: inReadingOrder(before, after), boxed: boxed}
	}
	// Where one of the two is flat, the order of reading is all that both have.
	directed := func(before, after, left, right []string) comparison {
		c := pick(mark("<", before), mark(">", after), append(mark("<", left), mark(">", right)...), true)
		c.loose = live.loose || labels != sideUnknown
		c.known = append(mark("<", slices.Concat(recorded.before, recorded.left)), mark(">", slices.Concat(recorded.after, recorded.right))...)
		return c
	}
	// What stands near the only one of its name on the recorded page may belong to anything.
	unboxed := func(c comparison) comparison {
		c.boxed = false
		return c
	}
	switch r, l := recorded.inside(), live.inside(); {
	case len(r) > 0 && !recorded.top && len(l) > 0:
		return pick(recorded.before, recorded.after, l, true)
	case len(l) > 0 && recorded.top:
		return unboxed(directed(first(recorded.before, 4), first(recorded.after, 2), live.before, live.after))
	case len(l) > 0:
		return directed(first(recorded.left, len(live.before)), first(recorded.right, len(live.after)), live.before, live.after)
	case len(r) > 0 && !recorded.top:
		return directed(recorded.before, recorded.after, live.left, live.right)
	case recorded.top:
		return unboxed(directed(first(recorded.before, 3), first(recorded.after, 1), live.left, live.right))
	}
	switch labels {
	case sideBefore:
		return directed(first(recorded.left, max(1, len(live.left))), nil, live.left, nil)
	case sideAfter:
		return directed(nil, first(recorded.right, max(1, len(live.right))), nil, live.right)
	}
	return comparison{
		want:  append(mark("<", first(recorded.left, 4)), mark(">", first(recorded.right, 4))...),
		known: append(mark("<", recorded.left), mark(">", recorded.right)...),
		have:  append(mark("<", first(live.left, 4)), mark(">", first(live.right, 4))...),
		sides: true,
	}
}

// telling are the texts on one side that do not stand with every one of the equals, as many as can belong to one of them.
func (s *scale) telling(texts []string) []string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return s.labels.common[t] })
	return texts[:min(len(texts), s.labels.most)]
}

// side is where the texts stand that belong to each of several controls in one container.
type side int

const (
	sideUnknown side = iota
	sideBefore
	sideAfter
)

// labelling is where the texts of several controls stand.
type labelling struct {
	side   side
	common map[string]bool // texts that stand between any two of them, and say nothing of the side
	most   int             // the number of other texts between two of them, at most
}

// labelSide finds out on which side of the candidates their texts stand: when all are in one container, which has text before
// the first and none after the last, each control comes after its text; and the other way round. What stands with each of
// them (the "No" of every question, beside its "Yes") does not count.
func labelSide(nodes []*axtree.Node) labelling {
	p := nodes[0].Parent
	if p == nil {
		return labelling{}
	}
	at := make([]int, len(nodes))
	for i, n := range nodes {
		if n.Parent != p {
			return labelling{}
		}
		at[i] = position(n)
	}
	slices.Sort(at)
	before, after := p.Children[:at[0]], p.Children[at[len(at)-1]+1:]
	count := map[string]int{}
	var sizes []int
	for i := 1; i < len(at); i++ {
		between := textsOf(p.Children[at[i-1]+1 : max(at[i-1]+1, at[i])])
		if len(between) == 0 {
			return labelling{} // two controls share what stands there
		}
		for _, t := range between {
			count[t]++
		}
		sizes = append(sizes, len(between))
	}
	l := labelling{common: map[string]bool{}, most: maxNear}
	for _, t := range append(textsOf(before), textsOf(after)...) {
		if len(sizes) > 0 && count[t] == len(sizes) {
			l.common[t] = true
		}
	}
	if len(sizes) > 0 {
		l.most = slices.Max(sizes) - len(l.common)
	}
	telling := func(parts []*axtree.Node) bool {
		return slices.ContainsFunc(textsOf(parts), func(t string) bool { return !l.common[t] })
	}
	switch b, a := telling(before), telling(after); {
	case b && !a:
		l.side = sideBefore
	case a && !b:
		l.side = sideAfter
	}
	return l
}

// textsOf lists the texts in parts of a page, each once.
func textsOf(parts []*axtree.Node) []string {
	t := newTexts(maxNear)
	for _, c := range parts {
		t.addForwards(c)
	}
	return t.list
}

// mark tells texts before and after apart.
func mark(sign string, texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		out = append(out, sign+t)
	}
	return out
}

func first(s []string, n int) []string { return slices.Clone(s[:min(n, len(s))]) }

// tight is what stands around the only candidate: the smallest part of the page that has about as many texts as the
// recording shows around the target, so that a text far away does not count as its neighbour.
func (e *equals) tight(n *axtree.Node, recorded nearby) nearby {
	size := len(recorded.inside())
	if recorded.top || size == 0 {
		size = min(len(recorded.left), 4) + min(len(recorded.right), 4)
	}
	near := nearby{box: n, loose: true}
	for a := range n.Ancestors() {
		if a.Role == "main" || a.Role == "RootWebArea" || a.Role == "Iframe" {
			break
		}
		b, f := e.splitTexts(a, n)
		if len(b)+len(f) > 2*size+4 {
			break
		}
		near.box, near.before, near.after = a, b, f
		if itemRoles[a.Role] {
			near.loose = false
			break
		}
	}
	if len(near.before)+len(near.after) == 0 && n.Parent != nil {
		near = nearby{box: n, loose: true}
		siblings, i := n.Parent.Children, position(n)
		for j := i - 1; j >= 0 && i-j <= 4; j-- {
			near.left = append(near.left, textsIn(siblings[j], nil, 4)...)
		}
		for j := i + 1; j < len(siblings) && j-i <= 2; j++ {
			near.right = append(near.right, textsIn(siblings[j], nil, 4)...)
		}
	}
	return near
}

// parted reports whether another text stands on a side than the recorded one.
func parted(recorded, live []string) bool {
	return len(recorded) > 0 && len(live) > 0 && !softSame(recorded[0], live[0])
}

// identifies reports whether a recorded text says which thing the target belongs to, so that an element which lacks it
// belongs to another: the first words of the target's row or box that its equals do not share, and a number that looks like
// a key ("1001"). Where the box has a name of its own, that name counts, and not what is in it.
func (s *scale) identifies(text string, c comparison, belongs others) bool {
	if !c.boxed || s.own != nil || len(s.others) > 0 && belongs.count[text] == len(s.others) {
		return false
	}
	return keyNumber.MatchString(strings.TrimLeft(text, "<>")) || text == s.identity(c.reading, belongs)
}

// identity is the first text in reading order that means something and that not all of the equals have.
func (s *scale) identity(reading []string, belongs others) string {
	for _, t := range reading {
		if !meaningless(t) && (len(s.others) == 0 || belongs.count[t] < len(s.others)) {
			return t
		}
	}
	return ""
}
