package act

import (
	"context"
	"time"
)

// Hover moves the pointer onto the element and leaves it there. A disabled element can be hovered. Errors are as for
// [Click].
func Hover(ctx context.Context, e Element) (Report, error) {
	start := time.Now()
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	var r Report
	err = h.point(ctx, false, func(t mark) (answer, error) {
		r = Report{Point: &t.top, Before: t.Field.field()}
		r.note(t.Note)
		r.noteBusy(t.answer)
		r.Times.Ready = time.Since(start)
		h.ready(ctx)
		return answer{State: ready}, move(ctx, h.Session, t.at, 0)
	})
	r.Times.Act = max(0, time.Since(start)-r.Times.Ready)
	return r, err
}

// ScrollTo scrolls the element into view, in every frame around it, and waits until it stands still. It waits for the
// element to be drawn.
func ScrollTo(ctx context.Context, e Element) error {
	h, err := hold(ctx, e)
	if err != nil {
		return verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	_, err = h.until(ctx, func(int, bool) (answer, error) {
		for _, o := range e.Owners {
			if err := o.show(ctx); err != nil {
				return answer{State: Hidden, Text: "the frame around it is not displayed"}, unlessNoBox(err)
			}
		}
		if a, err := h.scroll(ctx); err != nil || a.State != ready {
			return a, err
		}
		return h.run(ctx, "scroll", nil)
	})
	return err
}
