package act

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// chosenOption is an option to select, with what it must still be when it is.
type chosenOption struct {
	Index int    `json:"index"`
	Value string `json:"value"`
	Label string `json:"label"`
}

// Select selects exactly the given options of a native list, which is what the page then sees in input and change
// events: one in a list that takes one, any number (none too) in a multiple one. It waits until every option is there
// and enabled. An option is found by value and label together, then by its label alone, then by its value alone;
// Notes tell the last two. A list that is so already gets no events.
//
// Errors are [NotReady], [Stale], [Unconfirmed], [OptionMissing] when the deadline passes without an option, and
// [ValueRejected] when the page takes the selection back.
func Select(ctx context.Context, e Element, choices []Choice) (Report, error) {
	start := time.Now()
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	var (
		r       Report
		missing *OptionMissing
	)
	a, err := h.until(ctx, func(_ int, hurry bool) (answer, error) {
		a, err := h.run(ctx, "options", map[string]any{"hurry": hurry})
		if err != nil || a.State != ready {
			return a, err
		}
		r = Report{Before: a.Field.field()}
		if n := len(choices); n != 1 && !r.Before.Multiple {
			text := fmt.Sprintf("%d options cannot be selected in a list that takes one", n)
			return answer{State: Unfit, Text: text, Final: true}, nil
		}
		p := matchAll(r.Before.Options, choices)
		if missing = nil; len(p.missing) > 0 {
			missing = &OptionMissing{Want: p.missing, Have: labels(r.Before.Options), Why: p.why}
		}
		if missing != nil || (p.weak && !hurry) {
			return answer{State: Optionless, Text: "its options are not there yet"}, nil
		}
		r.Notes = p.notes
		r.noteBusy(a)
		r.Times.Ready = time.Since(start)
		if chosen(r.Before.Options, p.indices) {
			r.note("it was so already")
			return answer{State: ready, Field: a.Field, After: a.Field}, nil
		}
		h.ready(ctx)
		return h.choose(ctx, r.Before.Options, p.indices)
	})
	r.Times.Act = max(0, time.Since(start)-r.Times.Ready)
	var late *NotReady
	if missing != nil && errors.As(err, &late) && (late.State == Optionless || late.State == Busy) {
		return r, missing
	}
	if err != nil {
		return r, err
	}
	if a.Field.Tag == "" {
		r.note("the page left after the selection")
		return r, nil
	}
	r.After = a.After.field()
	return r, kept(&r, a, choices)
}

// choose selects the options by their places, provided that they are still the ones that were read.
func (h *handle) choose(ctx context.Context, options []Option, indices []int) (answer, error) {
	chosen := make([]chosenOption, 0, len(indices))
	for _, i := range indices {
		chosen = append(chosen, chosenOption{i, options[i].Value, options[i].Label})
	}
	a, err := h.runBriefly(ctx, "choose", map[string]any{"options": chosen}, true)
	switch {
	case err != nil && interrupted(err):
		return answer{State: ready}, nil // the page left because of the change
	case err != nil && stale(err):
		return answer{}, err // nothing was selected
	case err != nil:
		return answer{}, &Unconfirmed{Err: err}
	}
	return a, nil
}

// kept checks that the list holds what was selected. A page may react to the change by building the list anew.
func kept(r *Report, a answer, choices []Choice) error {
	at, after := matchAll(a.Field.field().Options, choices), matchAll(r.After.Options, choices)
	switch {
	case a.Gone:
		r.note("the page replaced the list after the selection")
		return nil
	case len(after.missing) == 0 && chosen(r.After.Options, after.indices):
		return nil
	case len(at.missing) == 0 && chosen(a.Field.field().Options, at.indices):
		if fmt.Sprint(labels(r.After.SelectedOptions())) == fmt.Sprint(labels(r.Before.SelectedOptions())) {
			return &ValueRejected{Why: "the page put the old selection back"}
		}
		r.note("the page changed the selection afterwards")
		return nil
	}
	return &ValueRejected{Why: "the list did not keep the selection"}
}
