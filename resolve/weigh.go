package resolve

import (
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// feature is one recorded thing around the target, with its weight.
type feature struct {
	kind, text string
	weight     float64
}

// shared is the part of its weight that a feature keeps which all recorded equals have too: it does not tell them apart,
// but it can tell the target from an element that is new.
const shared = 0.1

// weigh compares what stood around the recorded line with what stands around each candidate. It sets score (the share of
// the recorded surroundings that the candidate has, 0 to 1) and contra (the share that belongs to a recorded equal
// instead). A score of -1 says that the recording has nothing to compare.
func (q *Query) weigh(a anchor, live *axtree.Tree, ms []*match) {
	nodes := make([]*axtree.Node, len(ms))
	for i, m := range ms {
		nodes[i] = m.node
	}
	recorded := around(a.line, a.twins)
	others := make([]nearby, 0, len(a.twins))
	for _, t := range a.twins {
		if t != a.line {
			others = append(others, around(t, a.twins))
		}
	}
	for _, m := range ms {
		q.weighOne(a, recorded, others, live, nodes, m)
	}
}

func (q *Query) weighOne(a anchor, recorded nearby, others []nearby, live *axtree.Tree, nodes []*axtree.Node, m *match) {
	mine := around(m.node, nodes)
	if mine.top || mine.box.Role == "main" {
		if recorded.top { // no equals on either side: what counts is what stands close by
			mine.before, mine.after = first(mine.before, 8), first(mine.after, 8)
		} else {
			mine = tight(m.node, recorded)
		}
	}
	want, have := comparable(recorded, mine)
	haveSet, softSet := set(have)
	var total, got, against float64
	var agree, lack, foreign []string
	count := func(t string, w float64) {
		total += w
		switch {
		case haveSet[t]:
			got += w
			agree = append(agree, strings.TrimLeft(t, "<>"))
		case softSet[softKey(t)] && !meaningless(t):
			got += w / 2
			agree = append(agree, strings.TrimLeft(t, "<>"))
		default:
			lack = append(lack, strings.TrimLeft(t, "<>"))
		}
	}
	belongs := make([]map[string]bool, 0, len(others))
	for _, o := range others {
		w, _ := comparable(o, mine)
		s, _ := set(w)
		belongs = append(belongs, s)
	}
	for _, t := range want {
		w := 1.0
		if n := inAll(t, belongs); len(others) > 0 {
			w = 1 - float64(n)/float64(len(others))
			w = max(w, shared)
		}
		if meaningless(t) {
			w *= 0.5
		}
		count(t, w)
	}
	wantSet, _ := set(want)
	for _, s := range belongs {
		for t := range s {
			if !wantSet[t] && haveSet[t] && inAll(t, belongs) < len(belongs) && !meaningless(t) && !slices.Contains(foreign, t) {
				foreign = append(foreign, t)
				against++
			}
		}
	}
	outer := q.outer(a, live, m.node)
	for _, f := range outer {
		total += f.weight
		if f.text == "" {
			continue
		}
		if strings.HasPrefix(f.kind, "not ") {
			m.verdicts = append(m.verdicts, Evidence{Kind: f.kind[4:], Agrees: false, Text: f.text})
			continue
		}
		got += f.weight
		m.verdicts = append(m.verdicts, Evidence{Kind: f.kind, Agrees: true, Text: f.text})
	}
	if len(agree) > 0 {
		m.verdicts = append(m.verdicts, Evidence{Kind: "neighbours", Agrees: true, Text: "stands with " + quoteAll(agree, 3)})
	}
	if len(lack) > 0 {
		m.verdicts = append(m.verdicts, Evidence{Kind: "neighbours", Agrees: false, Text: "lacks " + quoteAll(lack, 3)})
	}
	if len(foreign) > 0 {
		slices.Sort(foreign)
		m.verdicts = append(m.verdicts, Evidence{Kind: "row", Agrees: false, Text: "stands with " + quoteAll(foreign, 3) + ", which the recording shows beside another one"})
	}
	m.score = -1
	if total > 0 {
		m.score = got / total
		m.contra = against / (against + float64(len(agree)) + 1)
	}
}

// tight is what stands around the only candidate: the smallest part of the page that has about as many texts as the
// recording shows around the target, so that a text far away does not count as its neighbour.
func tight(n *axtree.Node, recorded nearby) nearby {
	size := len(recorded.inside())
	if recorded.top || size == 0 {
		size = len(first(recorded.left, 4)) + len(first(recorded.right, 4))
	}
	near := nearby{box: n}
	for a := range n.Ancestors() {
		if a.Role == "main" || a.Role == "RootWebArea" || a.Role == "Iframe" {
			break
		}
		b, f := splitTexts(a, n)
		if len(b)+len(f) > 2*size+4 {
			break
		}
		near.box, near.before, near.after = a, b, f
		if itemRoles[a.Role] {
			break
		}
	}
	if len(near.before)+len(near.after) == 0 {
		if p := n.Parent; p != nil {
			near = nearby{box: n}
			i := slices.Index(p.Children, n)
			for j := i - 1; j >= 0 && i-j <= 4; j-- {
				near.left = append(near.left, textsIn(p.Children[j], nil, 4)...)
			}
			for j := i + 1; j < len(p.Children) && j-i <= 2; j++ {
				near.right = append(near.right, textsIn(p.Children[j], nil, 4)...)
			}
		}
	}
	return near
}

// outer compares the larger surroundings: named groups, the heading above, the context text. A kind that starts with
// "not " is one that differs; text "" is one that the live page cannot answer.
func (q *Query) outer(a anchor, live *axtree.Tree, n *axtree.Node) []feature {
	var out []feature
	add := func(kind, text string, agrees bool, w float64) {
		if !agrees {
			kind = "not " + kind
		}
		out = append(out, feature{kind, text, w})
	}
	mine := landmarks(n)
	for i, l := range landmarks(a.line) {
		w := 2.0
		if i > 0 {
			w = 1
		}
		if sharedByTwins(a, func(t *axtree.Node) bool { return slices.Contains(landmarks(t), l) }) {
			w *= shared
		}
		ok := slices.Contains(mine, l) || slices.ContainsFunc(mine, func(s string) bool { return softSame(s, l) })
		text := "is in " + l
		if !ok {
			text = "is not in " + l
		}
		add("ancestors", text, ok, w)
	}
	if h := heading(a.line, a.tree.Nodes); h != "" {
		w := 1.0
		if sharedByTwins(a, func(t *axtree.Node) bool { return heading(t, a.tree.Nodes) == h }) {
			w *= shared
		}
		g := heading(n, live.Nodes)
		ok := g == h || softSame(g, h)
		text := "is under the heading " + quote(h)
		if !ok {
			text = "is under the heading " + quote(g) + ", not " + quote(h)
		}
		add("heading", text, ok, w)
	}
	return out
}

func sharedByTwins(a anchor, has func(*axtree.Node) bool) bool {
	others := 0
	for _, t := range a.twins {
		if t != a.line {
			others++
			if !has(t) {
				return false
			}
		}
	}
	return others > 0
}

func softSame(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := Soften(a)
	y, _ := Soften(b)
	return ok && x == y && !meaningless(a)
}

func softKey(t string) string {
	s, _ := Soften(t)
	return s
}

func set(texts []string) (plain, soft map[string]bool) {
	plain, soft = map[string]bool{}, map[string]bool{}
	for _, t := range texts {
		plain[t] = true
		soft[softKey(t)] = true
	}
	return plain, soft
}

func inAll(t string, sets []map[string]bool) int {
	n := 0
	for _, s := range sets {
		if s[t] {
			n++
		}
	}
	return n
}
