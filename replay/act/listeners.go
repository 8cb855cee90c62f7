package act

import (
	"context"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"
)

// pressTypes are the events by which a page hears of a click.
var pressTypes = map[string]bool{"click": true, "mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true}

// Listeners counts how many functions of the page would hear of a click on the element: those on the element, on all that
// it is in up to the document of its frame, in every script world (those on the window cannot be asked for). When a page has been made alive only after a click
// (a server drew it, and its scripts came later), there are more of them than at the time of the click; as long as there
// are not, the page had its chance to hear the click, and a second one may be heard as a second one.
//
// Errors are [Stale] when the element has gone.
func Listeners(ctx context.Context, e Element) (int, error) {
	h, err := hold(ctx, e)
	if err != nil {
		return 0, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	path, err := h.find(ctx, "path", nil)
	if err != nil {
		return 0, verdict(ctx, err, nil)
	}
	list, err := cdp.Call(ctx, h.Session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: path, OwnProperties: new(true)})
	if err != nil {
		return 0, verdict(ctx, fmt.Errorf("reading what the element is in: %w", err), nil)
	}
	_, _ = cdp.Call(ctx, h.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: path})
	n := 0
	for _, p := range list.Result {
		if _, err := strconv.Atoi(p.Name); err != nil || p.Value == nil || p.Value.ObjectID == "" {
			continue
		}
		heard, err := cdp.Call(ctx, h.Session, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: p.Value.ObjectID, Depth: new(int64(1)), Pierce: new(true)})
		if err != nil {
			return 0, verdict(ctx, fmt.Errorf("reading the event listeners: %w", err), nil)
		}
		for _, l := range heard.Listeners {
			if pressTypes[l.Type] {
				n++
			}
			for _, o := range []*runtime.RemoteObject{l.Handler, l.OriginalHandler} {
				if o != nil && o.ObjectID != "" {
					_, _ = cdp.Call(ctx, h.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: o.ObjectID})
				}
			}
		}
		_, _ = cdp.Call(ctx, h.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: p.Value.ObjectID})
	}
	return n, nil
}
