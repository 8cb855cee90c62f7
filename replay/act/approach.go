package act

import (
	"context"
	"math"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// A click waits for frames twice: until the element is seen to stand still, and until the page has taken the movement of the pointer. Where
// the element is expected to be is known from the look that found it, so the pointer goes there while the element is being watched. A person's
// pointer is on its way as well. It presses nothing: every check comes after it, and where the element is not there after all, the pointer
// is moved again.

// call sends an operation, and moves the pointer to where it is expected to be needed once the operation is on its way.
func (h *handle) call(ctx context.Context, p runtime.CallFunctionOnParams) (res runtime.CallFunctionOnResult, err error) {
	near := h.near
	h.near = nil
	s, ok := h.Session.(starter)
	if near == nil || !ok {
		return cdp.Call(ctx, h.Session, runtime.CallFunctionOn, p)
	}
	answered, err := s.Start(ctx, runtime.CommandCallFunctionOn, p)
	if err != nil {
		return res, err
	}
	moved := make(chan error, 1)
	go func() { moved <- move(ctx, h.Session, *near, 0) }()
	err = answered(ctx, &res)
	if <-moved == nil {
		h.at = near
	}
	return res, err
}

// there reports whether the pointer is at a point already, and forgets that it is.
func (h *handle) there(p Point) bool {
	at := h.at
	h.at = nil
	return at != nil && math.Abs(at.X-p.X) < 0.1 && math.Abs(at.Y-p.Y) < 0.1
}
