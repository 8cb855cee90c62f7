package plan

import (
	"strings"

	"retrace/replay/trace"
	"retrace/resolve"
)

// labels joins the two clicks that one click on a label gives: the label's own, and the one that the browser makes on its
// control. Done twice they would switch the control back. The label comes as a button, as text, or without a role.
func (p *planner) labels() {
	out := p.intents[:0:0]
	for _, in := range p.intents {
		if n := len(out); n > 0 && in.Kind == Click && out[n-1].Kind == Click && len(out[n-1].Covers) == 1 &&
			labelDouble(out[n-1].Step, in.Step) {
			in.absorb(out[n-1])
			in.because("label-double", "a click on the label %q was recorded for the label and for its %s, and is one click", in.Step.Target.Name, in.Step.Target.Role)
			out = out[:n-1]
		}
		out = append(out, in)
	}
	p.intents = out
}

// labelDouble reports whether two clicks are one click on a label and its control.
func labelDouble(label, control *trace.Step) bool {
	if label.State != control.State || label.Target == nil || control.Target == nil || !toggles[control.Target.Role] {
		return false
	}
	text, of := strings.ToLower(name(label.Target)), strings.ToLower(name(control.Target))
	if text == "" || of == "" {
		return false
	}
	switch label.Target.Role {
	case "button": // buttons have names of their own, so only the very same name counts
		return text == of
	case "", "LabelText", "StaticText", "generic":
		return strings.Contains(of, text) || strings.Contains(text, of)
	}
	return false
}

// hovers makes hovers attempts that cannot fail. The recorder writes many that opened nothing, and leaves out others. One on
// the very element that is clicked next says nothing: the click moves the mouse there.
func (p *planner) hovers() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Hover {
			continue
		}
		in.Optional = true
		if i+1 < len(p.intents) {
			next := p.intents[i+1]
			if next.Kind == Click && sameTarget(in.Step.Target, next.Step.Target) {
				in.skip("hover-of-click", "the hover is on the element that is clicked next")
				continue
			}
		}
		in.because("hover-optional", "a hover is tried, and does not fail the run")
	}
}

// sameTarget reports whether two targets have one role and one name, and do not differ in their context.
func sameTarget(a, b *resolve.Descriptor) bool {
	return a != nil && b != nil && name(a) != "" && a.Role == b.Role && name(a) == name(b) &&
		(a.Ctx == b.Ctx || a.Ctx == "" || b.Ctx == "")
}
