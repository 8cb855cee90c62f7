package resolve

import (
	"fmt"
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// follow chooses among equal candidates by what the recording shows after the step: the text that appeared or vanished
// names what stands with one candidate and with no other; or a later step acts in the same item (weak).
func (q *Query) follow(a anchor, live *axtree.Tree, ms []*match) (chosen *match, why string, weak bool) {
	nodes := make([]*axtree.Node, len(ms))
	for i, m := range ms {
		nodes[i] = m.node
	}
	own := make([][]string, len(ms))
	for i, m := range ms {
		near := around(m.node, nodes)
		if near.top {
			near = tight(m.node, nearby{before: make([]string, 6)})
		}
		texts := near.inside()
		if len(texts) == 0 {
			texts = append(texts, near.left...)
		}
		own[i] = slices.DeleteFunc(texts, func(t string) bool { return meaningless(t) || len([]rune(t)) < 2 })
	}
	only := make([][]string, len(ms))
	for i := range own {
		for _, t := range own[i] {
			alone := true
			for j := range own {
				if j != i && slices.Contains(own[j], t) {
					alone = false
				}
			}
			if alone {
				only[i] = append(only[i], t)
			}
		}
	}
	appeared, vanished := changes(q.Before, q.After)
	for _, test := range []func(string) string{
		func(t string) string {
			for _, s := range appeared {
				if s == t || len([]rune(t)) >= 3 && strings.Contains(s, t) {
					return fmt.Sprintf("%s appeared after the step", quote(s))
				}
			}
			return ""
		},
		func(t string) string {
			if slices.Contains(vanished, t) {
				return fmt.Sprintf("%s was gone after the step", quote(t))
			}
			return ""
		},
	} {
		if i, s := unique(only, test); i >= 0 {
			return ms[i], s, false
		}
	}
	for _, f := range q.Next {
		i, s := unique(only, func(t string) string {
			if t == Normalise(f.Target.Ctx) {
				return fmt.Sprintf("a later step acts beside %s", quote(t))
			}
			if n := f.Tree.ByRef(f.Target.Ref); n != nil {
				if it := itemOf(n); it != nil && slices.Contains(textsIn(it, n, 0), t) {
					return fmt.Sprintf("a later step acts beside %s", quote(t))
				}
			}
			return ""
		})
		if i >= 0 {
			return ms[i], s, true
		}
	}
	return nil, "", false
}

// unique returns the only list of which test accepts a text, and what it says of it; -1 when there is none or several.
func unique(lists [][]string, test func(string) string) (int, string) {
	at, why := -1, ""
	for i, l := range lists {
		for _, t := range l {
			if s := test(t); s != "" {
				if at >= 0 && at != i {
					return -1, ""
				}
				if at < 0 {
					at, why = i, s
				}
			}
		}
	}
	return at, why
}

// changes lists the normalised names that only the later and only the earlier page has. What a modal layer hides is not
// gone, so nothing counts as vanished when only one of the pages shows such a layer.
func changes(before, after *axtree.Tree) (appeared, vanished []string) {
	if before == nil || after == nil || before == after || len(before.Nodes) == 0 || len(after.Nodes) == 0 {
		return nil, nil
	}
	was, _ := set(names(before))
	is, _ := set(names(after))
	for _, s := range names(after) {
		if !was[s] && !slices.Contains(appeared, s) {
			appeared = append(appeared, s)
		}
	}
	if before.Modal() == after.Modal() {
		for _, s := range names(before) {
			if !is[s] && !slices.Contains(vanished, s) {
				vanished = append(vanished, s)
			}
		}
	}
	return appeared, vanished
}

func names(t *axtree.Tree) []string {
	var out []string
	for _, n := range t.Nodes {
		if s := Normalise(n.Name); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// ordinal chooses by position: only when as many equals are there as were recorded, and the surroundings of every one agree
// at least as well in the recorded order as in any other.
func (q *Query) ordinal(a anchor, ms []*match) *match {
	if a.line == nil || len(a.twins) != len(ms) || q.Truncated {
		return nil
	}
	i := slices.Index(a.twins, a.line)
	byPlace := slices.Clone(ms)
	slices.SortFunc(byPlace, func(x, y *match) int { return x.node.Index - y.node.Index })
	m := byPlace[i]
	if m.score < ms[0].score || m.score >= 0 && m.score < clearScore || m.contra > 0 {
		return nil
	}
	return m
}
