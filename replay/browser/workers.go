package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// A worker of a page belongs to its tab and is always attached to, since it is paused and must be let go. One that several pages
// share belongs to the context, and is attached to only when the environment is emulated in a way that it has to be told.

// attachedWorker files a worker of the tab that Chrome has attached to and paused. It runs in the read loop.
func (p *Page) attachedWorker(ev *target.EventAttachedToTarget) {
	s := p.ctx.openWorker(ev)
	p.mu.Lock()
	p.workers[ev.SessionID] = s
	p.mu.Unlock()
	p.ctx.b.spawn(func() { p.ctx.prepareWorker(s) })
}

// attachedWorker files a service worker or shared worker that Chrome has attached to and paused. It runs in the read loop.
func (c *Context) attachedWorker(ev *target.EventAttachedToTarget) {
	s := c.openWorker(ev)
	c.mu.Lock()
	c.workers[ev.SessionID] = s
	c.mu.Unlock()
	c.b.spawn(func() { c.prepareWorker(s) })
}

// detachedWorker files the end of a worker's session, if the id is that of one. It runs in the read loop.
func (c *Context) detachedWorker(id target.SessionID) {
	c.mu.Lock()
	s := c.workers[id]
	delete(c.workers, id)
	c.mu.Unlock()
	if s != nil {
		c.b.conn.drop(s, ErrFrameDetached)
	}
}

func (c *Context) openWorker(ev *target.EventAttachedToTarget) *session {
	s := c.b.conn.open(ev.SessionID, "worker "+string(ev.TargetInfo.TargetID), nil)
	s.handle = func(method string, params jsonv2.Value) {
		if method == fetch.RequestPaused.Method {
			decode(c.b.log, method, params, func(ev *fetch.EventRequestPaused) { c.paused(s, ev) })
		}
	}
	return s
}

// prepareWorker tells a paused worker what it cannot know from its page, and lets it run. A command that this kind of worker
// does not know is left out.
func (c *Context) prepareWorker(s *session) {
	ctx := context.Background()
	for _, cmd := range c.opts.Emulation.everywhere() {
		if err := s.Call(ctx, cmd.method, cmd.params, nil); err != nil {
			c.b.log.Debug("preparing a worker", "error", err)
		}
	}
	if err := s.Call(ctx, runtime.CommandRunIfWaitingForDebugger, nil, nil); err != nil {
		c.b.log.Debug("preparing a worker", "error", err)
	}
}

// watchWorkers has the workers that pages share attached before they run.
func (b *Browser) watchWorkers(ctx context.Context) error {
	_, err := cdp.Call(ctx, b.root, target.SetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "page"}, {Type: "service_worker"}, {Type: "shared_worker"}, {Exclude: true}},
	})
	if err != nil {
		return fmt.Errorf("watching for workers: %w", err)
	}
	return nil
}
