package resolve

import (
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// otherSubject: the recording does not say where the target stood, but what appeared after the step names something of the page
// before it. When that is gone, and the only candidate stands with something that the recording does not know, it belongs to that.
func (s *search) otherSubject(m *match) refusal {
	if s.q.Before == nil || s.q.After == nil || s.q.Truncated || inPopup(m.node) {
		return refusal{}
	}
	appeared, _ := changes(s.q.Before, s.q.After)
	own, here := Normalise(s.q.Target.Name), names(s.live)
	var about []string
	for _, t := range names(s.q.Before) {
		if t != own && len(t) >= 3 && !meaningless(t) && slices.ContainsFunc(appeared, func(a string) bool { return a != t && containsWords(a, t) }) {
			about = append(about, t)
		}
	}
	near := s.closest(m.node)
	now := slices.DeleteFunc(append(slices.Clone(near.before), near.after...), silent)
	now = now[:min(1, len(now))] // the nearest names it
	known, soft := set(append(names(s.q.Before), names(s.q.After)...))
	isKnown := func(t string) bool { return known[t] || soft[softKey(t)] }
	if len(about) == 0 || len(now) == 0 || slices.ContainsFunc(about, func(t string) bool { return slices.Contains(here, t) }) || slices.ContainsFunc(now, isKnown) {
		return refusal{}
	}
	return missing("the recorded step was about %s, and the only %s stands with %s", quoteAll(about, 3), s.q.Target.Describe(), quoteAll(now, 3))
}

// popupRoles are the roles of what opens for one control of the page.
var popupRoles = map[string]bool{"menu": true, "listbox": true, "dialog": true, "alertdialog": true, "tooltip": true}

// inPopup reports whether a node is part of something that opened for one control of the page.
func inPopup(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		if popupRoles[a.Role] {
			return true
		}
	}
	return false
}

// openedByOther: the candidate is in a menu that is open, and the recorded page shows by which of several equal controls it was
// opened. The live page must show it open at the same one.
func (s *search) openedByOther(m *match) refusal {
	a := s.anchor
	if a.line == nil || !inPopup(a.line) || !inPopup(m.node) {
		return refusal{}
	}
	opener := single(a.tree, func(n *axtree.Node) bool { return strings.HasSuffix(n.Name, " [expanded]") && !within(a.line, n) })
	now := single(s.live, func(n *axtree.Node) bool {
		return n.Live.Expanded == "true" && n.Live.HasPopup != "" && !within(m.node, n)
	})
	if opener == nil || now == nil || !sameLine(opener, now) {
		return refusal{}
	}
	own := anchor{line: opener, tree: a.tree}
	for _, n := range a.tree.Nodes {
		if n == opener || sameLine(opener, n) {
			own.twins = append(own.twins, n)
		}
	}
	var ms []*match
	for _, n := range s.live.Nodes {
		if sameLine(opener, n) && !n.Live.Hidden {
			ms = append(ms, &match{node: n})
		}
	}
	if len(own.twins) < 2 {
		return refusal{}
	}
	scale := newScale(own, s.live, ms)
	var open *match
	best := 0.0
	for _, c := range ms {
		scale.weigh(c)
		best = max(best, c.score)
		if c.node == now {
			open = c
		}
	}
	if open != nil && (open.stranger || best-open.score >= clearMargin) {
		return missing("what holds the only %s is open at another %s than recorded: that one %s", s.q.Target.Describe(), opener.Role, open.against())
	}
	return refusal{}
}

// single is the only node of a tree that fits; nil when there is none or several.
func single(t *axtree.Tree, fits func(*axtree.Node) bool) *axtree.Node {
	var one *axtree.Node
	for _, n := range t.Nodes {
		if fits(n) {
			if one != nil {
				return nil
			}
			one = n
		}
	}
	return one
}
