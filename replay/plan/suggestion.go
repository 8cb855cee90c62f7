package plan

import (
	"strings"
	"unicode/utf8"

	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// suggestions finds out which suggestion was picked after a fill. The recorder writes the text that was typed, not the one
// that was picked; that one shows in the field afterwards, or in the address that the choice led to.
func (p *planner) suggestions() {
	for i := range p.intents {
		in := &p.intents[i]
		if in.Kind != Fill || in.Step.Commit != trace.CommitSuggestion {
			continue
		}
		in.Suggest = true
		if in.Step.Redacted {
			in.because("suggestion", "a suggestion was picked after typing, and the recording does not show which")
			continue
		}
		in.Choice = p.chosen(i)
		if in.Choice == "" {
			in.because("suggestion", "a suggestion was picked after typing, and the recording does not show which")
			continue
		}
		in.because("suggestion", "a suggestion was picked after typing, and the field then held its text")
	}
	for i := range p.intents {
		switch p.intents[i].Kind {
		case Fill:
			p.lostInList(i)
		case Await:
			p.lostSuggestion(i)
		case Press:
			p.keyChoice(i)
		}
	}
}

// keyChoice looks for an option that was picked with the arrow keys and Enter. Arrow keys leave no step: what is left is a
// fill that ended with Enter, the Enter itself, and a field that holds a longer text afterwards than the one that was typed.
func (p *planner) keyChoice(i int) {
	in := &p.intents[i]
	j := i - 1
	for j > 0 && p.intents[j].Kind == Hover {
		j--
	}
	fill := p.intents[j]
	if fill.Kind != Fill || fill.Enter || fill.Step.Commit != trace.CommitEnter || fill.Step.Redacted || in.Step.Modifiers != 0 || !pressesEnterIn(*in, fill.Step) {
		return
	}
	value := p.chosen(j)
	if value == "" && in.Before == in.After && fill.Step.Target.Role == "combobox" {
		value = p.refilled(i)
	}
	if value == "" {
		return
	}
	choice, ok := completion(fill.Step.Value, []string{value})
	if !ok {
		return
	}
	in.Choice = choice
	in.because("picked-by-keys", "the field held a longer text after Enter than was typed, so an option was picked with the arrow keys, which leave no step")
}

// chosen returns what the field of the fill at i held after it when that is not the text that was typed: in the page that the
// fill led to, else in those that follow, until the field is filled again or another page has come.
func (p *planner) chosen(i int) string {
	fill := p.intents[i].Step
	differs := func(s *trace.State) string {
		if value, ok := shown(s, fill); ok && value != fill.Value {
			return value
		}
		return ""
	}
	if value := differs(p.intents[i].After); value != "" {
		return value
	}
	for _, in := range p.intents[i+1:] {
		if in.Kind == Fill && sameField(in.Step, fill) {
			break
		}
		for _, s := range []*trace.State{in.Before, in.After} {
			if s == nil {
				return ""
			}
			if value := differs(s); value != "" || !samePage(s.URL, url(fill.State)) {
				return value
			}
		}
	}
	return ""
}

// refilled returns the value of a fill of the same field right after the intent at i, which a list leaves behind when its
// page writes the option into the field; empty when there is none.
func (p *planner) refilled(i int) string {
	if i+1 == len(p.intents) {
		return ""
	}
	next := p.intents[i+1]
	if next.Kind != Fill || next.Step.Redacted || next.Step.Commit != trace.CommitBlur || !sameField(p.intents[i].Step, next.Step) {
		return ""
	}
	return next.Value
}

// lostSuggestion looks for a suggestion that was picked without leaving a step: the address that the fills led to holds, in
// its query, a longer text than the one that was typed, and nowhere the typed one.
func (p *planner) lostSuggestion(await int) {
	to := p.intents[await].To
	for _, i := range p.filledBefore(await) {
		in := &p.intents[i]
		if in.Suggest || in.Enter || in.Step.Redacted {
			continue
		}
		choice, ok := completion(in.Step.Value, queryValues(to))
		if !ok {
			continue
		}
		in.Suggest, in.Choice = true, choice
		in.because("suggestion-lost", "the page that followed was opened for a longer text than was typed, so a suggestion was picked")
	}
}

// lostInList looks for an option that was picked after its list was narrowed by typing, without leaving a step: the field
// in the list went away with it, and one list control shows a longer text than the one that was typed, which no control
// showed before.
func (p *planner) lostInList(i int) {
	in := &p.intents[i]
	if in.Suggest || in.Enter || in.Step.Redacted || in.Step.Commit != trace.CommitBlur || in.Before == nil || in.After == nil ||
		in.Step.Target == nil || in.Step.Target.Ref == "" || !samePage(in.Before.URL, in.After.URL) || in.After.Truncated {
		return
	}
	field := in.Before.Tree.ByRef(in.Step.Target.Ref)
	if in.Before != in.Step.State || field == nil || field.Role != "searchbox" && field.Role != "textbox" && field.Role != "combobox" {
		return
	}
	was, wasFields := listTexts(in.Before.Tree, field)
	is, isFields := listTexts(in.After.Tree, field)
	if isFields >= wasFields {
		return // the field is still there
	}
	var fresh []string
	for text := range is {
		if !was[text] {
			fresh = append(fresh, text)
		}
	}
	if len(fresh) != 1 {
		return
	}
	choice, ok := completion(in.Step.Value, fresh)
	if !ok {
		return
	}
	in.Suggest, in.Choice = true, choice
	in.because("list-choice-lost", "the field went away with its list, and a control shows a longer text than was typed, so an option was picked")
}

// listTexts returns what the page's list controls show, and how many fields of the given one's role and name it has.
func listTexts(t *axtree.Tree, field *axtree.Node) (shown map[string]bool, fields int) {
	shown = map[string]bool{}
	for _, n := range t.Nodes {
		if n.Role == field.Role && resolve.Normalise(n.Name) == resolve.Normalise(field.Name) {
			fields++
			continue
		}
		if n.Ref == "" || n.Role != "combobox" && !strings.HasSuffix(n.Name, " [has-submenu]") && !strings.HasSuffix(n.Name, " [expanded]") {
			continue
		}
		text := n.Name
		if n.HasValue {
			text = n.Value
		}
		if text = resolve.Normalise(text); text != "" {
			shown[text] = true
		}
	}
	return shown, fields
}

// completion returns the one value that the typed text was completed to. There is none when a value equals the typed text,
// or when several qualify. A text in the middle of a value counts from two characters on.
func completion(typed string, values []string) (string, bool) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return "", false
	}
	lower := strings.ToLower(typed)
	found := ""
	for _, v := range values {
		v = strings.TrimSpace(v)
		switch l := strings.ToLower(v); {
		case l == lower:
			return "", false
		case strings.ContainsAny(v, "/=&"): // an address or a list of settings
			continue
		case strings.HasPrefix(l, lower), utf8.RuneCountInString(typed) > 1 && strings.Contains(l, lower):
			if found != "" && found != v {
				return "", false
			}
			found = v
		}
	}
	return found, found != ""
}
