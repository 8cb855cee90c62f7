package replay

import (
	"context"
	"time"

	"retrace/replay/browser"
)

// A step ends with waits: for a frame in which the page could react, for the reply that nothing was set off. What comes after
// them needs a look at the page first, and that look can be taken meanwhile. It is only ever the first look: where it does not
// show what is waited for, the page is looked at again. A look that was taken while the page was still reacting may show
// what is about to be replaced: the check of an effect may use it, since what was seen once was there; the search for a target
// only when the document is known not to have changed since. One look may serve both.

// lookout is a look that was begun ahead of its use.
type lookout struct {
	page   *browser.Page
	cancel context.CancelFunc
	done   chan struct{}
	view   *view // nil when it failed
	still  bool  // nothing changed while it was taken, and until the action ended
	// checked is set once the check of an effect has had it.
	checked bool
}

// freshFor is how long a look may be used after it was taken.
const freshFor = 50 * time.Millisecond

// lookEarly begins a look, on a page that is known to be small: a large one is probed for what is asked next.
func (r *runner) lookEarly(ctx context.Context) {
	r.dropEarly()
	if !r.size.small(r.page, r.o.LargePage) || r.page.Loading() || r.o.Slow > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.o.Timeout)
	l := &lookout{page: r.page, cancel: cancel, done: make(chan struct{})}
	r.early = l
	go func() {
		defer close(l.done)
		defer cancel()
		l.view, _ = read(ctx, l.page) // an early look that fails is taken again in time
	}()
}

// meanwhile begins an early look for the search of the next target, and is told whether it may be used for it.
func (r *runner) meanwhile(ctx context.Context) (still func(bool)) {
	r.lookEarly(ctx)
	l := r.early
	return func(same bool) {
		if l != nil {
			l.still = same
		}
	}
}

// takeEarly gives the early look, when there is one and it still shows the page; else nil. A search wants one that is certain, and
// such a look is left to it by the check of an effect.
func (r *runner) takeEarly(ctx context.Context, certain bool) *view {
	l := r.early
	if l == nil {
		return nil
	}
	if certain && !l.still || !certain && l.checked {
		r.dropEarly()
		return nil
	}
	if certain || !l.still {
		r.early = nil
	}
	l.checked = true
	select {
	case <-l.done:
	case <-ctx.Done():
		l.cancel()
		<-l.done
	}
	v := l.view
	if v == nil || r.strayed() != nil || certain && len(v.frames) > 1 || l.page != r.page || time.Since(v.at) > freshFor || v.docs != l.page.Documents() || v.url != l.page.URL() {
		return nil
	}
	r.size.read(v)
	return v
}

// dropEarly ends an early look that is of no use.
func (r *runner) dropEarly() {
	if l := r.early; l != nil {
		r.early = nil
		l.cancel()
		<-l.done
	}
}
