package plan

import (
	"retrace/replay/trace"
)

// submissions notes where the click that sends a form was lost. Recorders drop the clicks on submit buttons of search forms,
// of forms with a text area, and of buttons that are input elements. What is left is a page that changed its address
// although nothing that was recorded leads anywhere.
func (p *planner) submissions() {
	for i := range p.intents {
		in := &p.intents[i]
		switch {
		case in.Kind == Await:
			p.awaited(i)
		case (p.trace.Version != 2 || in.Kind == Click) && goesNowhere(*in) && in.After != nil && left(url(in.Before), in.After.URL) && p.belongsToFilledForm(i):
			in.Missing = &Missing{Submit: true, Field: in.Step}
			in.because("submit-lost", "the page that followed has another address, and this step leads nowhere by itself, so the click that submitted the form was lost")
		}
	}
}

// awaited says what may be done when the page of the Await at i does not come by itself.
func (p *planner) awaited(i int) {
	in := &p.intents[i]
	in.Missing = &Missing{Navigate: web(in.To)}
	if led := p.lastDone(i); led.Kind != Open && sameAddress(url(led.After), in.To) {
		return
	}
	filled := p.filledBefore(i)
	if len(filled) > 0 && !p.intents[filled[0]].Enter {
		in.Missing.Submit = true
		in.Missing.Field = p.intents[filled[0]].Step
		if p.intents[filled[0]].Suggest {
			in.because("submit-possible", "the suggestion that was picked before may not send its form by itself")
		} else {
			in.because("submit-lost", "fields were filled before and nothing that was recorded submits them, so the click that did was lost")
		}
	}
	if in.Missing.Navigate && in.Step.Cause == trace.FormSubmit && placeOf(in.To).query == "" {
		in.Missing.Navigate = false
		in.because("not-loaded-directly", "the form may have been posted, so loading the address would not do what the form did")
	}
}

// lastDone returns the last intent before the one at i that does something.
func (p *planner) lastDone(i int) Intent {
	for i--; i > 0; i-- {
		if k := p.intents[i].Kind; k != Skip && k != Hover {
			break
		}
	}
	return p.intents[i]
}

// filledBefore returns the places of the fills that were made on the page before the intent at i, the last first, with
// nothing in between that explains that the page was left.
func (p *planner) filledBefore(i int) []int {
	var found []int
	page := url(p.intents[i].Before)
	for j := i - 1; j >= 0; j-- {
		in := p.intents[j]
		if in.Kind == Fill && samePage(url(in.Before), page) {
			found = append(found, j)
			continue
		}
		if in.Kind == Skip || in.Kind == Hover || goesNowhere(in) {
			continue
		}
		break
	}
	return found
}

// belongsToFilledForm reports whether fields were filled on the page of the intent at i, or it is a fill itself.
func (p *planner) belongsToFilledForm(i int) bool {
	in := p.intents[i]
	return in.Kind == Fill || len(p.filledBefore(i)) > 0
}

// goesNowhere reports whether the intent cannot lead to another address by itself: it fills, selects, switches a control,
// clicks into a field, or presses a key that sends nothing.
func goesNowhere(in Intent) bool {
	switch in.Kind {
	case Fill:
		return !in.Enter && !in.Suggest && in.Step.Commit == trace.CommitBlur
	case Select:
		return true
	case Press:
		return in.Step.Key != "Enter" && in.Step.Key != " "
	case Click:
		d := in.Step.Target
		return d != nil && (toggles[d.Role] || fields[d.Role] && d.Role != "combobox")
	}
	return false
}
