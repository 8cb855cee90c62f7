package plan

import (
	"retrace/replay/trace"
)

// open puts the Open intent in front and takes the navigations that only led to it out of the plan.
//
// A recorder that starts without a pause writes down its own way to the start page: about:blank first, then the start page.
// Applications that keep their route in the fragment add "#/" to it by themselves.
func (p *planner) open() {
	start := Intent{Kind: Open, To: p.trace.StartURL}
	if blank(start.To) {
		p.openFirst(&start)
	}
	for i := range p.intents {
		in := &p.intents[i]
		if in.Step.Op != trace.Navigate {
			break
		}
		switch {
		case blank(in.Step.To):
			in.skip("blank-page", "an empty page needs no opening")
		case sameAddress(in.Step.To, start.To):
			in.skip("start-page-again", "the recording starts on this page already")
		}
		if in.Kind != Skip {
			break
		}
		in.To = ""
		p.opening++
	}
	start.After = p.stateAt(start.To)
	if n := len(start.Covers); n > 0 { // those came off the front
		start.After = start.Covers[n-1].Result
		if start.After == nil || !sameAddress(start.After.URL, start.To) {
			start.After = p.stateAt(start.To)
		}
	}
	p.intents = append([]Intent{start}, p.intents...)
	p.opening++
}

// openFirst finds what to open when the recording does not say where it began: the first web page that was navigated to
// before anything was done, else the page of the first step.
func (p *planner) openFirst(start *Intent) {
	start.because("start-page-unknown", "the recording began on an empty page, so its first web page is opened")
	for i, in := range p.intents {
		if in.Step.Op != trace.Navigate {
			break
		}
		if web(in.Step.To) {
			start.To = in.Step.To
			for _, covered := range p.intents[:i+1] {
				start.Covers = append(start.Covers, covered.Step)
			}
			p.intents = p.intents[i+1:]
			return
		}
	}
	for _, s := range p.trace.States {
		if web(s.URL) {
			start.To = s.URL
			return
		}
	}
}

// stateAt returns the first recorded state at the address, in the order of the steps.
func (p *planner) stateAt(address string) *trace.State {
	for _, s := range p.trace.Steps {
		for _, state := range []*trace.State{s.State, s.Result} {
			if state != nil && sameAddress(state.URL, address) {
				return state
			}
		}
	}
	for _, state := range p.trace.States {
		if sameAddress(state.URL, address) {
			return state
		}
	}
	return nil
}

// navigations decides for every recorded navigation whether the person made it or an action did. An address that was typed,
// a reload and a step in the history are actions. All others are effects: of a link or button whose click was lost, of a
// script, or of an action that took longer than the recorder looks for one.
func (p *planner) navigations() {
	for i := p.opening; i < len(p.intents); i++ {
		in := &p.intents[i]
		if in.Step.Op != trace.Navigate {
			continue
		}
		in.To = in.Step.To
		p.unseenArrival(i)
		current := url(in.Before)
		if i == p.opening {
			current = p.intents[0].To
		}
		switch cause := in.Step.Cause; {
		case cause == trace.Reload:
			in.Kind, in.To = Reload, ""
		case sameAddress(current, in.To):
			in.skip("already-there", "the page is at this address already")
			in.To = ""
		case cause == trace.UserTyped:
			in.Kind = Goto
		case cause == trace.History:
			in.Kind = Traverse
		default:
			in.Kind = Await
			if cause == "" {
				in.because("effect-navigation", "the recording does not say who opened this page, so it is awaited before it is loaded")
			} else {
				in.because("effect-navigation", "a navigation by %q is the effect of an action, so it is awaited", string(cause))
			}
		}
	}
}

// unseenArrival corrects the page after the navigation at i when the recorder was cancelled before it saw it, and wrote
// the page before in its place: then the page of the next step is the one, if it has the address.
func (p *planner) unseenArrival(i int) {
	in := &p.intents[i]
	if p.trace.Version == 2 || in.After == nil || in.Step.State != in.Step.Result || sameAddress(in.After.URL, in.To) {
		return
	}
	in.After = nil
	if i+1 < len(p.intents) {
		if next := p.intents[i+1].Step.State; next != nil && sameAddress(next.URL, in.To) {
			in.After = next
			p.arriveAt(i+1, next)
		}
	}
	in.because("arrival-not-seen", "the recorder did not see the page that was opened before the next step")
}

// arriveAt makes the page the one before the intent at i, in place of one at an address that was left.
func (p *planner) arriveAt(i int, page *trace.State) {
	in := &p.intents[i]
	if in.Step.State != page || in.Before == page {
		return
	}
	in.Before, in.Late = page, false
	in.Reasons = dropRule(in.Reasons, "state-is-after")
	in.because("state-is-both", "the page %s had come before the step, by the navigation before it", page.ID)
}

// redirects joins navigations that follow one another with nothing in between: only the last is where the person arrived.
func (p *planner) redirects() {
	out := p.intents[:0:0]
	for _, in := range p.intents {
		if n := len(out); n > 0 && in.Kind == Await && out[n-1].Kind == Await {
			in.absorb(out[n-1])
			in.because("redirects-collapsed", "of %d navigations in a row only the last is awaited", len(in.Covers))
			out = out[:n-1]
		}
		out = append(out, in)
	}
	p.intents = out
}
