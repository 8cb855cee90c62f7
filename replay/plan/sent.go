package plan

import (
	"strings"

	"retrace/replay/trace"
	"retrace/resolve"
)

// sent finds forms that were sent without leaving the page, by a click that was lost: recorders drop every click in a form
// that has a text area or a search field. It shows in two ways, before anything else was done that could have sent it:
//
//   - the field is empty in a page that was seen after it was filled;
//   - the page shows what was typed as a text, and the field does not hold it any more.
//
// The fill is marked with Send. A form that led to another address is not meant here; see submissions.
func (p *planner) sent() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Fill || in.Enter || in.Suggest || in.Step.Redacted || in.Step.Commit != trace.CommitBlur || strings.TrimSpace(in.Value) == "" || !plainField(in.Step) {
			continue
		}
		switch {
		case p.emptied(i):
			in.Send = true
			in.because("sent-lost", "the field was empty after it had been filled, so a click was lost that sent the form")
		case p.printed(i):
			in.Send = true
			in.because("sent-lost", "the page showed what was typed, and the field did not hold it any more, so a click was lost that sent the form")
		}
	}
}

// plainField reports whether the field is one that holds a text and offers nothing.
func plainField(s *trace.Step) bool {
	return s.Target != nil && s.Target.Role == "textbox" && !strings.HasSuffix(s.Target.Name, " [has-submenu]") && !strings.HasSuffix(s.Target.Name, " [expanded]")
}

// emptied reports whether the page after the fill at i was seen, and shows the field empty. A page that the recorder had
// not seen anew after the fill tells nothing.
func (p *planner) emptied(i int) bool {
	in := p.intents[i]
	if in.Before == nil || in.After == nil || in.Before == in.After || !sameAddress(in.Before.URL, in.After.URL) {
		return false
	}
	n := fieldIn(in.After, in.Step)
	return n != nil && n.Field == "empty" && len(n.Children) == 0
}

// printed reports whether a page that was seen before the next action that can send a form shows the text of the fill at i
// outside of fields, which the page before the fill did not, while its field holds something else.
func (p *planner) printed(i int) bool {
	in := p.intents[i]
	if len([]rune(in.Value)) < 3 || in.Before == nil || prints(in.Before, in.Value) {
		return false
	}
	shows := func(s *trace.State) bool {
		if s == nil || s == in.Before || s.Truncated || !sameAddress(s.URL, in.Before.URL) {
			return false
		}
		n := fieldIn(s, in.Step)
		return n != nil && n.Value != resolve.Normalise(in.Value) && prints(s, in.Value)
	}
	if shows(in.After) {
		return true
	}
	for _, next := range p.intents[i+1:] {
		switch {
		case next.Kind == Hover || next.Kind == Skip:
			continue
		case next.Kind != Fill:
			return false
		case shows(next.Before) || shows(next.After):
			return true
		case sameField(in.Step, next.Step):
			return false
		}
	}
	return false
}

// prints reports whether the page shows the text outside of fields.
func prints(s *trace.State, text string) bool {
	if s.Tree == nil {
		return false
	}
	wanted := resolve.Normalise(text)
	for _, n := range s.Tree.Nodes {
		if n.Role != "StaticText" || !strings.Contains(resolve.Normalise(n.Name), wanted) {
			continue
		}
		if n.Parent == nil || !fields[n.Parent.Role] {
			return true
		}
	}
	return false
}
