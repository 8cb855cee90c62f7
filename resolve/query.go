package resolve

import "retrace/resolve/axtree"

// Use is what the element is wanted for.
type Use string

// Uses.
const (
	ToClick  Use = "click"
	ToHover  Use = "hover"
	ToFill   Use = "fill"
	ToSelect Use = "select"
	ToPress  Use = "press"
)

// Mode is how much a name may have changed.
type Mode string

// Modes. Strict is the default.
const (
	Strict   Mode = "strict"
	Tolerant Mode = "tolerant"
)

// Query is a recorded target and what the recording knew about it. Trees may be nil.
type Query struct {
	Target Descriptor
	Use    Use
	Mode   Mode
	// Before is the recorded page on which the target was, After the page after the step.
	Before, After *axtree.Tree
	// Truncated is set when Before is not the whole page.
	Truncated bool
	// Next are the targets of the steps that follow on the same page, nearest first, with the trees that they refer to.
	Next []Follow
}

// Follow is the target of a later step.
type Follow struct {
	Target Descriptor
	Tree   *axtree.Tree
}

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

// name is a recorded name in the forms in which it is compared.
type name struct {
	plain  string
	prefix string // for a name that the recorder cut: all but the "…"
	folded string
	soft   string
	isSoft bool
}

func newName(recorded string) name {
	n := name{plain: Normalise(recorded)}
	if r := []rune(n.plain); len(r) >= 47 && (r[len(r)-1] == '…' || len(r) > 3 && string(r[len(r)-3:]) == "...") {
		n.prefix = string(r[:len(r)-1])
		if r[len(r)-1] == '.' {
			n.prefix = string(r[:len(r)-3]) // NFKC writes … as three dots
		}
	}
	n.folded = fold(n.plain)
	n.soft, n.isSoft = Soften(n.plain)
	return n
}

func (n name) equal(normalised string) bool {
	if n.prefix != "" && len(normalised) > len(n.prefix) && normalised[:len(n.prefix)] == n.prefix {
		return true
	}
	return n.plain == normalised
}
