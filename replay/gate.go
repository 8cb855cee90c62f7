package replay

import (
	"retrace/replay/plan"
	"retrace/replay/verify"
)

// gate says whether the live page is the one that the intent was recorded on. The agreement is nil when the recording does
// not know the page, or when the effect of the step before has shown it.
func (r *runner) gate(it *plan.Intent, v *view) (*verify.Agreement, bool) {
	if it.Before == nil {
		return nil, true
	}
	if r.at != nil && r.at.ID == it.Before.ID && verify.SamePage(it.Before.URL, v.url) {
		return nil, true
	}
	a := verify.Agree(it.Before, v.sight)
	if !a.Here() {
		if it.Shared && it.After != nil && !verify.SamePage(it.Before.URL, it.After.URL) {
			if b := verify.Agree(it.After, v.sight); b.Here() {
				return &b, true // one of the steps before led there, and the recorder saw it only after this one
			}
		}
		return &a, false
	}
	// The recorded page changed by itself, or by an action that was lost, between two steps: wait for that change.
	if r.last != nil && r.last.ID != it.Before.ID && !verify.Reached(r.last, it.Before, v.sight) {
		return &a, false
	}
	return &a, true
}

// confirm notes that the live page is in the state that the intent led to.
func (r *runner) confirm(it *plan.Intent) {
	if it.After != nil {
		r.at, r.last = it.After, it.After
	}
}

// moved notes that the live page should be in the state that the intent led to, without proof.
func (r *runner) moved(it *plan.Intent) {
	if it.After == nil {
		r.at, r.last = nil, nil
		return
	}
	if r.at == nil || r.at.ID != it.After.ID {
		r.at = nil
	}
	r.last = it.After
}
