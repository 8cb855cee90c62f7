package plan

import (
	"strings"

	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// toggles are the roles of controls that a click switches; a click on one goes nowhere by itself.
var toggles = map[string]bool{
	"checkbox": true, "radio": true, "switch": true, "menuitemcheckbox": true, "menuitemradio": true,
}

// fields are the roles that a field which takes text or a value may have in a page text.
var fields = map[string]bool{
	"textbox": true, "searchbox": true, "spinbutton": true, "combobox": true, "slider": true,
	"Date": true, "DateTime": true, "InputTime": true, "ColorWell": true,
}

// name returns a target's name as names are compared: without white space differences and state suffix.
func name(d *resolve.Descriptor) string {
	if d == nil {
		return ""
	}
	return resolve.Normalise(d.Name)
}

// sameField reports whether two steps acted on one field. A reference counts within one state only. Across states, role and
// name must agree, and where the page has several of that name the context must tell that it is the same one; so
// that two fields are never taken for one. When in doubt it says no, and both steps are done.
func sameField(a, b *trace.Step) bool {
	if a.Target == nil || b.Target == nil {
		return false
	}
	x, y := *a.Target, *b.Target
	if x.Ref != "" && y.Ref != "" && a.State == b.State && a.State != nil {
		return x.Ref == y.Ref
	}
	if name(&x) == "" && x.NameAttr == "" || name(&x) != name(&y) || resolve.Family(x.Role) != resolve.Family(y.Role) {
		return false
	}
	if x.Tag != y.Tag || x.NameAttr != y.NameAttr || x.Placeholder != y.Placeholder || x.NearbyLabel != y.NearbyLabel {
		return false
	}
	if !samePage(url(a.State), url(b.State)) {
		return false
	}
	if twins(a.State, &x) || twins(b.State, &y) {
		return x.Ctx != "" && x.Ctx == y.Ctx
	}
	if x.Unmatched && y.Unmatched {
		return !cut(a.State) && !cut(b.State)
	}
	return x.Ctx == y.Ctx || x.Unmatched != y.Unmatched
}

// cut reports whether the recorder stopped before the end of the page, so that a field of the same name may not show.
func cut(s *trace.State) bool { return s != nil && s.Truncated }

// twins reports whether the page has several fields with the target's name.
func twins(s *trace.State, d *resolve.Descriptor) bool {
	return len(namesakes(s, d)) > 1
}

// namesakes are the fields of a page that have the target's name.
func namesakes(s *trace.State, d *resolve.Descriptor) []*axtree.Node {
	wanted := name(d)
	if s == nil || s.Tree == nil || wanted == "" {
		return nil
	}
	var found []*axtree.Node
	for _, n := range s.Tree.Nodes {
		if fields[n.Role] && resolve.Normalise(n.Name) == wanted {
			found = append(found, n)
		}
	}
	return found
}

// fieldIn returns the node of the step's field in a state: by reference in the step's own state, elsewhere by its name when
// only one field has it. It returns nil when the state does not show the field for certain.
func fieldIn(state *trace.State, s *trace.Step) *axtree.Node {
	if state == nil || s.Target == nil {
		return nil
	}
	if state == s.State {
		if n := state.Tree.ByRef(s.Target.Ref); n != nil {
			return n
		}
	}
	found := namesakes(state, s.Target)
	if len(found) == 1 {
		return found[0]
	}
	if d := s.Target; d.Ctx != "" {
		var inContext []*axtree.Node
		for _, n := range found {
			if n.Ctx == d.Ctx {
				inContext = append(inContext, n)
			}
		}
		if len(inContext) == 1 {
			return inContext[0]
		}
	}
	return nil
}

// shown returns the value that a state shows in the step's field; false when it shows none, or only dots.
func shown(state *trace.State, s *trace.Step) (string, bool) {
	n := fieldIn(state, s)
	if n == nil || !n.HasValue || strings.Trim(n.Value, "•") == "" {
		return "", false
	}
	return n.Value, true
}

// richText reports whether the step's field is a rich text field. The page text shows it: text inside such a field is a
// child of its line, while plain fields have none.
func (p *planner) richText(s *trace.Step) bool {
	for _, state := range p.trace.States {
		if n := fieldIn(state, s); n != nil && n.Role == "textbox" && len(n.Children) > 0 {
			return true
		}
	}
	return false
}
