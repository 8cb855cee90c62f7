package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// view is the live page at one moment.
type view struct {
	page   *browser.Page
	frames []browser.Frame
	tree   *axtree.Tree // nil when the page is large and was only probed
	sight  verify.Sight
	probe  *verify.Probe // what was counted, when tree is nil
	beside string        // text of the row or list item around the found element, when tree is nil
	url    string
	title  string
	docs   int64
	at     time.Time // when it was read
}

// look reads the live page. A page that is just changing documents is read again until ctx ends.
func (r *runner) look(ctx context.Context) (*view, error) {
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		v, err := r.lookOnce(ctx)
		if err == nil {
			return v, nil
		}
		if fatal(err) || ctx.Err() != nil {
			return nil, err
		}
		r.o.Log.Debug("look again", "err", err)
		pause(ctx, wait)
	}
}

// lookUntil is look with a deadline of its own.
func (r *runner) lookUntil(ctx context.Context, until time.Time) (*view, error) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	return r.look(ctx)
}

func (r *runner) lookOnce(ctx context.Context) (*view, error) {
	if err := r.strayed(); err != nil {
		return nil, err
	}
	v, err := read(ctx, r.page)
	if err == nil {
		r.size.read(v)
	}
	return v, err
}

// read reads all of a page.
func read(ctx context.Context, p *browser.Page) (*view, error) {
	v := &view{page: p, docs: p.Documents()}
	var err error
	if v.frames, err = p.Frames(ctx); err != nil {
		return nil, fmt.Errorf("frames: %w", err)
	}
	in := make([]axtree.Frame, len(v.frames))
	for i, f := range v.frames {
		in[i] = axtree.Frame{ID: f.ID, Parent: f.Parent, Session: f.Session, Owner: f.Owner, URL: f.URL}
	}
	if v.tree, err = axtree.Capture(ctx, in); err != nil {
		return nil, err
	}
	if p.Documents() != v.docs {
		return nil, errors.New("the page changed while it was read")
	}
	v.url, v.title, v.at = p.URL(), v.tree.Title, time.Now()
	v.sight = verify.See(v.tree, v.url, v.title)
	return v, nil
}

// watched looks at the page again in the way in which like was seen: only sights of one kind can be compared.
func (r *runner) watched(ctx context.Context, until time.Time, like *view, it *plan.Intent, i int) (*view, error) {
	if like.tree != nil {
		return r.lookUntil(ctx, until)
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for {
		v, _, err := r.probe(ctx, resolve.Query{}, false, it.Before, it.After, r.ahead(i))
		if err == nil || fatal(err) || ctx.Err() != nil {
			return v, err
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// element is the handle with which a found node is acted on.
func (r *runner) element(ctx context.Context, v *view, n *axtree.Node) (act.Element, error) {
	e := act.Element{Page: v.page.Session(), Session: n.Live.Session, Backend: n.Live.Backend, Objects: r.held(n.Live.Session)}
	world, err := v.page.World(ctx, n.Live.Frame)
	if err != nil {
		return e, fmt.Errorf("world of frame %s: %w", n.Live.Frame, err)
	}
	e.World = world
	if l := n.Live; v.tree != nil && l.W > 0 && l.H > 0 {
		e.Seen = &act.Area{X: l.X, Y: l.Y, W: l.W, H: l.H}
		x, y := l.X+l.W/2-v.tree.ScrollX, l.Y+l.H/2-v.tree.ScrollY
		if w, h := r.viewport(); l.Frame == v.page.MainFrame() && x > 0 && y > 0 && x < float64(w) && y < float64(h) {
			e.Near = &act.Point{X: x, Y: y}
		}
	}
	byID := map[cdp.FrameID]browser.Frame{}
	for _, f := range v.frames {
		byID[f.ID] = f
	}
	for f := byID[n.Live.Frame]; f.Parent != ""; f = byID[f.Parent] {
		up, ok := byID[f.Parent]
		if !ok {
			break
		}
		if up.Session == f.Session {
			continue
		}
		w, err := v.page.World(ctx, up.ID)
		if err != nil {
			return e, fmt.Errorf("world of frame %s: %w", up.ID, err)
		}
		e.Owners = append([]act.Owner{{Session: up.Session, World: w, Backend: f.Owner}}, e.Owners...)
	}
	return e, nil
}

// held is the keeper of the objects that actions leave in a session.
func (r *runner) held(s cdp.Session) *act.Objects {
	if r.objects == nil {
		r.objects = map[cdp.Session]*act.Objects{}
	}
	if r.objects[s] == nil {
		r.objects[s] = new(act.Objects)
	}
	return r.objects[s]
}

// fatal reports whether an error means that the tab or the browser is gone, or is where it may not be, so that waiting is of no
// use.
func fatal(err error) bool {
	if f, ok := errors.AsType[*Failure](err); ok && f.Code == BlockedURL {
		return true
	}
	return errors.Is(err, browser.ErrPageCrashed) || errors.Is(err, browser.ErrPageClosed) || errors.Is(err, browser.ErrBrowserDied) || errors.Is(err, browser.ErrBrowserClosed)
}
