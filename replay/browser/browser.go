package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Bounds of an orderly end.
const (
	closeDeadline   = 5 * time.Second // after it Chrome is killed
	disposeDeadline = 2 * time.Second // of a context
	muteDeadline    = time.Second     // instead of closeDeadline when Chrome did not answer before
)

// Options say which browser to use and how.
type Options struct {
	// Path is the browser to start; see [Find] for what an empty one means.
	Path string
	// Remote is the ws:// or http:// address of a browser that runs already; it is attached to and left running. Path, Headed
	// and NoSandbox mean nothing then.
	Remote string
	// Dial, when set, connects to a browser in a way of its own; it is then as one at Remote.
	Dial func(context.Context) (chromedp.Transport, error)
	// Headed shows the browser's window.
	Headed bool
	// NoSandbox starts Chrome without its sandbox. As root that happens anyway, since Chrome does not start otherwise.
	NoSandbox bool
	// Profile is a profile of Chrome, of which a copy is used: the contexts of the browser are then that one profile, and not
	// isolated from each other. See [FindProfile].
	Profile string
	// Proxy is the proxy of a browser with a Profile; without one, each context has its own.
	Proxy string
	// ProxiedOnly keeps pages from sending what no proxy sees: WebRTC connections to hosts directly.
	ProxiedOnly bool
	// Protocol is told of each message of the protocol, from several goroutines; nil for nobody.
	Protocol func(Message)
	// Log receives what happens, protocol messages at a level below debug; nil discards it.
	Log *slog.Logger
}

// Browser is one Chrome, started by us or attached to. Its methods may be called from several goroutines.
type Browser struct {
	conn *conn
	root *session
	proc *process // nil when attached
	temp tempDir  // of proc
	log  *slog.Logger

	version string
	notes   []string
	profile bool   // the default context is used, which holds a copy of a profile
	proxy   string // of that context

	died chan struct{}
	work sync.WaitGroup // goroutines that the read loop hands work to

	mu       sync.Mutex
	err      error // why it died; set before died closes
	closing  bool
	mute     bool // it left an order to dispose of a context unanswered
	contexts map[cdp.BrowserContextID]*Context

	closeOnce sync.Once
	closeErr  error
}

// Launch starts a browser, or attaches to the one at opts.Remote or behind opts.Dial, and waits for its first reply. ctx bounds
// only that. The error is a [*NotFoundError] when there is no browser, and holds what Chrome printed when it does not come up.
func Launch(ctx context.Context, opts Options) (*Browser, error) {
	log := opts.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &Browser{log: log, died: make(chan struct{}), contexts: make(map[cdp.BrowserContextID]*Context)}
	var transport chromedp.Transport
	var err error
	switch {
	case opts.Dial != nil:
		transport, err = opts.Dial(ctx)
	case opts.Remote != "":
		transport, err = dialRemote(ctx, opts.Remote)
	default:
		transport, err = b.startChrome(ctx, opts)
	}
	if err != nil {
		return nil, err
	}
	b.conn = newConn(transport, log)
	b.conn.watch = opts.Protocol
	b.root = b.conn.open("", "browser", b.handle)
	go b.conn.read()
	go b.conn.write()
	go b.watch()
	if err := b.greet(ctx); err != nil {
		err = b.startError(err)
		b.Close()
		return nil, err
	}
	return b, nil
}

// startChrome starts the process.
func (b *Browser) startChrome(ctx context.Context, opts Options) (chromedp.Transport, error) {
	found, err := Find(opts.Path)
	if err != nil {
		return nil, err
	}
	noSandbox := opts.NoSandbox
	switch {
	case root():
		noSandbox = true
		b.notes = append(b.notes, "running as root: Chrome's sandbox is off (--no-sandbox)")
	case noSandbox:
		b.notes = append(b.notes, "Chrome's sandbox is off (--no-sandbox)")
	}
	parent := tempParent(os.TempDir())
	if parent != os.TempDir() {
		b.notes = append(b.notes, fmt.Sprintf("the path of the temporary directory is too long for Chrome's sockets (TMPDIR=%s): %s is used", os.TempDir(), parent))
	}
	removeOrphans(parent)
	if b.temp, err = newTempDir(parent); err != nil {
		return nil, err
	}
	b.log.Debug("starting the browser", "path", found.Path, "how", found.How, "profile", b.temp.profile())
	if opts.Profile != "" {
		notes, err := copyProfile(ctx, opts.Profile, b.temp.profile())
		if err != nil {
			return nil, errors.Join(err, b.temp.remove(context.Background()))
		}
		b.notes = append(b.notes, notes...)
		b.profile, b.proxy = true, opts.Proxy
	}
	args := commandLine(b.temp.profile(), opts, noSandbox)
	proc, transport, err := startProcess(found.Path, args, b.temp.env(os.Environ()))
	if err != nil {
		b.temp.remove(context.Background())
		return nil, err
	}
	b.proc = proc
	return transport, nil
}

// greet asks for the version and has every new tab attached before it runs.
func (b *Browser) greet(ctx context.Context) error {
	v, err := cdp.Call(ctx, b.root, cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	b.version = v.Product
	_, err = cdp.Call(ctx, b.root, target.SetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true), Filter: onlyType("page"),
	})
	return err
}

// onlyType is a filter that lets one type of target through.
func onlyType(typ string) target.Filter {
	return target.Filter{{Type: typ}, {Exclude: true}}
}

// startError adds what a Chrome that did not come up printed.
func (b *Browser) startError(err error) error {
	if b.proc == nil {
		return fmt.Errorf("attaching to the browser: %w", err)
	}
	if errors.Is(err, ErrBrowserDied) {
		select {
		case <-b.proc.exited:
			return fmt.Errorf("starting %s: %w: %s", b.proc.cmd.Path, ErrBrowserDied, b.proc.reason())
		case <-time.After(closeDeadline):
		}
	}
	if out := b.proc.output.String(); out != "" {
		return fmt.Errorf("starting %s: %w; it printed: %s", b.proc.cmd.Path, err, out)
	}
	return fmt.Errorf("starting %s: %w", b.proc.cmd.Path, err)
}

// watch notices the end of the connection or of the process, whichever comes first.
func (b *Browser) watch() {
	var exited <-chan struct{}
	if b.proc != nil {
		exited = b.proc.exited
	}
	select {
	case <-b.conn.dead:
		if exited != nil {
			select { // the exit status says more than the closed pipe
			case <-exited:
			case <-time.After(200 * time.Millisecond):
			}
		}
	case <-exited:
	}
	b.mu.Lock()
	switch {
	case b.closing:
		b.err = ErrBrowserClosed
	case exited != nil && isClosed(exited):
		b.err = fmt.Errorf("%w: %s", ErrBrowserDied, b.proc.reason())
	default:
		b.err = b.conn.reason()
	}
	err := b.err
	b.mu.Unlock()
	b.conn.fail(err)
	close(b.died)
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// Close ends the browser and everything it started, and removes its temporary directory. An attached browser is only left: its
// contexts that we made are disposed of. It takes at most about seven seconds, and is safe to call again; every call returns
// the same error.
func (b *Browser) Close() error {
	b.closeOnce.Do(func() { b.closeErr = b.close() })
	return b.closeErr
}

func (b *Browser) close() error {
	b.mu.Lock()
	b.closing = true
	contexts := b.contexts
	b.contexts = map[cdp.BrowserContextID]*Context{}
	limit := closeDeadline
	if b.mute {
		limit = muteDeadline
	}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var err error
	if b.proc == nil {
		for _, c := range contexts {
			err = errors.Join(err, c.dispose(ctx))
		}
		b.conn.transport.Close()
	} else {
		err = b.stop(ctx)
	}
	<-b.died
	b.conn.transport.Close()
	<-b.conn.reader
	<-b.conn.writer
	b.work.Wait()
	return err
}

// stop ends the process: in order while ctx lives, then by force.
func (b *Browser) stop(ctx context.Context) error {
	// The reply may be lost in the shutdown that it announces; the exit is what counts.
	b.root.Call(ctx, cdpbrowser.CommandClose, nil, nil)
	select {
	case <-b.proc.exited:
	case <-ctx.Done():
		b.log.Warn("the browser did not close in time and is killed")
		if err := b.proc.kill(); err != nil {
			return fmt.Errorf("killing the browser: %w", err)
		}
		<-b.proc.exited
	}
	sweep, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	b.proc.sweep(sweep)
	return b.temp.remove(sweep)
}

// Version is the browser's name and version, such as "Chrome/156.0.8078.108".
func (b *Browser) Version() string { return b.version }

// Notes are things about the browser that its user should know, a sentence each.
func (b *Browser) Notes() []string { return b.notes }

// PID is the process id of a browser that we started, else 0.
func (b *Browser) PID() int {
	if b.proc == nil {
		return 0
	}
	return b.proc.cmd.Process.Pid
}

// Died closes when the browser has ended, for whatever reason.
func (b *Browser) Died() <-chan struct{} { return b.died }

// Err is why the browser ended: ErrBrowserClosed after [Browser.Close], else an error that wraps ErrBrowserDied with the exit
// status and the last output. It is nil while the browser lives.
func (b *Browser) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// handle files the events of the browser itself. It runs in the read loop.
func (b *Browser) handle(method string, params jsonv2.Value) {
	switch method {
	case target.AttachedToTarget.Method:
		decode(b.log, method, params, b.attached)
	case target.DetachedFromTarget.Method:
		decode(b.log, method, params, func(ev *target.EventDetachedFromTarget) { b.detached(ev.SessionID) })
	case cdpbrowser.DownloadWillBegin.Method:
		decode(b.log, method, params, b.downloadWillBegin)
	case cdpbrowser.DownloadProgress.Method:
		decode(b.log, method, params, b.downloadProgress)
	}
}

// decode hands a typed event on; one that does not decode is logged and dropped.
func decode[E any](log *slog.Logger, method string, params jsonv2.Value, f func(*E)) {
	ev := new(E)
	if err := jsonv2.Unmarshal(params, ev, chromedp.DefaultUnmarshalOptions); err != nil {
		log.Warn("unreadable event from the browser", "method", method, "error", err)
		return
	}
	f(ev)
}

// spawn runs f outside the read loop; Close waits for it.
func (b *Browser) spawn(f func()) { b.work.Go(f) }
