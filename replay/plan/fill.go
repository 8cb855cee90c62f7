package plan

import (
	"strings"

	"retrace/replay/trace"
)

// clearedByPage drops the empty fill that a recorder writes when a page empties its own field, as a chat does after
// sending: the field is empty before the step, and something was done since it was filled that can have emptied it.
func (p *planner) clearedByPage() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Fill || in.Step.Redacted || in.Value != "" {
			continue
		}
		n := fieldIn(in.Step.State, in.Step)
		if n == nil || n.Field != "empty" || !p.sentSinceFilled(i) {
			continue
		}
		in.skip("cleared-by-page", "the page cleared the field itself")
	}
}

// sentSinceFilled reports whether the field of the fill at i was filled before, and something was pressed or clicked since.
func (p *planner) sentSinceFilled(i int) bool {
	sent := false
	for j := i - 1; j >= 0; j-- {
		switch in := p.intents[j]; in.Kind {
		case Press, Click, Await:
			sent = true
		case Fill:
			if sameField(in.Step, p.intents[i].Step) {
				return sent || in.Step.Commit == trace.CommitEnter
			}
		case Open, Goto, Traverse, Reload:
			return false
		}
	}
	return false
}

// enters gives every Enter to one intent. The recorder writes a fill that ended with Enter and then the key press itself,
// with its modifiers; where the press is missing, the fill presses it.
func (p *planner) enters() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Fill || in.Step.Commit != trace.CommitEnter {
			continue
		}
		j := i + 1
		for j < len(p.intents) && p.intents[j].Kind == Hover { // a hover may be written just before the press it belongs to
			j++
		}
		if j < len(p.intents) && pressesEnterIn(p.intents[j], in.Step) {
			in.because("one-enter", "the key press that follows is the Enter that ended this fill")
			continue
		}
		in.Enter = true
		in.because("enter-in-fill", "the fill ended with Enter, and no key press was recorded for it")
	}
}

// pressesEnterIn reports whether the intent is the Enter that ended the fill: in the same field, or without a target, which
// is then the field that has the focus.
func pressesEnterIn(in Intent, fill *trace.Step) bool {
	if in.Kind != Press || in.Step.Key != "Enter" {
		return false
	}
	pressed := in.Step.Target
	return pressed == nil || pressed.Empty() || name(pressed) == name(fill.Target) || sameField(in.Step, fill)
}

// fills joins fills of one field that follow one another: each holds the whole value, so the last is what the person left.
// Date fields, sliders and autocomplete report every change. A fill that ended with Enter or a suggestion did more than
// fill, and stays.
func (p *planner) fills() {
	out := p.intents[:0:0]
	for _, in := range p.intents {
		if n := len(out); n > 0 && in.Kind == Fill && out[n-1].Kind == Fill && out[n-1].Step.Commit == trace.CommitBlur && !out[n-1].Send &&
			sameField(out[n-1].Step, in.Step) {
			in.absorb(out[n-1])
			in.Reasons = dropRule(in.Reasons, "fills-collapsed")
			in.because("fills-collapsed", "%d fills of the same field in a row, only the last value counts", len(in.Covers))
			out = out[:n-1]
		}
		out = append(out, in)
	}
	p.intents = out
}

func dropRule(reasons []Reason, rule string) []Reason {
	var kept []Reason
	for _, r := range reasons {
		if r.Rule != rule {
			kept = append(kept, r)
		}
	}
	return kept
}

// appends finds the fills that continue a rich text field after Enter. The recorded value is the field's text without its
// line breaks, so filling it again would join the lines; only the new text must be typed.
func (p *planner) appends() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Fill || in.Step.Redacted {
			continue
		}
		earlier, broken := p.earlierFill(i)
		if earlier == nil || !broken || earlier.Redacted || earlier.Value == "" {
			continue
		}
		rest, continues := strings.CutPrefix(in.Step.Value, earlier.Value)
		if !continues || rest == "" || !p.richText(in.Step) {
			continue
		}
		in.Append, in.Value = true, rest
		in.because("rich-text-appended", "the recorder loses the line breaks of a rich text field, so only the text after the Enter is typed, at its end")
	}
}

// earlierFill returns the step that last filled the field of the fill at i, and whether an Enter that can break a line came
// in between. It returns nil when anything else was done with the page since.
func (p *planner) earlierFill(i int) (earlier *trace.Step, broken bool) {
	field := p.intents[i].Step
	for j := i - 1; j >= 0; j-- {
		switch in := p.intents[j]; in.Kind {
		case Hover, Scroll, Skip:
		case Press:
			if in.Step.Key != "Enter" {
				return nil, false
			}
			broken = true
		case Fill:
			if !sameField(in.Step, field) {
				return nil, false
			}
			return in.Step, broken || in.Enter
		default:
			return nil, false
		}
	}
	return nil, false
}
