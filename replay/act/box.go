package act

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// Box is a rectangle in the viewport of the tab, in CSS pixels.
type Box struct{ X, Y, W, H float64 }

// Locate is where the element is drawn now: the smallest box around all its parts, which may lie outside of the
// viewport. It is false for an element that is not drawn, or not in the page any more. Nothing is scrolled.
func Locate(ctx context.Context, e Element) (Box, bool) {
	h, err := hold(ctx, e)
	if err != nil {
		return Box{}, false
	}
	defer h.release(ctx)
	quads, err := cdp.Call(ctx, h.Session, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: h.object})
	if err != nil {
		return Box{}, false
	}
	var points []Point
	for _, q := range quads.Quads {
		for i := 0; i+1 < len(q); i += 2 {
			points = append(points, Point{q[i], q[i+1]})
		}
	}
	for i := len(h.Owners) - 1; i >= 0; i-- {
		if points, err = h.Owners[i].lift(ctx, points); err != nil {
			return Box{}, false
		}
	}
	return around(points)
}

// lift maps points of the frame's viewport to that of the target around it.
func (o Owner) lift(ctx context.Context, points []Point) ([]Point, error) {
	box, err := cdp.Call(ctx, o.Session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: o.Backend})
	if err != nil {
		return nil, fmt.Errorf("measuring the frame: %w", err)
	}
	out := make([]Point, 0, len(points))
	for _, p := range points {
		q, drawn := outward(box.Model, p)
		if !drawn {
			return nil, nil
		}
		out = append(out, q)
	}
	return out, nil
}

// around is the smallest box around points; false when they enclose nothing.
func around(points []Point) (Box, bool) {
	if len(points) == 0 {
		return Box{}, false
	}
	low, high := points[0], points[0]
	for _, p := range points[1:] {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	b := Box{low.X, low.Y, high.X - low.X, high.Y - low.Y}
	return b, b.W > 0 && b.H > 0
}
