package plan

import (
	"strings"

	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Opener is a control that opens the list or the menu in which a target was clicked, when the click on the control itself was
// lost. Recorders write no click into a text field, and fields that offer a list are often text fields; others open when
// the button goes down and are drawn anew before it comes up. What is left of such a click is a hover over the control, or
// the chosen text that it shows afterwards.
type Opener struct {
	Target resolve.Descriptor
	// State is the recorded page that Target.Ref belongs to.
	State *trace.State
}

// openers finds the controls of lists whose opening was lost: for clicks on something that the page before did not show.
// Where more than one control can be meant, none is.
func (p *planner) openers() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Click || in.Step.Target == nil || name(in.Step.Target) == "" || !in.Step.Target.Unmatched || shows(in.Before, in.Step.Target) {
			continue
		}
		if o := p.hoveredOpener(i); o != nil {
			in.Opener = o
			in.because("opener-hovered", "the page before did not show the target, and %s was pointed at just before, so a click may be lost that opened it", o.Target.Describe())
			continue
		}
		if o := changedOpener(*in); o != nil {
			in.Opener = o
			in.because("opener-shows-choice", "the page before did not show the target, and %s shows it as its choice afterwards, so the click that opened its list was lost", o.Target.Describe())
		}
	}
}

// shows reports whether the page has a control of the target's name.
func shows(s *trace.State, d *resolve.Descriptor) bool {
	if s == nil || s.Tree == nil {
		return true // not known
	}
	wanted := name(d)
	for _, n := range s.Tree.Nodes {
		if n.Ref != "" && resolve.Normalise(n.Name) == wanted {
			return true
		}
	}
	return false
}

// hoveredOpener returns the only control with a list or a menu, else the only text field, among those that the hovers just
// before the intent at i pointed at.
func (p *planner) hoveredOpener(i int) *Opener {
	var popups, texts []*Opener
	for j := i - 1; j > 0; j-- {
		in := p.intents[j]
		if in.Kind != Hover {
			break
		}
		d := in.Step.Target
		if d == nil || d.Ref == "" || in.Step.State == nil {
			continue
		}
		o := &Opener{Target: *d, State: in.Step.State}
		switch {
		case hasPopup(d.Role, d.Name):
			popups = append(popups, o)
		case d.Role == "textbox" || d.Role == "searchbox":
			texts = append(texts, o)
		}
	}
	switch {
	case len(popups) == 1:
		return popups[0]
	case len(popups) == 0 && len(texts) == 1:
		return texts[0]
	}
	return nil
}

// hasPopup reports whether a control says that it opens something, and that this is closed.
func hasPopup(role, name string) bool {
	return strings.HasSuffix(name, " [has-submenu]") || role == "combobox" && !strings.HasSuffix(name, " [expanded]")
}

// changedOpener returns the only control with a list that shows the target's name as its value afterwards and did not before.
func changedOpener(in Intent) *Opener {
	if in.Before == nil || in.After == nil || in.Before == in.After || !samePage(in.Before.URL, in.After.URL) {
		return nil
	}
	wanted := name(in.Step.Target)
	var found []*axtree.Node
	for _, n := range in.Before.Tree.Nodes {
		if n.Ref == "" || !hasPopup(n.Role, n.Name) || resolve.Normalise(n.Value) == wanted {
			continue
		}
		after := twin(in.After.Tree, n)
		if after != nil && resolve.Normalise(after.Value) == wanted {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil
	}
	n := found[0]
	return &Opener{Target: resolve.Descriptor{Ref: n.Ref, Role: n.Role, Name: n.Name, Ctx: n.Ctx}, State: in.Before}
}

// twin returns the node of the other page with the node's role and name, when both pages have only one.
func twin(other *axtree.Tree, n *axtree.Node) *axtree.Node {
	var one *axtree.Node
	for _, o := range other.Nodes {
		if o.Role == n.Role && resolve.Normalise(o.Name) == resolve.Normalise(n.Name) {
			if one != nil {
				return nil
			}
			one = o
		}
	}
	return one
}
