package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Default size of a tab's viewport in CSS pixels.
const (
	DefaultWidth  = 1280
	DefaultHeight = 720
)

// ContextOptions say how the tabs of a context behave.
type ContextOptions struct {
	// Width and Height are the viewport of every tab in CSS pixels; 0 means the default.
	Width, Height int
	// Dialogs is how JavaScript dialogs are answered; empty means accept.
	Dialogs DialogPolicy
	// CPUThrottle slows the processor of every tab down by this factor, for tests under stress; 0 and 1 do not.
	CPUThrottle float64
	// Scripts run in the isolated world of every new document, before the page's own scripts.
	Scripts []string
	// Emulation is the environment that the pages find.
	Emulation Emulation
	// Permissions are granted to every page; see [PermissionNames]. The others are denied.
	Permissions []string
	// Stress are further conditions that make it harder for pages.
	Stress Stress
	// DownloadName gives the name that is wanted for a download from the one that the page suggests; nil keeps that.
	DownloadName func(suggested string) string
	// DownloadDir is where downloads go; it must exist. Empty denies downloads.
	DownloadDir string
	// DownloadLimit is how many bytes all downloads of the context together may have; 0 means DefaultDownloadLimit. One that
	// would exceed it is cancelled, and nothing of it is kept.
	DownloadLimit int64
}

// Context is an isolated profile: its tabs share cookies and storage with each other and with nothing else.
type Context struct {
	b    *Browser
	id   cdp.BrowserContextID
	opts ContextOptions

	mu        sync.Mutex
	pages     []*Page                       // in the order in which they opened
	opened    int64                         // how many pages ever opened
	creating  int                           // NewPage calls under way
	popupURLs []string                      // URLs of window.open calls whose tabs have not come yet
	changed   chan struct{}                 // closed and replaced when a page opens, becomes ready or closes
	targets   map[target.ID]*Page           // every live page
	workers   map[target.SessionID]*session // those of several pages that had to be prepared
	dialogs   dialogLog
	downloads downloadLog
	console   lineLog
	requests  lineLog
	sent      requestLog

	held atomic.Bool

	closeOnce sync.Once
	closeErr  error
}

// NewContext makes a fresh context.
func (b *Browser) NewContext(ctx context.Context, opts ContextOptions) (*Context, error) {
	if opts.Width == 0 {
		opts.Width = DefaultWidth
	}
	if opts.Height == 0 {
		opts.Height = DefaultHeight
	}
	if opts.DownloadLimit == 0 {
		opts.DownloadLimit = DefaultDownloadLimit
	}
	if opts.Dialogs == "" {
		opts.Dialogs = DialogAccept
	}
	if err := opts.Dialogs.valid(); err != nil {
		return nil, err
	}
	if err := opts.Stress.check(); err != nil {
		return nil, err
	}
	if opts.Emulation.workers() {
		if err := b.watchWorkers(ctx); err != nil {
			return nil, err
		}
	}
	id, err := b.contextID(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("making a browser context: %w", err)
	}
	c := &Context{
		b: b, id: id, opts: opts,
		changed: make(chan struct{}), targets: make(map[target.ID]*Page), workers: make(map[target.SessionID]*session),
	}
	b.mu.Lock()
	b.contexts[c.id] = c
	b.mu.Unlock()
	behavior := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.id, EventsEnabled: new(true),
	}
	if opts.DownloadDir != "" {
		// Named by us: what a page suggests never reaches the file system unchecked.
		behavior.Behavior = cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName
		behavior.DownloadPath = opts.DownloadDir
	}
	if _, err := cdp.Call(ctx, b.root, cdpbrowser.SetDownloadBehavior, behavior); err != nil {
		c.Close()
		return nil, fmt.Errorf("setting the download behaviour: %w", err)
	}
	if err := c.permit(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// contextID makes a context, or gives the default one when that holds the copy of a profile.
func (b *Browser) contextID(ctx context.Context, opts ContextOptions) (cdp.BrowserContextID, error) {
	if !b.profile {
		p := target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
		if opts.Emulation.Proxy != "" {
			p.ProxyServer, p.ProxyBypassList = opts.Emulation.Proxy, "<-loopback>"
		}
		res, err := cdp.Call(ctx, b.root, target.CreateBrowserContext, p)
		return res.BrowserContextID, err
	}
	if opts.Emulation.Proxy != b.proxy {
		return "", errors.New("the proxy of a profile is that with which its browser was started")
	}
	res, err := cdp.Call(ctx, b.root, target.GetBrowserContexts, cdp.Empty{})
	if err == nil && res.DefaultBrowserContextID == "" {
		err = errors.New("the browser does not tell its default context")
	}
	return res.DefaultBrowserContextID, err
}

// Close closes every tab of the context without asking the pages, and forgets its cookies and storage. It is safe to call
// again, and after the browser has ended.
func (c *Context) Close() error {
	c.closeOnce.Do(func() {
		c.b.mu.Lock()
		delete(c.b.contexts, c.id)
		c.b.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), disposeDeadline)
		defer cancel()
		c.closeErr = c.dispose(ctx)
		if c.closeErr != nil && ctx.Err() != nil {
			c.b.mu.Lock()
			c.b.mute = true
			c.b.mu.Unlock()
		}
	})
	return c.closeErr
}

func (c *Context) dispose(ctx context.Context) error {
	if c.b.conn.reason() != nil {
		return nil
	}
	if c.b.profile { // the default context lives as long as the browser
		return c.closeTabs(ctx)
	}
	_, err := cdp.Call(ctx, c.b.root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: c.id})
	if err != nil && c.b.conn.reason() == nil {
		return fmt.Errorf("disposing of a browser context: %w", err)
	}
	for _, p := range c.livePages() {
		p.close(ErrPageClosed)
	}
	c.mu.Lock()
	workers := slices.Collect(maps.Keys(c.workers))
	c.mu.Unlock()
	for _, id := range workers {
		c.detachedWorker(id)
	}
	return nil
}

// closeTabs closes the tabs side by side.
func (c *Context) closeTabs(ctx context.Context) error {
	pages := c.livePages()
	calls := make([]*pendingCall, len(pages))
	for i, p := range pages {
		var err error
		if calls[i], err = c.b.root.start(ctx, target.CommandCloseTarget, target.CloseTargetParams{TargetID: p.id}); err != nil {
			return fmt.Errorf("closing a tab: %w", err)
		}
	}
	var errs []error
	for i, p := range pages {
		if err := calls[i].wait(ctx, nil); err != nil && ctx.Err() != nil {
			errs = append(errs, fmt.Errorf("closing a tab: %w", err))
		}
		p.close(ErrPageClosed)
	}
	return errors.Join(errs...)
}

func (c *Context) livePages() []*Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.pages)
}

// NewPage opens a tab with about:blank, ready for use.
func (c *Context) NewPage(ctx context.Context) (*Page, error) {
	c.mu.Lock()
	c.creating++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.creating--
		c.mu.Unlock()
	}()
	res, err := cdp.Call(ctx, c.b.root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: c.id})
	if err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	for {
		c.mu.Lock()
		p, changed := c.targets[res.TargetID], c.changed
		c.mu.Unlock()
		if p != nil {
			select {
			case <-p.ready:
				if p.readyErr != nil {
					return nil, fmt.Errorf("opening a tab: %w", p.readyErr)
				}
				return p, nil
			case <-ctx.Done():
				return nil, fmt.Errorf("opening a tab: %w", ctx.Err())
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("opening a tab: %w", ctx.Err())
		case <-c.b.conn.dead:
			return nil, fmt.Errorf("opening a tab: %w", c.b.conn.reason())
		}
	}
}

// Pages are the open tabs that are ready for use, in the order in which they opened. Popups are among them, whether or not
// they can reach their opener. A crashed tab stays until it is closed.
func (c *Context) Pages() []*Page {
	return slices.DeleteFunc(c.livePages(), func(p *Page) bool { return !isClosed(p.ready) || p.readyErr != nil })
}

// notify wakes those who wait for a change of the tabs. Call it with c.mu held.
func (c *Context) notify() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// since are the tabs, ready or not, that opened after the count.
func (c *Context) since(opened int64) []*Page {
	return slices.DeleteFunc(c.livePages(), func(p *Page) bool { return p.number <= opened })
}

// TakeConsole returns the error lines and uncaught exceptions of all tabs since the last call: at most 50, clipped, and a last
// line that counts the rest.
func (c *Context) TakeConsole() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.console.take()
}

// TakeFailedRequests returns the requests of all tabs that failed since the last call, as Chrome reports them ("Failed to load
// resource: …" and the URL): at most 50, clipped, and a last line that counts the rest.
func (c *Context) TakeFailedRequests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests.take()
}

// TakeDialogs returns the dialogs that were answered since the last call, oldest first.
func (c *Context) TakeDialogs() []Dialog {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialogs.take()
}

// UnexpectedDialog is the first dialog that came under [DialogFail]; nil when none did.
func (c *Context) UnexpectedDialog() *Dialog {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialogs.unexpected
}
