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

// press presses and releases the left button count times in one place. Where the session can, the release is sent without
// waiting for the answer to the press, so that the page has no time to move the target away in between. A button that went
// down is always let go, even when the context has ended, since the page would drag with it for ever after.
func press(ctx context.Context, s cdp.Session, p Point, count int, mods keymap.Modifiers) error {
	e := input.DispatchMouseEventParams{X: p.X, Y: p.Y, Modifiers: int64(mods), Button: input.MouseButtonLeft}
	for i := 1; i <= count; i++ {
		e.Type, e.Buttons, e.ClickCount = input.DispatchMouseEventTypeMousePressed, leftButton, int64(i)
		up := e
		up.Type, up.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
		downErr, upErr := downAndUp(ctx, s, e, up)
		if downErr != nil {
			return fmt.Errorf("pressing the button of the mouse: %w", downErr)
		}
		if upErr != nil {
			return fmt.Errorf("releasing the button of the mouse: %w", upErr)
		}
	}
	return nil
}

// starter is a session that can send a command before the one before it is answered. The commands arrive in the order in
// which they were started.
type starter interface {
	Start(ctx context.Context, method string, params any) (wait func(ctx context.Context, result any) error, err error)
}

func downAndUp(ctx context.Context, s cdp.Session, down, up input.DispatchMouseEventParams) (downErr, upErr error) {
	st, ok := s.(starter)
	if !ok {
		_, downErr = cdp.Call(ctx, s, input.DispatchMouseEvent, down)
		return downErr, release(ctx, s, up)
	}
	pressed, downErr := st.Start(ctx, input.CommandDispatchMouseEvent, down)
	if downErr != nil {
		return downErr, nil // it was not sent
	}
	released, notSent := st.Start(ctx, input.CommandDispatchMouseEvent, up)
	downErr = pressed(ctx, nil)
	if notSent != nil {
		return downErr, release(ctx, s, up)
	}
	return downErr, released(ctx, nil)
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
