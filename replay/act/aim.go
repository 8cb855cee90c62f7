package act

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// mark is a point at which a press meets the element.
type mark struct {
	answer
	// at is where to point, in the viewport of the target that renders the element; top the same in the tab.
	at, top Point
}

// unscrolled is the answer of a script that cannot scroll the element into view as the protocol does.
const unscrolled State = "unscrolled"

// alignment is how to scroll on the nth look, given what was in the way before: first only when it must be, as the protocol
// does; then, for an element that lies under a sticky bar, to the other edges of the viewport in turn.
func alignment(n int, last State) string {
	if n == 0 || (!last.onTop() && last != Offscreen) {
		return ""
	}
	return [...]string{"end", "center", "start", "nearest"}[(n-1)%4]
}

// onTop reports whether something else is on top of the element.
func (s State) onTop() bool { return s == Covered || s == Intercepted }

// aim looks once whether the element can be pointed at, and where. It scrolls it into view in every frame around it.
func (h *handle) aim(ctx context.Context, enabled, hurry bool, align string) (mark, error) {
	for _, o := range h.Owners {
		if err := o.show(ctx); err != nil {
			return mark{answer: answer{State: Offscreen, Text: "the frame around it is not displayed"}}, unlessNoBox(err)
		}
	}
	arg := map[string]any{"enabled": enabled, "hurry": hurry, "align": align, "calm": calm(h.misses), "bring": align == "" && len(h.Owners) == 0}
	if h.Seen != nil && align == "" {
		arg["seen"] = []float64{h.Seen.X, h.Seen.Y, h.Seen.W, h.Seen.H}
	}
	a, err := answer{State: unscrolled}, error(nil)
	if align != "" || len(h.Owners) == 0 {
		a, err = h.run(ctx, "point", arg)
	}
	if err == nil && a.State == unscrolled {
		// An element without a box is left to the check, which knows hidden from drawn through its content or label.
		if _, err := h.scroll(ctx); err != nil {
			return mark{}, err
		}
		arg["bring"] = false
		a, err = h.run(ctx, "point", arg)
	}
	if err != nil || a.State != ready {
		return mark{answer: a}, err
	}
	t := mark{answer: a, at: Point{a.X, a.Y}}
	if a.Edge {
		if t, err = h.pierce(ctx, t); err != nil || t.State != ready {
			return t, err
		}
	}
	t.top = t.at
	if len(h.Owners) > 0 {
		return h.surface(ctx, t)
	}
	return t, nil
}

// calm is how long the element has to stand still before the next press, in milliseconds, after so many presses that met
// something else: on a page that is pushed about now and then, two still frames promise nothing about the third.
func calm(misses int) int {
	if misses == 0 {
		return 0
	}
	return min(100<<(misses-1), 600)
}

func unlessNoBox(err error) error {
	if noBox(err) && !stale(err) {
		return nil
	}
	return err
}

// scroll brings the element into view as far as it is not there already.
func (h *handle) scroll(ctx context.Context) (answer, error) {
	_, err := cdp.Call(ctx, h.Session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{ObjectID: h.object})
	if err != nil && noBox(err) && !stale(err) {
		return answer{State: Hidden, Text: "it is not displayed"}, nil
	}
	if err != nil {
		return answer{}, fmt.Errorf("scrolling the element into view: %w", err)
	}
	return answer{State: ready}, nil
}

// point waits until the element can be pointed at, and then does what is to be done there. An answer other than ready
// makes it wait on.
func (h *handle) point(ctx context.Context, enabled bool, then func(t mark) (answer, error)) error {
	var (
		way   answer // what was in the way of the last look
		turns int    // how often in a row scrolling was what might help
	)
	_, err := h.until(ctx, func(_ int, hurry bool) (answer, error) {
		t, err := h.aim(ctx, enabled, hurry, alignment(turns, way.State))
		if err == nil && t.State == ready {
			t.answer, err = then(t)
		}
		if err != nil {
			return t.answer, err
		}
		// A cover stays the reason while another alignment has only scrolled the element away.
		if t.State == Offscreen && turns > 0 && way.State.onTop() {
			t.answer = way
		}
		way = t.answer
		if way.State.onTop() || way.State == Offscreen {
			turns++
		} else {
			turns = 0
		}
		return way, nil
	})
	return err
}
