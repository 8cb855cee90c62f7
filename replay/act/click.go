package act

import (
	"context"
	"time"

	"retrace/keymap"
)

// ClickOptions say how to click.
type ClickOptions struct {
	// Count is 1 for a click (as is 0), 2 for a double click.
	Count int
	// Modifiers are the keys that are held meanwhile.
	Modifiers keymap.Modifiers
}

// Click clicks the element in its middle, or at another point of it that is free. A checkbox, radio button or file
// field that is hidden behind its label is clicked through the label. Before and After tell what the click switched.
//
// Errors are [NotReady], [Stale], or [Unconfirmed] when the button went down and the browser did not answer any more.
func Click(ctx context.Context, e Element, o ClickOptions) (Report, error) {
	start := time.Now()
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	var r Report
	if h.Ready == nil && len(h.Owners) == 0 && o.Modifiers == 0 {
		h.near = h.Near
	}
	err = h.point(ctx, true, func(t mark) (answer, error) {
		r = Report{Point: &t.top, Before: t.Field.field()}
		r.note(t.Note)
		r.noteBusy(t.answer)
		if t.Restless {
			r.note("it never stands still; pressed where it always is")
		}
		h.ready(ctx)
		if !h.there(t.at) {
			if err := move(ctx, h.Session, t.at, o.Modifiers); err != nil {
				return answer{}, err
			}
		}
		if a, err := h.guard(ctx, t); err != nil || a.State != ready {
			return a, err
		}
		r.Times.Ready = time.Since(start)
		return h.press(ctx, t, o, &r)
	})
	r.Times.Act = max(0, time.Since(start)-r.Times.Ready)
	return r, err
}

// guard is the last check before a press. In frames of other origins it asks the protocol too.
func (h *handle) guard(ctx context.Context, t mark) (answer, error) {
	if a, err := h.recheck(ctx, t); err != nil || a.State != ready {
		return a, err
	}
	return h.run(ctx, "guard", map[string]any{"surface": t.Surface, "x": t.LX, "y": t.LY, "edge": t.Edge, "enabled": true})
}

// press sends the press and asks the guard where it landed. A press that met something else was kept from the page,
// so the wait goes on.
func (h *handle) press(ctx context.Context, t mark, o ClickOptions, r *Report) (answer, error) {
	if err := press(ctx, h.Session, t.at, max(1, o.Count), o.Modifiers); err != nil {
		if stale(err) { // the press itself made the page go away
			r.note("the page left while the button was pressed")
			return answer{State: ready}, nil
		}
		return answer{}, &Unconfirmed{Err: err}
	}
	a, err := h.run(ctx, "landed", map[string]any{"before": r.Before.switches()})
	switch {
	case err != nil && (stale(err) || ctx.Err() != nil):
		return answer{State: ready}, nil // it was pressed; the page is gone, or is busy with what the press began
	case err != nil:
		return answer{}, &Unconfirmed{Err: err}
	case a.Seen && !a.Met:
		h.misses++
		if a.Moved {
			return answer{State: Slipped, Text: "it moved away from under the pointer, which met " + a.By}, nil
		}
		return answer{State: Intercepted, Text: "the pointer met " + a.By, Cover: a.By}, nil
	case a.Seen && !a.Clicked && !a.Connected:
		r.Unheard = true
		r.note("it was replaced between press and release, so that the page saw no click")
	case a.Seen && a.Astray:
		r.Unheard = true
		r.After = a.Field.field()
		r.note("it moved away between press and release, so that the page saw no click")
	case a.Connected:
		r.After = a.Field.field()
	}
	if !a.Seen && a.Connected {
		r.note("the page kept to itself whether the press reached the element")
	}
	return answer{State: ready}, nil
}
