package act

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"retrace/keymap"
)

const leftButton = 1 // in the mask of pressed buttons

// lettingGo is how long the release of a pressed button may take when the action itself has run out of time.
const lettingGo = 500 * time.Millisecond

// move puts the pointer at a point of the session's viewport, and leaves it there.
func move(ctx context.Context, s cdp.Session, p Point, mods keymap.Modifiers) error {
	_, err := cdp.Call(ctx, s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: p.X, Y: p.Y, Modifiers: int64(mods),
	})
	if err != nil {
		return fmt.Errorf("moving the pointer: %w", err)
	}
	return nil
}

// press presses and releases the left button count times in one place. A button that went down is always let go, even
// when the context has ended, since the page would drag with it for ever after.
func press(ctx context.Context, s cdp.Session, p Point, count int, mods keymap.Modifiers) error {
	for i := 1; i <= count; i++ {
		e := input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMousePressed, X: p.X, Y: p.Y, Modifiers: int64(mods),
			Button: input.MouseButtonLeft, Buttons: leftButton, ClickCount: int64(i),
		}
		_, down := cdp.Call(ctx, s, input.DispatchMouseEvent, e)
		e.Type, e.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
		up := release(ctx, s, e)
		if down != nil {
			return fmt.Errorf("pressing the button of the mouse: %w", down)
		}
		if up != nil {
			return fmt.Errorf("releasing the button of the mouse: %w", up)
		}
	}
	return nil
}

func release(ctx context.Context, s cdp.Session, e input.DispatchMouseEventParams) error {
	if ctx.Err() != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lettingGo)
		defer cancel()
		ctx = late
	}
	_, err := cdp.Call(ctx, s, input.DispatchMouseEvent, e)
	return err
}
