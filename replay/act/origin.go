package act

import "context"

// Origin is the origin of the document that the element is in, as the browser serialises it ("https://shop.example"): that of
// the document which made it for a frame without an address, and "null" for a sandboxed one or a file. A gone element is a
// [Stale].
func Origin(ctx context.Context, e Element) (string, error) {
	h, err := hold(ctx, e)
	if err != nil {
		return "", verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	a, err := h.run(ctx, "origin", nil)
	if err != nil {
		return "", verdict(ctx, err, nil)
	}
	return a.Origin, nil
}
