package act

import (
	"context"
	"time"

	"retrace/keymap"
)

// Times of a choice that is made with the keyboard.
const (
	listComes = 1500 * time.Millisecond // a list of suggestions comes within this time after typing
	markMoves = 250 * time.Millisecond  // the mark in the list has moved within this time after a key
)

// PickByKeys chooses the option called text in the list of suggestions of the field e, as one does without a mouse: Down
// until the list points at it, then Enter. What the list points at is read from aria-activedescendant, aria-selected,
// the class that marks an entry, or from the field itself, where the page writes the entry into it.
//
// When no list comes, only Enter is pressed, with a note. Errors are those of [Press], and [OptionMissing] when the list does not
// offer the option until the context ends, or when it cannot be seen that it points at it: Enter is not pressed then.
func PickByKeys(ctx context.Context, e Element, text string) (Report, error) {
	start := time.Now()
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	r, err := focus(ctx, e)
	if err != nil {
		return r, err
	}
	text = label(text)
	a, err := h.listed(ctx, text)
	if err != nil {
		return r, err
	}
	r.Times.Ready = time.Since(start)
	if a.Count == 0 {
		r.note("no list of suggestions came")
	} else if err := h.moveTo(ctx, text, a); err != nil {
		return r, err
	}
	p, err := Press(ctx, &e, "Enter", keymap.Modifiers(0))
	r.Notes = append(r.Notes, p.Notes...)
	r.Times.Act = time.Since(start) - r.Times.Ready
	return r, err
}

// listed waits for the list and for the option in it.
func (h *handle) listed(ctx context.Context, text string) (answer, error) {
	start := time.Now()
	var last answer
	for n := 1; ; n++ {
		a, err := h.run(ctx, "listed", text)
		switch {
		case err != nil && ctx.Err() == nil:
			return a, verdict(ctx, err, nil)
		case err == nil && a.State == Detached:
			return a, gone(a)
		case err == nil && (a.Seen || a.Met):
			return a, nil
		case err == nil:
			last = a
		}
		if last.Count == 0 && time.Since(start) > listComes {
			return last, nil
		}
		if pause(ctx, backoff(n)) != nil {
			return last, &OptionMissing{Want: []string{text}, Have: last.Offered}
		}
	}
}

// moveTo presses Down until the list points at the option, at most once around.
func (h *handle) moveTo(ctx context.Context, text string, a answer) error {
	for presses := 0; !a.Met; presses++ {
		if presses > a.Count+1 || ctx.Err() != nil {
			return &OptionMissing{Want: []string{text}, Have: a.Offered, Why: "the list does not show that the arrow keys reach it"}
		}
		if err := h.keys(ctx, "ArrowDown"); err != nil {
			return verdict(ctx, err, nil)
		}
		var err error
		if a, err = h.markMoved(ctx, text, a); err != nil {
			return err
		}
	}
	return nil
}

// markMoved waits until the list points at another option than before, for a short time.
func (h *handle) markMoved(ctx context.Context, text string, before answer) (answer, error) {
	last, began := before, time.Now()
	for n := 0; ; n++ {
		a, err := h.run(ctx, "listed", text)
		switch {
		case err != nil && ctx.Err() != nil:
			return last, nil
		case err != nil:
			return a, verdict(ctx, err, nil)
		case a.State == Detached:
			return a, gone(a)
		}
		last = a
		if a.Met || a.By != before.By || time.Since(began) > markMoves || pause(ctx, backoff(n)) != nil {
			return last, nil
		}
	}
}
