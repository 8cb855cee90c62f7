package act

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// SubmitButton finds the button that sends what was typed into the field: the visible submit buttons of its form, else
// the visible buttons of the form, or of the nearest search landmark or form-like container (one whose id or class
// speaks of search or chat) when it has none. It returns how many there are and the first in document order, which is
// 0 when there are none. Only a single one is certain to be meant. The node is one of e.Session.
func SubmitButton(ctx context.Context, e Element) (backend cdp.BackendNodeID, count int, err error) {
	h, err := hold(ctx, e)
	if err != nil {
		return 0, 0, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	a, err := h.run(ctx, "submitters", nil)
	if err != nil {
		return 0, 0, verdict(ctx, err, nil)
	}
	if a.State == Detached {
		return 0, 0, gone(a)
	}
	if a.Count == 0 {
		return 0, 0, nil
	}
	object, err := h.find(ctx, "submitter", nil)
	if err != nil {
		return 0, 0, verdict(ctx, err, nil)
	}
	if object == "" {
		return 0, 0, &Stale{Err: errors.New("the button went away")}
	}
	node, err := cdp.Call(ctx, h.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: object})
	if err != nil {
		return 0, 0, verdict(ctx, fmt.Errorf("describing the submit button: %w", err), nil)
	}
	if node.Node == nil {
		return 0, 0, errors.New("describing the submit button: the browser gave no node")
	}
	return node.Node.BackendNodeID, a.Count, nil
}

// UnrecordedSubmit reports whether the field's form has exactly one button that sends it, as [SubmitButton] finds it, and a
// recorder drops clicks on that one: it is an input element, or the form has a text area or a search field.
func UnrecordedSubmit(ctx context.Context, e Element) (bool, error) {
	h, err := hold(ctx, e)
	if err != nil {
		return false, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	a, err := h.run(ctx, "unrecordedSubmitters", nil)
	if err != nil {
		return false, verdict(ctx, err, nil)
	}
	if a.State == Detached {
		return false, gone(a)
	}
	return a.Met, nil
}
