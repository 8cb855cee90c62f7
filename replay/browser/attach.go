package browser

import (
	"context"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// attached files a tab that Chrome has attached to and paused. It runs in the read loop, so that the session is known before
// its first event is read.
func (b *Browser) attached(ev *target.EventAttachedToTarget) {
	info := ev.TargetInfo
	if info == nil {
		return
	}
	b.mu.Lock()
	c := b.contexts[info.BrowserContextID]
	b.mu.Unlock()
	if c != nil && (info.Type == "service_worker" || info.Type == "shared_worker") {
		c.attachedWorker(ev)
		return
	}
	if c == nil || info.Type != "page" {
		// Somebody else's tab: let it run and leave it.
		s := b.conn.open(ev.SessionID, "foreign target", nil)
		b.spawn(func() {
			ctx := context.Background()
			s.Call(ctx, runtime.CommandRunIfWaitingForDebugger, nil, nil)
			b.root.Call(ctx, target.CommandDetachFromTarget, target.DetachFromTargetParams{SessionID: ev.SessionID}, nil)
			b.conn.drop(s, ErrPageClosed)
		})
		return
	}
	p := newPage(c, info.TargetID)
	p.s = b.conn.open(ev.SessionID, "page "+string(info.TargetID), nil)
	p.s.held = &c.held
	p.s.handle = func(method string, params jsonv2.Value) { p.handle(p.s, method, params) }
	c.add(p, info)
	b.spawn(func() {
		p.readyErr = p.prepare(context.Background(), p.s)
		close(p.ready)
		c.mu.Lock()
		c.notify()
		c.mu.Unlock()
	})
}

// add puts a new tab into its context.
func (c *Context) add(p *Page, info *target.Info) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened++
	p.number = c.opened
	if info.OpenerID != "" && info.CanAccessOpener {
		p.opener = c.targets[info.OpenerID]
	}
	ours := c.creating > 0 && info.OpenerID == ""
	if len(c.popupURLs) > 0 && !ours {
		p.expect = c.popupURLs[0]
		c.popupURLs = c.popupURLs[1:]
	}
	c.targets[p.id] = p
	c.pages = append(c.pages, p)
	c.notify()
}

func (c *Context) forget(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.targets, p.id)
	c.pages = slices.DeleteFunc(c.pages, func(q *Page) bool { return p == q })
	c.notify()
}

// detached files the end of a tab. It runs in the read loop.
func (b *Browser) detached(id target.SessionID) {
	b.mu.Lock()
	contexts := make([]*Context, 0, len(b.contexts))
	for _, c := range b.contexts {
		contexts = append(contexts, c)
	}
	b.mu.Unlock()
	for _, c := range contexts {
		c.detachedWorker(id)
		for _, p := range c.livePages() {
			if p.s.id == id {
				p.close(ErrPageClosed)
			}
		}
	}
}

// attachedFrame files an out-of-process frame that Chrome has attached to and paused. It runs in the read loop.
func (p *Page) attachedFrame(ev *target.EventAttachedToTarget) {
	info := ev.TargetInfo
	if info == nil {
		return
	}
	b := p.ctx.b
	if info.Type != "iframe" {
		p.attachedWorker(ev)
		return
	}
	s := b.conn.open(ev.SessionID, "frame "+string(info.TargetID), nil)
	ch := &child{s: s, frame: cdp.FrameID(info.TargetID), ready: make(chan struct{})}
	s.held = &p.ctx.held
	s.handle = func(method string, params jsonv2.Value) { p.handle(s, method, params) }
	p.mu.Lock()
	p.children[ev.SessionID] = ch
	p.layout++
	f := p.frame(ch.frame)
	f.s = s
	f.url = info.URL
	if info.ParentFrameID != "" {
		f.parent = info.ParentFrameID
	}
	p.notify()
	p.mu.Unlock()
	b.spawn(func() {
		defer close(ch.ready)
		if err := p.prepare(context.Background(), s); err != nil {
			b.log.Debug("preparing a frame", "error", err)
		}
	})
}

// detachedFrame files the end of an out-of-process frame's session: the frame is gone or has moved to another process.
func (p *Page) detachedFrame(id target.SessionID) {
	p.mu.Lock()
	ch, worker := p.children[id], p.workers[id]
	delete(p.children, id)
	delete(p.workers, id)
	if ch != nil {
		p.layout++
		for fid, f := range p.frames {
			if f.s == ch.s {
				p.dropFrame(fid)
			}
		}
		p.notify()
	}
	p.mu.Unlock()
	if ch != nil {
		p.ctx.b.conn.drop(ch.s, ErrFrameDetached)
	}
	if worker != nil {
		p.ctx.b.conn.drop(worker, ErrFrameDetached)
	}
}

// command is one command of a batch.
type command struct {
	method string
	params any
}

// prepare makes a paused target ready and lets it run. The commands are sent in one go and answered in order, so that it costs
// one round trip; domains that keep state about every node (DOM, CSS) stay off.
func (p *Page) prepare(ctx context.Context, s *session) error {
	cmds := []command{
		{page.CommandEnable, page.EnableParams{}},
		{page.CommandSetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true}},
		{inspector.CommandEnable, nil},
		{runtime.CommandEnable, nil},
		{cdplog.CommandEnable, nil},
		{accessibility.CommandEnable, nil},
		{emulation.CommandSetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}},
		{target.CommandSetAutoAttach, target.SetAutoAttachParams{
			AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true), Filter: p.ctx.opts.Emulation.kinds(),
		}},
	}
	for _, script := range p.ctx.opts.Scripts {
		cmds = append(cmds, command{page.CommandAddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: script, WorldName: worldName, RunImmediately: new(true),
		}})
	}
	cmds = append(cmds, p.ctx.opts.Emulation.documents()...)
	if s == p.s {
		cmds = append(cmds, command{emulation.CommandSetDeviceMetricsOverride, p.ctx.opts.metrics()})
	}
	if rate := p.ctx.opts.CPUThrottle; s == p.s && rate > 1 {
		cmds = append(cmds, command{emulation.CommandSetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate}})
	}
	cmds = append(cmds, p.ctx.opts.Stress.commands()...)
	if err := p.ctx.send(ctx, s, append(cmds, command{runtime.CommandRunIfWaitingForDebugger, nil})); err != nil {
		return err
	}
	if stress := p.ctx.opts.Stress; stress.Jitter > 0 {
		p.ctx.b.spawn(func() { stress.jitter(s, uint64(p.number)) })
	}
	return nil
}

// send sends commands in one go and waits for all replies.
func (c *Context) send(ctx context.Context, s *session, cmds []command) error {
	calls := make([]*pendingCall, 0, len(cmds))
	for _, cmd := range cmds {
		call, err := s.start(ctx, cmd.method, cmd.params)
		if err != nil {
			return fmt.Errorf("preparing %s: %w", s.name, err)
		}
		calls = append(calls, call)
	}
	for i, call := range calls {
		if err := call.wait(ctx, nil); err != nil && !twice(cmds[i].method, err) {
			return fmt.Errorf("preparing %s: %w", s.name, c.opts.Emulation.refused(cmds[i].method, err))
		}
	}
	return nil
}
