package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// Bounds of [Page.Settle].
const (
	// graceCap bounds the wait for a frame to be drawn, when the page is too busy or not drawn at all.
	graceCap = 250 * time.Millisecond
	// requestCap bounds the wait for a navigation that was asked for to start; it may have been dropped without a word.
	requestCap = time.Second
	// asideCap bounds the wait for what is not the top document: child frames and new tabs.
	asideCap = 3 * time.Second
)

// Mark is a point in the event stream of a tab.
type Mark struct {
	seq, documents, mainDocuments, within, fruitless int64
	refusals                                         int
	opened                                           int64
}

// SettleResult says what happened since a mark.
type SettleResult struct {
	// Navigated: the top frame has a new document. SameDocument: its address changed without one.
	Navigated, SameDocument bool
	// FrameNavigated: a frame below the top one has a new document.
	FrameNavigated bool
	// Fruitless: a navigation of the top frame ended without a document (a download, HTTP 204).
	Fruitless bool
	// Still: nothing in the top document changed while the frame was drawn, as far as that can be told from its DOM. It is false for
	// a document with shadow trees, which cannot be watched from it.
	Still bool
	// NewPages are the tabs that opened, prepared and ready for use.
	NewPages []*Page
}

// Mark is the point now. Take it before an input.
func (p *Page) Mark() Mark {
	p.ctx.mu.Lock()
	opened := p.ctx.opened
	p.ctx.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	return Mark{
		seq: p.nav.seq, documents: p.nav.documents, mainDocuments: p.nav.mainDocuments, within: p.nav.within,
		fruitless: p.nav.fruitless, refusals: p.refusals, opened: opened,
	}
}

// Loading says whether a navigation of the top frame is under way: asked for, or its document not loaded yet.
func (p *Page) Loading() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.nav.last[p.MainFrame()]
	return n != nil && !n.ended
}

// Settle waits for what an input has set off. Call it when the input has been answered. It gives the tab one drawn frame, in
// which a form's submission or a changed fragment shows; if by then a navigation has been asked for since the mark, it waits
// for its end: for the top document until it is parsed and up to three seconds more until it is loaded, for frames and new tabs
// three seconds at most. A navigation that takes the place of another is followed. What starts later belongs to later.
//
// The result is good also when the error is not nil: it says what was seen until then. A tab that closes in answer to the input
// gives ErrPageClosed.
func (p *Page) Settle(ctx context.Context, mark Mark) (SettleResult, error) {
	return p.SettleMeanwhile(ctx, mark, func() {})
}

// SettleMeanwhile is Settle with something to do while the frame is waited for. What is asked of the top document in it comes after
// the watch for changes has begun, which [SettleResult.Still] tells of.
func (p *Page) SettleMeanwhile(ctx context.Context, mark Mark, meanwhile func()) (SettleResult, error) {
	still, err := p.settle(ctx, mark, meanwhile)
	res := p.changes(mark)
	res.Still = still
	res.NewPages = p.settlePopups(ctx, mark)
	if err != nil {
		return res, fmt.Errorf("settling %s: %w", p.URL(), err)
	}
	return res, nil
}

func (p *Page) changes(mark Mark) SettleResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	return SettleResult{
		Navigated:      p.nav.mainDocuments > mark.mainDocuments,
		SameDocument:   p.nav.within > mark.within,
		FrameNavigated: p.nav.documents-p.nav.mainDocuments > mark.documents-mark.mainDocuments,
		Fruitless:      p.nav.fruitless > mark.fruitless,
	}
}

func (p *Page) settle(ctx context.Context, mark Mark, meanwhile func()) (still bool, err error) {
	still = p.drawn(ctx, meanwhile)
	p.mu.Lock()
	begun := p.nav.since(mark.seq)
	p.mu.Unlock()
	if len(begun) == 0 {
		return still, p.s.ended()
	}
	main := slices.IndexFunc(begun, func(n *navigation) bool { return n.frame == p.MainFrame() })
	if main >= 0 {
		if err := p.awaitNavigation(ctx, begun[main]); err != nil {
			return false, err
		}
		begun = slices.Delete(begun, main, main+1)
	}
	aside, cancel := context.WithTimeout(ctx, asideCap)
	defer cancel()
	for _, n := range begun {
		err := p.awaitNavigation(aside, n)
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
			return false, err
		}
	}
	return false, nil
}

// awaitNavigation waits until the navigation, or the one that took its place, is started, brings its document, and has it
// loaded.
func (p *Page) awaitNavigation(ctx context.Context, n *navigation) error {
	stage := func(limit time.Duration, done func(n *navigation) bool) (over bool, err error) {
		stageCtx, cancel := ctx, context.CancelFunc(func() {})
		if limit > 0 {
			stageCtx, cancel = context.WithTimeout(ctx, limit)
		}
		defer cancel()
		err = p.await(stageCtx, func() bool { l := n.latest(); return l.ended || done(l) })
		if err != nil && limit > 0 && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return true, nil
		}
		return false, err
	}
	if over, err := stage(requestCap, func(n *navigation) bool { return n.started }); over || err != nil {
		return err
	}
	if _, err := stage(0, func(n *navigation) bool { return n.committed && n.parsed }); err != nil {
		return err
	}
	_, err := stage(loadGrace, func(n *navigation) bool { return n.loaded })
	return err
}

// drawn waits until the tab has drawn a frame, in each of its processes: by then everything that the input's handlers have
// queued is under way and told. A process that draws nothing answers by a timer, one that is too busy is not waited for. still
// says that the top document stayed as it was.
func (p *Page) drawn(ctx context.Context, meanwhile func()) (still bool) {
	ctx, cancel := context.WithTimeout(ctx, graceCap)
	defer cancel()
	p.mu.Lock()
	sessions := []*session{p.s}
	for _, ch := range p.children {
		sessions = append(sessions, ch.s)
	}
	p.mu.Unlock()
	calls := make([]*pendingCall, 0, len(sessions))
	var top *pendingCall
	for _, s := range sessions {
		params := runtime.EvaluateParams{
			Expression:   drawnScript,
			AwaitPromise: new(true), ReturnByValue: new(true), Silent: new(true),
		}
		w, main, ok := p.anyWorld(s)
		if ok {
			params.ContextID = w.id // where the page's own timers, which it may have replaced, do not reach
		}
		if call, err := s.start(ctx, runtime.CommandEvaluate, params); err == nil {
			calls = append(calls, call)
			if main {
				top = call
			}
		}
	}
	meanwhile()
	for _, call := range calls {
		var res runtime.EvaluateResult
		// Whatever the answer, the moment has passed.
		if err := call.wait(ctx, &res); err == nil && call == top && res.ExceptionDetails == nil && res.Result != nil {
			still = string(res.Result.Value) == "true"
		}
	}
	return still
}

// drawnScript waits for a frame, 50 ms at most, and tells whether the document is certainly as it was before.
const drawnScript = `new Promise(done => {
	let changes = 0;
	const watch = new MutationObserver(() => { changes++; });
	watch.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
	const all = document.getElementsByTagName('*');
	const blind = all.length > 5000 || [...all].some(e => e.shadowRoot || e.localName.includes('-'));
	const end = () => {
		changes += watch.takeRecords().length;
		watch.disconnect();
		done(!blind && !changes);
	};
	requestAnimationFrame(() => setTimeout(end));
	setTimeout(end, 50);
})`

// anyWorld is a world of a session, that of the top document when it has it.
func (p *Page) anyWorld(s *session) (w world, main, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w, ok := p.worlds[cdp.FrameID(p.id)]; ok && w.s == s {
		return w, true, true
	}
	for _, w := range p.worlds {
		if w.s == s {
			return w, false, true
		}
	}
	return world{}, false, false
}

// settlePopups waits, for a short time, until the tabs that opened since the mark are ready and show what they were opened for.
func (p *Page) settlePopups(ctx context.Context, mark Mark) []*Page {
	fresh := p.ctx.since(mark.opened)
	if len(fresh) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, asideCap)
	defer cancel()
	var out []*Page
	for _, q := range fresh {
		select {
		case <-q.ready:
		case <-ctx.Done():
			continue
		}
		if q.readyErr != nil {
			continue
		}
		out = append(out, q)
		q.await(ctx, func() bool {
			n := q.nav.last[q.MainFrame()]
			if n == nil {
				return q.expect == "" || q.expect == "about:blank"
			}
			return n.ended || n.committed && n.parsed
		})
	}
	return out
}
