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

// alignment is how to scroll on the nth look, given what was in the way before: the protocol first, which scrolls
// only when it must; then, for an element that lies under a sticky bar, to the other edges of the viewport in turn.
func alignment(n int, last State) string {
	if n == 0 || (last != Covered && last != Offscreen) {
		return ""
	}
	return [...]string{"end", "center", "start", "nearest"}[(n-1)%4]
}

// aim looks once whether the element can be pointed at, and where. It scrolls it into view in every frame around it.
func (h *handle) aim(ctx context.Context, enabled, hurry bool, align string) (mark, error) {
	for _, o := range h.Owners {
		if err := o.show(ctx); err != nil {
			return mark{answer: answer{State: Offscreen, Text: "the frame around it is not displayed"}}, unlessNoBox(err)
		}
	}
	if align == "" {
		// An element without a box is left to the check, which knows hidden from drawn through its content or label.
		if _, err := h.scroll(ctx); err != nil {
			return mark{}, err
		}
	}
	a, err := h.run(ctx, "point", map[string]any{"enabled": enabled, "hurry": hurry, "align": align})
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
	last := State("")
	turns := 0
	_, err := until(ctx, func(n int, hurry bool) (answer, error) {
		align := alignment(turns, last)
		t, err := h.aim(ctx, enabled, hurry, align)
		if err == nil && t.State == ready {
			t.answer, err = then(t)
		}
		last = t.State
		if last == Covered || last == Offscreen {
			turns++
		} else {
			turns = 0
		}
		return t.answer, err
	})
	return err
}
