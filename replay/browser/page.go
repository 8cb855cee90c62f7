package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// Page is a tab.
type Page struct {
	ctx    *Context
	id     target.ID
	s      *session
	opener *Page
	number int64  // from 1, in the order in which the context's tabs opened
	expect string // URL that the opener asked for; empty when it is about:blank or unknown

	ready    chan struct{} // closed when the tab is prepared, or cannot be
	readyErr error         // valid after ready closes

	activity activity // guarded by the lock of the context

	blank atomic.Bool // every document is answered with an empty one

	closed, crashed chan struct{}
	closeOnce       sync.Once
	crashOnce       sync.Once

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at each navigation event
	stirs    int64         // how often changed was renewed
	url      string
	nav      navigations
	frames   map[cdp.FrameID]*frame
	children map[target.SessionID]*child
	workers  map[target.SessionID]*session // those that had to be prepared
	attached int                           // how many frames were ever seen
	layout   int64                         // counts the events that change which frames there are, or what they show
	listed   []Frame                       // the frames as of listedAt; nil when they are to be asked for
	listedAt int64
	worlds   map[cdp.FrameID]world
	refusals int // beforeunload dialogs that we dismissed
}

// child is the session of an out-of-process frame.
type child struct {
	s     *session
	frame cdp.FrameID
	ready chan struct{}
}

func newPage(c *Context, id target.ID) *Page {
	return &Page{
		ctx: c, id: id,
		ready: make(chan struct{}), closed: make(chan struct{}), crashed: make(chan struct{}),
		changed: make(chan struct{}), url: "about:blank",
		nav:      navigations{main: cdp.FrameID(id)},
		frames:   make(map[cdp.FrameID]*frame),
		children: make(map[target.SessionID]*child),
		workers:  make(map[target.SessionID]*session),
		worlds:   make(map[cdp.FrameID]world),
	}
}

// Session is the line to the tab's main target: commands on it concern the top document and the frames in its process. Its
// calls end early with ErrPageClosed, ErrPageCrashed or ErrBrowserDied.
func (p *Page) Session() cdp.Session { return p.s }

// ID is Chrome's id of the tab, which is also the id of its top frame.
func (p *Page) ID() string { return string(p.id) }

// MainFrame is the id of the top frame.
func (p *Page) MainFrame() cdp.FrameID { return cdp.FrameID(p.id) }

// Context is the context that the tab belongs to.
func (p *Page) Context() *Context { return p.ctx }

// URL is the address of the top document with its fragment, as the last navigation event told, navigations within the document
// included.
func (p *Page) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.url
}

// Opener is the tab that opened this one and that its scripts can reach; nil for a tab that we opened and for a popup without
// an opener.
func (p *Page) Opener() *Page { return p.opener }

// Closed closes when the tab is gone.
func (p *Page) Closed() <-chan struct{} { return p.closed }

// Crashed closes when the renderer of the top document has crashed.
func (p *Page) Crashed() <-chan struct{} { return p.crashed }

// Documents counts the documents that any frame of the tab has committed. Ids of nodes and worlds that were read at a lower
// count may be stale.
func (p *Page) Documents() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nav.documents
}

// Title is the title of the top document.
func (p *Page) Title(ctx context.Context) (string, error) {
	var title string
	if err := p.evaluate(ctx, p.MainFrame(), "document.title", &title); err != nil {
		return "", fmt.Errorf("reading the title of %s: %w", p.URL(), err)
	}
	return title, nil
}

// evaluate runs an expression in the frame's isolated world. A document that is replaced meanwhile is tried once more.
func (p *Page) evaluate(ctx context.Context, id cdp.FrameID, expression string, result any) error {
	for try := 0; ; try++ {
		w, err := p.world(ctx, id)
		if err != nil {
			return err
		}
		res, err := cdp.Call(ctx, w.s, runtime.Evaluate, runtime.EvaluateParams{
			Expression: expression, ContextID: w.id, ReturnByValue: new(true), AwaitPromise: new(true),
		})
		switch {
		case err != nil && try == 0 && ctx.Err() == nil && w.s.ended() == nil:
			p.forgetWorld(id, w)
			continue
		case err != nil:
			return err
		case res.ExceptionDetails != nil:
			return errors.New(exceptionText(res.ExceptionDetails))
		case result == nil || res.Result == nil || len(res.Result.Value) == 0:
			return nil
		}
		return jsonv2.Unmarshal(res.Result.Value, result)
	}
}

// Screenshot is a picture of the viewport. format is "png", "jpeg" or "webp" (empty means png); quality, from 0 to 100, counts
// for the lossy ones.
func (p *Page) Screenshot(ctx context.Context, format string, quality int) ([]byte, error) {
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormat(format), OptimizeForSpeed: new(true)}
	if format == "jpeg" || format == "webp" {
		params.Quality = new(int64(quality))
	}
	res, err := cdp.Call(ctx, p.s, page.CaptureScreenshot, params)
	if err != nil {
		return nil, fmt.Errorf("taking a screenshot of %s: %w", p.URL(), err)
	}
	return res.Data, nil
}

// Close closes the tab without asking the page.
func (p *Page) Close(ctx context.Context) error {
	if isClosed(p.closed) {
		return nil
	}
	if _, err := cdp.Call(ctx, p.ctx.b.root, target.CloseTarget, target.CloseTargetParams{TargetID: p.id}); err != nil {
		return fmt.Errorf("closing the tab %s: %w", p.URL(), err)
	}
	select {
	case <-p.closed:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("closing the tab %s: %w", p.URL(), ctx.Err())
	}
}

// close ends the tab and the sessions of its frames, and takes it out of its context.
func (p *Page) close(err error) {
	p.closeOnce.Do(func() {
		p.mu.Lock()
		children, workers := p.children, p.workers
		p.children, p.workers = map[target.SessionID]*child{}, map[target.SessionID]*session{}
		p.notify()
		p.mu.Unlock()
		for _, s := range workers {
			p.ctx.b.conn.drop(s, err)
		}
		for _, ch := range children {
			p.ctx.b.conn.drop(ch.s, err)
		}
		p.ctx.b.conn.drop(p.s, err)
		p.ctx.forget(p)
		close(p.closed)
	})
}

// crash ends the sessions of the tab but leaves it in its context: it is still there, only dead.
func (p *Page) crash() {
	p.crashOnce.Do(func() {
		p.mu.Lock()
		p.notify()
		p.mu.Unlock()
		p.s.end(ErrPageCrashed)
		close(p.crashed)
	})
}

// notify wakes those who wait for an event. Call it with p.mu held.
func (p *Page) notify() {
	p.stirs++
	close(p.changed)
	p.changed = make(chan struct{})
}

// await waits until cond, called with p.mu held, is true. It ends early with ctx and with the tab.
func (p *Page) await(ctx context.Context, cond func() bool) error {
	for {
		p.mu.Lock()
		ok, changed := cond(), p.changed
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-p.s.done:
			return p.s.ended()
		}
	}
}
