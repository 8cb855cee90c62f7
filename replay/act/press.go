package act

import (
	"context"
	"errors"
	"fmt"
	"time"

	"retrace/keymap"
)

// Press presses a key once while the modifiers are held. The element gets the focus first, unless it or something
// inside it has it. An element without Backend stands for whatever has the focus in the tab Page.
//
// key is a key's name ("Enter", "Escape", "a"). A key that makes the page leave counts as pressed. Errors are
// [NotReady], [Stale], [Unconfirmed] when some of the key's events were sent, or a [keymap.UnknownKeyError].
func Press(ctx context.Context, el *Element, key string, mods keymap.Modifiers) (Report, error) {
	start := time.Now()
	if el == nil {
		return Report{}, errors.New("pressing a key: no tab to press it in")
	}
	k, err := keymap.Lookup(key)
	if err != nil {
		return Report{}, fmt.Errorf("pressing a key: %w", err)
	}
	var r Report
	session := el.Page
	if el.Backend != 0 {
		session = el.Session
		if r, err = focus(ctx, *el); err == nil && el.Ready != nil {
			el.ready(ctx)
			r, err = focus(ctx, *el) // it may have gone elsewhere meanwhile
		}
		if err != nil {
			return r, err
		}
	}
	r.Times.Ready = time.Since(start)
	sent, err := send(ctx, session, keymap.Press(k, mods, onMac))
	r.Times.Act = time.Since(start) - r.Times.Ready
	switch {
	case err == nil:
		return r, nil
	case sent > 0 && stale(err):
		r.note("the page left while the key was pressed")
		return r, nil
	case sent > 0 || ctx.Err() != nil:
		return r, &Unconfirmed{Err: err}
	}
	return r, verdict(ctx, err, nil)
}

// focus waits until the element can take the focus, and gives it.
func focus(ctx context.Context, e Element) (Report, error) {
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	a, err := h.until(ctx, func(int, bool) (answer, error) { return h.run(ctx, "focus", nil) })
	return Report{Before: a.Field.field()}, err
}
