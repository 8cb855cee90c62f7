package resolve

import (
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// shared is the part of its weight that a text keeps which all recorded equals have too: it does not tell them apart, but it
// can tell the target from an element that is new.
const shared = 0.1

// scale weighs candidates: it holds what the recording shows around the target, and around its equals.
type scale struct {
	anchor   anchor
	recorded nearby
	others   []nearby // around the recorded equals, the line itself not included
	outer    []place
	known    map[string]bool // all softened texts of the recorded page
	own      *landmark       // the name of the recorded box, when it has one: it tells the box from those of the equals

	page     *axtree.Tree // the live page
	live     *equals
	labels   labelling
	tells    bool     // something stands around the recorded line that not all of its equals have
	headings []string // of the live tree
	above    []string // of the recorded one
	layouts  map[layout]others
}

// place is one of the larger surroundings of the recorded line, with its weight.
type place struct {
	weight   float64
	landmark landmark
	heading  string // set instead of landmark
	// exact says that one of the equals stands in a place whose name differs only in a number: then the number tells them apart, and
	// the same name but for it is another place.
	exact bool
}

// names reports whether a name is that of the place.
func (p place) names(name string) bool {
	want := p.heading
	if want == "" {
		want = p.landmark.name
	}
	return name == want || !p.exact && softSame(name, want)
}

// holds reports whether a node stands in the place, which is a group.
func (p place) holds(n *axtree.Node) bool {
	return slices.ContainsFunc(landmarksOf(n), func(l landmark) bool { return l.role == p.landmark.role && p.names(l.name) })
}

// layout is what of a live element's surroundings decides which recorded texts they are compared with.
type layout struct {
	inside        bool
	before, after int
}

func (n nearby) layout() layout {
	if len(n.before)+len(n.after) > 0 {
		return layout{true, len(n.before), len(n.after)}
	}
	return layout{false, len(n.left), len(n.right)}
}

// others are the texts of the recorded equals.
type others struct {
	count map[string]int // how many of the equals have the text
	soft  map[string]bool
	names map[string]bool // those that say which thing an equal belongs to
}

func newScale(a anchor, live *axtree.Tree, ms []*match) *scale {
	nodes := make([]*axtree.Node, len(ms))
	for i, m := range ms {
		nodes[i] = m.node
	}
	s := &scale{anchor: a, page: live, live: newEquals(a.line.Name, nodes), headings: headings(live), layouts: map[layout]others{}}
	twins := newEquals(a.line.Name, a.twins)
	s.recorded = twins.around(a.line)
	for _, t := range a.twins {
		if t != a.line {
			s.others = append(s.others, twins.around(t))
		}
	}
	s.outer = s.places()
	_, s.known = set(names(a.tree))
	s.labels = labelSide(s.live.bare(nodes))
	s.tells = s.telltale()
	return s
}

// places are the named groups around the recorded line and the heading above it. One that all equals share weighs little.
func (s *scale) places() []place {
	var out []place
	add := func(p place, has func(*axtree.Node) bool) {
		common := len(s.others) > 0
		for _, t := range s.anchor.twins {
			common = common && (t == s.anchor.line || has(t))
		}
		if common {
			p.weight *= shared
		}
		out = append(out, p)
	}
	for i, l := range landmarksOf(s.anchor.line) {
		p := place{weight: 1, landmark: l}
		if i == 0 {
			p.weight = 2
		}
		if s.own == nil && len(s.others) > 0 && (l.node == s.recorded.box || within(l.node, s.recorded.box)) {
			s.own = &l
		}
		for _, t := range s.anchor.twins {
			p.exact = p.exact || slices.ContainsFunc(landmarksOf(t), func(k landmark) bool { return k.name != l.name && l.same(k) })
		}
		add(p, func(t *axtree.Node) bool {
			return slices.ContainsFunc(landmarksOf(t), func(k landmark) bool { return k.role == l.role && k.name == l.name })
		})
	}
	s.above = headings(s.anchor.tree)
	above := s.above
	if h := above[s.anchor.line.Index]; h != "" {
		exact := slices.ContainsFunc(s.anchor.twins, func(t *axtree.Node) bool { return above[t.Index] != h && softSame(above[t.Index], h) })
		add(place{weight: 1, heading: h, exact: exact}, func(t *axtree.Node) bool { return above[t.Index] == h })
	}
	return out
}

// weigh compares what stood around the recorded line with what stands around a candidate. It sets the candidate's score (the
// share of the recorded surroundings that it has, 0 to 1; -1 when the recording has nothing to compare), contra (how much of
// what it has belongs to a recorded equal instead) and stranger.
func (s *scale) weigh(m *match) {
	mine := s.live.around(m.node)
	if mine.top || mine.box.Role == "main" {
		if s.recorded.top { // no equals on either side: what counts is what stands close by
			mine.before, mine.after = first(mine.before, 8), first(mine.after, 8)
		} else {
			mine = s.live.tight(m.node, s.recorded)
		}
	}
	c := s.comparable(s.recorded, mine)
	if s.own != nil && len(s.recorded.inside()) == 0 {
		c = comparison{} // what stands outside of a named box says nothing about it
	}
	belongs := s.belongs(mine)
	haveSet, softSet := set(c.have)
	var t tally
	for _, text := range c.want {
		w := 1.0
		if len(s.others) > 0 {
			w = max(shared, 1-float64(belongs.count[text])/float64(len(s.others)))
		}
		if meaningless(text) {
			w *= 0.5
		}
		got := t.got
		switch key := softKey(text); {
		case haveSet[text], strings.TrimLeft(text, "<>") == s.headings[m.node.Index]:
			t.agree(text, w) // or it is the heading above
		case softSet[key] && !meaningless(text) && !belongs.soft[key]:
			t.agree(text, w/2)
			t.total += w / 2
		default:
			t.lack(text, w)
			m.stranger = m.stranger || s.identifies(text, c, belongs)
		}
		m.told = m.told || t.got-got > shared
	}
	known, _ := set(c.known)
	for text := range haveSet {
		if belongs.count[text] > 0 && !known[text] && !meaningless(text) {
			t.foreign = append(t.foreign, text)
		}
	}
	slices.Sort(t.foreign)
	m.stranger = m.stranger || slices.ContainsFunc(t.foreign, func(text string) bool { return belongs.names[text] }) ||
		s.inOtherGroup(m.node) || s.amongOthers(m.node) || s.otherWords(c, belongs)
	for _, p := range s.outer {
		got := t.got
		s.comparePlace(p, m, &t)
		m.told = m.told || t.got-got > 2*shared
	}
	m.told = m.told || !s.tells
	m.verdicts = append(m.verdicts, t.verdicts()...)
	m.score = -1
	if t.total > 0 {
		m.score = t.got / t.total
		m.contra = float64(len(t.foreign)) / (float64(len(t.foreign)+len(t.agreed)) + 1)
	}
	if c.sides && (slices.ContainsFunc(t.foreign, func(text string) bool { return strings.TrimLeft(text, "<>") != s.headings[m.node.Index] }) || parted(s.recorded.left, mine.left) || parted(s.recorded.right, mine.right)) {
		m.stranger = true // of the texts on both sides one belongs to the target, the other to its neighbour: they must not part
	}
}

// telltale reports whether there is anything around the recorded line, or a group or heading, that not all of its equals have.
func (s *scale) telltale() bool {
	if slices.ContainsFunc(s.outer, func(p place) bool { return p.weight > 2*shared }) {
		return true
	}
	all := func(n nearby) []string { return slices.Concat(n.before, n.after, n.left, n.right) }
	count := map[string]int{}
	for _, o := range s.others {
		texts, _ := set(all(o))
		for t := range texts {
			count[t]++
		}
	}
	return slices.ContainsFunc(all(s.recorded), func(t string) bool { return !meaningless(t) && count[t] < len(s.others) })
}

// tally is the running sum of a comparison.
type tally struct {
	total, got float64
	agreed     []string
	lacking    []string
	foreign    []string
}

func (t *tally) agree(text string, w float64) {
	t.total += w
	t.got += w
	t.agreed = append(t.agreed, strings.TrimLeft(text, "<>"))
}

func (t *tally) lack(text string, w float64) {
	t.total += w
	t.lacking = append(t.lacking, strings.TrimLeft(text, "<>"))
}

func (t *tally) verdicts() []Evidence {
	var out []Evidence
	if len(t.agreed) > 0 {
		out = append(out, Evidence{Kind: "neighbours", Agrees: true, Text: "stands with " + quoteAll(t.agreed, 3)})
	}
	if len(t.lacking) > 0 {
		out = append(out, Evidence{Kind: "neighbours", Agrees: false, Text: "lacks " + quoteAll(t.lacking, 3)})
	}
	if len(t.foreign) > 0 {
		out = append(out, Evidence{Kind: "row", Agrees: false, Text: "stands with " + quoteAll(t.foreign, 3) + ", which the recording shows beside another one"})
	}
	return out
}

// inOtherGroup reports whether the box of the recorded line has a name, and the element is elsewhere although a box of that
// name is there, or is in the box of a recorded equal.
func (s *scale) inOtherGroup(n *axtree.Node) bool {
	if s.own == nil || hasLandmark(n, *s.own) {
		return false
	}
	for _, l := range s.page.Nodes {
		if l.Role == s.own.role && softSame(Normalise(l.Name), s.own.name) {
			return true
		}
	}
	mine := landmarksOf(n)
	for _, t := range s.anchor.twins {
		for _, l := range landmarksOf(t) {
			if t != s.anchor.line && l.role == s.own.role && !hasLandmark(s.anchor.line, l) && slices.ContainsFunc(mine, l.same) {
				return true
			}
		}
	}
	return false
}

// amongOthers reports whether the element is not where the recorded one was, in a named group or under a heading, but where the
// recording shows one of its equals: what was in the cart is now among the wishes.
func (s *scale) amongOthers(n *axtree.Node) bool {
	for _, p := range s.outer {
		for _, t := range s.anchor.twins {
			if t == s.anchor.line {
				continue
			}
			if p.heading != "" {
				h, g := s.headings[n.Index], s.above[t.Index]
				if g != p.heading && g != "" && (g == h || softSame(g, h)) && !p.names(h) {
					return true
				}
				continue
			}
			if p.holds(n) {
				break
			}
			for _, l := range landmarksOf(t) {
				if l.role == p.landmark.role && !hasLandmark(s.anchor.line, l) && hasLandmark(n, l) {
					return true
				}
			}
		}
	}
	return false
}

// comparePlace compares one of the larger surroundings.
func (s *scale) comparePlace(p place, m *match, t *tally) {
	e := Evidence{Kind: "ancestors"}
	switch {
	case p.heading != "":
		g := s.headings[m.node.Index]
		e = Evidence{Kind: "heading", Agrees: p.names(g), Text: "is under the heading " + quote(p.heading)}
		if !e.Agrees {
			e.Text = "is under the heading " + quote(g) + ", not " + quote(p.heading)
		}
	case p.holds(m.node):
		e.Agrees, e.Text = true, "is in "+p.landmark.String()
	default:
		e.Text = "is not in " + p.landmark.String()
	}
	t.total += p.weight
	if e.Agrees {
		t.got += p.weight
	}
	m.verdicts = append(m.verdicts, e)
}

// otherWords reports whether the element shares no more of what tells the recorded one from its equals than it lacks, and has
// phrases instead that the recorded page does not know: another message of the same person.
func (s *scale) otherWords(c comparison, belongs others) bool {
	if len(s.others) == 0 || !c.boxed {
		return false
	}
	telling := func(text string) bool { return belongs.count[text] < len(s.others) }
	lacking, agreed := 0, 0
	have, soft := set(c.have)
	for _, text := range c.want {
		switch {
		case !telling(text):
		case have[text] || soft[softKey(text)]:
			agreed++
		case strings.Contains(text, " ") && !meaningless(text):
			lacking++
		}
	}
	return lacking > 0 && agreed <= lacking && slices.ContainsFunc(c.have, func(text string) bool {
		return strings.Contains(text, " ") && !s.known[softKey(strings.TrimLeft(text, "<>"))]
	})
}

// belongs counts the texts of the recorded equals, in the way in which mine is compared.
func (s *scale) belongs(mine nearby) others {
	key := mine.layout()
	if b, ok := s.layouts[key]; ok {
		return b
	}
	b := others{map[string]int{}, map[string]bool{}, map[string]bool{}}
	compared := make([]comparison, len(s.others))
	for i, o := range s.others {
		compared[i] = s.comparable(o, mine)
		seen := make(map[string]bool, len(compared[i].want))
		for _, t := range compared[i].want {
			if !seen[t] {
				seen[t] = true
				b.count[t]++
				b.soft[softKey(t)] = true
			}
		}
	}
	recorded, _ := set(s.comparable(s.recorded, mine).known)
	for _, c := range compared {
		for _, t := range c.reading {
			if c.boxed && !meaningless(t) && !recorded[t] && (!c.loose || b.count[t] == 1) {
				b.names[t] = true
				if !c.loose {
					break
				}
			}
		}
	}
	s.layouts[key] = b
	return b
}
