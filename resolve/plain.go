package resolve

import "retrace/resolve/axtree"

// Plain reports whether the target can be told without the whole page: it has a role and a name, and the recording shows it
// as the only one of that name (or shows nothing at all), neither in a frame nor in a dialog. Beside are texts of the row,
// list item or article around it, of which the live one must have one; none when it stands in no such item.
func (q Query) Plain() (beside []string, ok bool) {
	if q.Target.Role == "" || q.Target.Name == "" || q.Target.Tag != "" {
		return nil, false
	}
	if q.Before == nil || len(q.Before.Nodes) == 0 {
		return nil, !q.Target.Unmatched && q.Target.Ctx == ""
	}
	a := q.findAnchor()
	if a.line == nil || len(a.twins) != 1 || a.tree != q.Before {
		return nil, false
	}
	for n := range a.line.Ancestors() {
		switch n.Role {
		case "Iframe", "dialog", "alertdialog":
			return nil, false
		}
	}
	if item := itemOf(a.line); item != nil {
		for _, t := range textsIn(item, a.line, 0) {
			if !meaningless(t) {
				beside = append(beside, t)
			}
		}
	}
	return beside, true
}

// Fits reports whether a live element that was found alone, without the rest of the page, is exactly the target: same role,
// same name.
func (q Query) Fits(n *axtree.Node) (Decision, bool) {
	if n.Role != q.Target.Role || Normalise(n.Name) != Normalise(q.Target.Name) {
		return Decision{}, false
	}
	return Decision{
		Outcome: One, Tier: TierExact, Why: "the only " + q.Target.Describe(), Total: 1,
		Candidates: []Candidate{{Role: n.Role, Name: n.Name, Tier: TierExact, Score: 1, Chosen: true}},
	}, true
}
