package resolve

import (
	"fmt"
	"slices"

	"retrace/resolve/axtree"
)

// scope is where on the recorded page the target was: in which frame and in which dialog. An element outside cannot be the
// target, whatever it is called.
type scope struct {
	anchor anchor
	frames [][]string              // paths of the frames of the recorded page
	live   [][]string              // of the live page
	folded string                  // the recorded name without case and white space
	taken  map[string]bool         // names that other recorded controls of the same kind have
	others map[*axtree.Node]string // live frames that are called like the recorded one and are another one, with the reason
}

func newScope(q *Query, a anchor, live *axtree.Tree) *scope {
	s := &scope{anchor: a, live: allFrames(live), folded: fold(Normalise(q.Target.Name)), taken: map[string]bool{}}
	if a.tree == nil {
		return s
	}
	s.frames = allFrames(a.tree)
	if a.line != nil {
		s.others = otherFrames(q, a, live)
	}
	family := Family(q.Target.Role)
	for _, n := range a.tree.Nodes {
		if n.Ref != "" && (q.Target.Role == "" || Family(n.Role) == family) {
			s.taken[Normalise(n.Name)] = true
		}
	}
	for _, n := range a.twins {
		delete(s.taken, Normalise(n.Name))
	}
	delete(s.taken, "")
	return s
}

// allFrames lists the paths of the frames of a tree, from the inside.
func allFrames(t *axtree.Tree) [][]string {
	var out [][]string
	for _, n := range t.Nodes {
		if n.Role == "Iframe" {
			out = append(out, append([]string{Normalise(n.Name)}, framePath(n)...))
		}
	}
	return out
}

// ruleOut notes why a match cannot be the target.
func (s *scope) ruleOut(m *match) {
	if m.ruledOut != "" {
		return
	}
	if name := Normalise(m.node.Name); (m.tier.weak() || m.tier == TierRecorder && fold(name) == s.folded) && s.taken[name] {
		m.ruledOut = "is another control of the recorded page: " + quote(name)
		return
	}
	if s.anchor.line == nil {
		return
	}
	if m.ruledOut = s.wrongFrame(m); m.ruledOut == "" {
		m.ruledOut = s.wrongDialog(m)
	}
}

func (s *scope) wrongFrame(m *match) string {
	want, have := framePath(s.anchor.line), framePath(m.node)
	switch {
	case slices.Equal(want, have):
		return s.others[frameAround(m.node)]
	case len(have) == 0:
		return "is in the page itself; recorded in the frame " + quote(want[0])
	case len(want) == 0:
		if s.anchor.from != "ref" {
			return "" // the recorder names no frame for a target that it could not match
		}
		return "is in the frame " + quote(have[0]) + "; recorded in the page itself"
	case len(want) == len(have) && s.renamed(want, have):
		m.note("frame", false, "frame is now called %s; recorded as %s", quote(have[0]), quote(want[0]))
		return ""
	}
	return fmt.Sprintf("is in the frame %s; recorded in the frame %s", pathText(have), pathText(want))
}

// renamed reports whether a frame of the recorded page has only got another name: the one is nowhere on the live page, the
// other nowhere on the recorded one, and no other frame has come or gone, or only their numbers differ.
func (s *scope) renamed(want, have []string) bool {
	if !slices.Equal(want[1:], have[1:]) {
		return false
	}
	missing := func(from, in [][]string) (out [][]string) {
		for _, p := range from {
			if !slices.ContainsFunc(in, func(q []string) bool { return slices.Equal(p, q) }) {
				out = append(out, p)
			}
		}
		return out
	}
	one := func(paths [][]string, path []string) bool {
		if len(paths) == 1 {
			return true
		}
		n := 0
		for _, p := range paths {
			if softKey(p[0]) == softKey(path[0]) {
				n++
			}
		}
		return n == 1 && softSame(want[0], have[0])
	}
	gone, added := missing(s.frames, s.live), missing(s.live, s.frames)
	is := func(paths [][]string, path []string) bool {
		return slices.ContainsFunc(paths, func(p []string) bool { return slices.Equal(p, path) })
	}
	return is(gone, want) && is(added, have) && one(gone, want) && one(added, have)
}

func pathText(path []string) string {
	return quoteAll(path, len(path))
}

func (s *scope) wrongDialog(m *match) string {
	want, have := dialogOf(s.anchor.line), dialogOf(m.node)
	switch {
	case want == nil && have == nil:
		return ""
	case want == nil:
		if s.anchor.from != "ref" || s.anchor.tree.Modal() {
			return ""
		}
		return "is in the dialog " + quote(have.Name) + "; recorded outside of it"
	case have == nil:
		return "is not in a dialog; recorded in the dialog " + quote(want.Name)
	case want.Name == "" || have.Name == "" || softSame(Normalise(want.Name), Normalise(have.Name)) || similar(want, have):
		return ""
	}
	return "is in the dialog " + quote(have.Name) + "; recorded in the dialog " + quote(want.Name)
}
