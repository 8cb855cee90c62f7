package act

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
)

// A script sees the frames around its own only while they have its origin, and adding offsets is right only while no
// frame is drawn turned or scaled. Past that edge the protocol looks: quads of the element as they are drawn in the
// viewport of the whole target, and a hit test that goes through all frames of the process.

// viewport is the part of a target's document that is in view.
type viewport struct{ x, y, w, h float64 }

func view(ctx context.Context, s cdp.Session) (viewport, error) {
	m, err := cdp.Call(ctx, s, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return viewport{}, fmt.Errorf("measuring the viewport: %w", err)
	}
	if m.CSSLayoutViewport == nil {
		return viewport{}, fmt.Errorf("measuring the viewport: the browser gave no measures")
	}
	v := m.CSSLayoutViewport
	return viewport{float64(v.PageX), float64(v.PageY), float64(v.ClientWidth), float64(v.ClientHeight)}, nil
}

// spots are the places in a quad that are tried, in its own coordinates from 0 to 1: the middle first.
var spots = [...]Point{{.5, .5}, {.25, .5}, {.75, .5}, {.5, .25}, {.5, .75}, {.25, .25}, {.75, .75}}

// within is the point of a quad at the place (u, v). Quads are listed clockwise from the top left corner.
func within(q dom.Quad, at Point) Point {
	u, v := at.X, at.Y
	mix := func(i int) float64 {
		return q[i]*(1-u)*(1-v) + q[i+2]*u*(1-v) + q[i+4]*u*v + q[i+6]*(1-u)*v
	}
	return Point{mix(0), mix(1)}
}

// candidates are the whole points of the quads that are in the viewport, best first. The protocol's hit test takes
// whole pixels, so these are where the press goes.
func candidates(quads []dom.Quad, v viewport) []Point {
	var out []Point
	for _, q := range quads {
		if len(q) != 8 {
			continue
		}
		for _, s := range spots {
			p := within(q, s)
			p = Point{math.Floor(p.X), math.Floor(p.Y)}
			if p.X >= 0 && p.Y >= 0 && p.X < v.w && p.Y < v.h {
				out = append(out, p)
			}
		}
	}
	return out
}

// pierce finds the point again with the protocol, through all frames of the element's process.
func (h *handle) pierce(ctx context.Context, t mark) (mark, error) {
	object := h.object
	if t.Surface > 0 {
		label, err := h.find(ctx, "surface", map[string]any{"surface": t.Surface})
		if err != nil {
			return t, err
		}
		object = label
	}
	quads, err := cdp.Call(ctx, h.Session, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: object})
	if err != nil {
		t.answer = answer{State: Hidden, Text: "it is not drawn"}
		return t, unlessNoBox(err)
	}
	v, err := view(ctx, h.Session)
	if err != nil {
		return t, err
	}
	points := candidates(quads.Quads, v)
	if len(points) == 0 {
		t.answer = answer{State: Offscreen, Text: "it lies outside the viewport"}
		return t, nil
	}
	first := answer{}
	for i, p := range points {
		a, err := h.meets(ctx, t.Surface, p, v)
		if err != nil {
			return t, err
		}
		if a.State == ready {
			t.at = p
			return t, nil
		}
		if i == 0 {
			first = a
		}
	}
	t.answer = first
	return t, nil
}

// meets asks the protocol whether the element is on top at a point of its target's viewport.
func (h *handle) meets(ctx context.Context, surface int, p Point, v viewport) (answer, error) {
	hit, err := at(ctx, h.Session, p, v)
	if err != nil {
		return answer{State: Covered, Text: "nothing can be hit at its place"}, unlessNothing(err)
	}
	if hit == h.Backend {
		return answer{State: ready}, nil
	}
	node, err := cdp.Call(ctx, h.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: hit, ExecutionContextID: h.World})
	if err != nil || node.Object == nil {
		return h.cover(ctx, h.Session, hit), ctx.Err() // a node of another document
	}
	a, err := h.run(ctx, "owns", map[string]any{"surface": surface}, node.Object.ObjectID)
	if err != nil {
		return answer{}, err
	}
	switch {
	case a.Met:
		return answer{State: ready}, nil
	case a.By == "":
		return h.cover(ctx, h.Session, hit), nil
	}
	return answer{State: Covered, Text: "covered by " + a.By, Cover: a.By}, nil
}

// at is the node on top at a point of a target's viewport. The protocol counts from the corner of the document.
func at(ctx context.Context, s cdp.Session, p Point, v viewport) (cdp.BackendNodeID, error) {
	hit, err := cdp.Call(ctx, s, dom.GetNodeForLocation, dom.GetNodeForLocationParams{
		X: int64(math.Floor(p.X + v.x)), Y: int64(math.Floor(p.Y + v.y)),
	})
	if err != nil {
		return 0, fmt.Errorf("testing what is on top: %w", err)
	}
	return hit.BackendNodeID, nil
}

// cover describes a node that is on top of the element and lies in another document.
func (h *handle) cover(ctx context.Context, s cdp.Session, id cdp.BackendNodeID) answer {
	a := answer{State: Covered, Text: "covered by an element of another frame", Cover: "an element of another frame"}
	node, err := cdp.Call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil || node.Object == nil {
		return a
	}
	other := &handle{Element: Element{Session: s}, object: node.Object.ObjectID}
	defer other.release(ctx)
	if d, err := other.run(ctx, "describe", nil); err == nil {
		a.Text, a.Cover = "covered by "+d.By, d.By
	}
	return a
}

// unlessNothing drops the error that says that no node is at the place.
func unlessNothing(err error) error {
	var protocol *cdproto.Error
	if errors.As(err, &protocol) && strings.Contains(strings.ToLower(protocol.Message), "no node found at given location") {
		return nil
	}
	return err
}

// show scrolls the <iframe> element into view.
func (o Owner) show(ctx context.Context) error {
	_, err := cdp.Call(ctx, o.Session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: o.Backend})
	if err != nil {
		return fmt.Errorf("scrolling the frame into view: %w", err)
	}
	return nil
}

// surface follows the point out of the element's target through the frames around it, up to the tab. Every <iframe>
// element on the way must be on top at the point.
func (h *handle) surface(ctx context.Context, t mark) (mark, error) {
	p := t.at
	for i := len(h.Owners) - 1; i >= 0; i-- {
		o := h.Owners[i]
		box, err := cdp.Call(ctx, o.Session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: o.Backend})
		if err != nil {
			t.answer = answer{State: Hidden, Text: "the frame around it is not displayed"}
			return t, unlessNoBox(err)
		}
		outer, err := view(ctx, o.Session)
		if err != nil {
			return t, err
		}
		var drawn bool
		if p, drawn = outward(box.Model, p); !drawn {
			t.answer = answer{State: Hidden, Text: "the frame around it has no size"}
			return t, nil
		}
		if p.X < 0 || p.Y < 0 || p.X >= outer.w || p.Y >= outer.h {
			t.answer = answer{State: Offscreen, Text: "it lies outside the visible part of its frame"}
			return t, nil
		}
		hit, err := at(ctx, o.Session, p, outer)
		if err != nil {
			t.answer = answer{State: Covered, Text: "nothing can be hit at its place"}
			return t, unlessNothing(err)
		}
		if hit != o.Backend {
			t.answer = h.cover(ctx, o.Session, hit)
			return t, ctx.Err()
		}
	}
	t.top = p
	return t, nil
}

// outward maps a point of a frame's viewport to the viewport around it. The border box tells how the <iframe> element
// is turned and scaled, the content box where the frame begins in it.
func outward(m *dom.BoxModel, p Point) (Point, bool) {
	if m == nil || len(m.Border) != 8 || len(m.Content) != 8 || m.Width <= 0 || m.Height <= 0 {
		return Point{}, false
	}
	b, w, h := m.Border, float64(m.Width), float64(m.Height)
	return Point{
		m.Content[0] + p.X*(b[2]-b[0])/w + p.Y*(b[6]-b[0])/h,
		m.Content[1] + p.X*(b[3]-b[1])/w + p.Y*(b[7]-b[1])/h,
	}, true
}

// recheck is the last look past the edge that the script cannot see over, at the point itself.
func (h *handle) recheck(ctx context.Context, t mark) (answer, error) {
	if t.Edge {
		v, err := view(ctx, h.Session)
		if err != nil {
			return answer{}, err
		}
		if a, err := h.meets(ctx, t.Surface, t.at, v); err != nil || a.State != ready {
			return a, err
		}
	}
	if len(h.Owners) > 0 {
		again, err := h.surface(ctx, t)
		return again.answer, err
	}
	return answer{State: ready}, nil
}
