package resolve

import "retrace/resolve/axtree"

// anchor is the recorded line of the target and its equals.
type anchor struct {
	line  *axtree.Node   // nil when the recording does not say which line it was
	twins []*axtree.Node // all recorded lines that could be called the same, line included, in reading order
	from  string         // "ref", "only line of that name", "only line of that name after the step", ""
	tree  *axtree.Tree
}

// findAnchor looks the target up in the recorded page text.
func (q *Query) findAnchor() anchor {
	if n := q.Before.ByRef(q.Target.Ref); n != nil {
		a := anchor{line: n, from: "ref", tree: q.Before}
		for _, m := range q.Before.Nodes {
			if m == n || sameLine(n, m) {
				a.twins = append(a.twins, m)
			}
		}
		return a
	}
	for i, t := range []*axtree.Tree{q.Before, q.After} {
		if t == nil || (q.Target.Name == "" && q.Target.Role == "") {
			continue
		}
		a := anchor{tree: t, twins: q.lines(t)}
		if len(a.twins) == 0 {
			continue
		}
		if len(a.twins) == 1 && (i == 1 || !q.Truncated) {
			a.line = a.twins[0]
			a.from = "only line of that name"
			if i == 1 {
				a.from += " after the step"
			}
		}
		return a
	}
	return anchor{tree: q.Before}
}

// Recorded reports whether the page text before the step shows the target, so that the difference of the two texts is what
// the step did.
func (q Query) Recorded() bool {
	a := q.findAnchor()
	return len(a.twins) > 0 && a.tree == q.Before
}

// sameLine reports whether two recorded lines could be called the same.
func sameLine(a, b *axtree.Node) bool {
	return Family(a.Role) == Family(b.Role) && Normalise(a.Name) == Normalise(b.Name)
}

// lines are the recorded lines that the target's role and name fit.
func (q *Query) lines(t *axtree.Tree) []*axtree.Node {
	want := newName(q.Target.Name)
	var out, loose []*axtree.Node
	for _, n := range t.Nodes {
		if n.Role == axtree.TextRole || n.Role == "StaticText" || n.Role == "RootWebArea" {
			continue
		}
		if q.Target.Role != "" {
			if Family(q.Target.Role) != Family(n.Role) {
				continue
			}
		} else if n.Ref == "" && Family(n.Role) != "button" && n.Role != "listitem" {
			continue
		}
		if q.Target.Name == "" {
			if n.Name == "" {
				out = append(out, n)
			}
			continue
		}
		switch name := Normalise(n.Name); {
		case want.equal(name):
			out = append(out, n)
		case want.folded == fold(name):
			loose = append(loose, n)
		}
	}
	if len(out) == 0 {
		return loose
	}
	return out
}
