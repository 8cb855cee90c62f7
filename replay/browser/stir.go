package browser

import "context"

// Stirs counts what the browser has told of the tab unasked: navigations, documents, frames, dialogs, and, where the domain Network is
// enabled, the ends of requests. Its event of changed nodes in the accessibility tree comes with the focus only.
func (p *Page) Stirs() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stirs
}

// AwaitStir waits until [Page.Stirs] is more than since. It ends early, with an error, with ctx and with the tab.
func (p *Page) AwaitStir(ctx context.Context, since int64) error {
	return p.await(ctx, func() bool { return p.stirs > since })
}
