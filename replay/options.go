package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"retrace/replay/assert"
	"retrace/replay/auth"
	"retrace/replay/browser"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Options say how a trace is replayed. The zero value is usable: a browser found on this machine, headless, ten seconds a
// step, recorded effects verified.
type Options struct {
	// Chrome is the browser to start, Remote one to attach to (ws:// or http://); see package browser.
	Chrome, Remote string
	Headed         bool
	NoSandbox      bool
	// Dial connects to a browser in a way of its own, such as over a connection that is there already.
	Dial func(context.Context) (chromedp.Transport, error)
	// Pool lends the browser instead, for many runs side by side; the five fields above mean nothing then.
	Pool *browser.Pool
	// Slow is a pause after each step, for watching.
	Slow time.Duration
	// Timeout is the deadline of a step: that long for the target to be there and ready, and again for its effect to show.
	// Zero means DefaultTimeout.
	Timeout time.Duration
	// BaseURL replays on another origin what was recorded on the origin of the trace's start URL.
	BaseURL string
	Secrets Secrets
	// SecretOrigins are origins ("https://login.example") whose documents may be given secrets beside the one on which each
	// was recorded (with BaseURL: the one that stands for it).
	SecretOrigins []string
	// Files are the files for file inputs: name of the target or id of the step → path.
	Files map[string]string
	// Dialogs is how JavaScript dialogs are answered: "accept" (the default), "dismiss" or "fail".
	Dialogs string
	// Verify is "off", "effects" (the default: a recorded effect that is not seen fails the step) or "strict" (one that is
	// seen partly fails it too).
	Verify string
	// Match is how much the name of a target may have changed; empty means resolve.Strict.
	Match resolve.Mode
	// Propose collects corrections of recorded targets in [Result.Proposals]: of those that were found by weaker evidence,
	// and of the one that was not found, when [resolve.Tolerant] finds it. Nothing is acted on by it, so Match must be strict.
	Propose bool
	// Retries is how often a run that failed is repeated, each time in a fresh context. Failures that a repetition cannot
	// change are not repeated.
	Retries int
	// Assert are assertions about the pages of the run, beside what the recording shows; nil for none.
	Assert *assert.Set
	// Width and Height are the viewport in CSS pixels; 0 takes it from the recording.
	Width, Height int
	// Emulation is the environment that pages find. Its headers go to the origin at which the run starts, BaseURL considered;
	// HeaderOrigins is not looked at.
	Emulation browser.Emulation
	// Profile is a profile of Chrome of which every attempt gets a copy, instead of a fresh one; see [browser.FindProfile].
	Profile string
	// Auth is the saved state of a login that every attempt begins with; nil for none. BaseURL moves it as it moves the trace.
	Auth *auth.State
	// OnState is called at the end of a run that passed, with the cookies and the storage that it left: secrets.
	OnState func(*auth.State)
	// Config is the project file that settings came from, for the result; empty for none.
	Config string
	// Masked are further texts that must not appear in any result, beside the values of Secrets: those of headers, say.
	Masked []string
	// CPUThrottle slows the pages' processor down by this factor, for tests under stress; 0 and 1 leave it as it is.
	CPUThrottle float64
	// Stress are further conditions that make it harder for pages; Widen and Heighten are added to the recorded size of the
	// viewport, in CSS pixels.
	Stress          browser.Stress
	Widen, Heighten int
	// Diagnose has a run tell how long its pages were kept waiting for a processor; see [Course.Starved].
	Diagnose bool
	// Aftermath is how long the page is watched, untouched, after a step has failed: what was lacking may only be late; see
	// [Course.Late].
	Aftermath time.Duration
	// ReportDir receives screenshots and downloads; empty for none.
	ReportDir string
	// Screenshots is of what pictures are left in ReportDir: "failed" (the default: of the state at a failure, and of both sides
	// of a step that failed at the attempt before), "all" (before and after each step) or "off".
	Screenshots string
	// Permissions are granted to the pages; see [browser.PermissionNames]. The others are denied.
	Permissions []string
	// DownloadLimit is how many bytes all downloads of a run together may have. Zero means browser.DefaultDownloadLimit.
	DownloadLimit int64
	// AllowSchemes are URL schemes beside http and https that a trace may open and act on.
	AllowSchemes []string
	// AllowHosts and DenyHosts are patterns of hosts, BlockPrivate refuses addresses that are not public; see
	// [urlpolicy.Rules]. They hold for everything that the pages load too, so they need a browser that the replay starts.
	AllowHosts, DenyHosts []string
	BlockPrivate          bool
	// LargePage is the number of elements from which a page is probed for what the recording shows instead of being read
	// whole. Zero means DefaultLargePage.
	LargePage int
	// OnEvent is called for every event, from one goroutine at a time.
	OnEvent func(Event)
	// OnResolved is called before each action with the element that it is about to act on. Tests ask the page about it.
	OnResolved func(Resolved)
	// OnLinger is called when the last step is done and nothing is left but to watch whether the page keeps what it shows, which takes
	// a second and hardly any work; at the end of each attempt that comes so far.
	OnLinger func()
	// OnFailed is called when a step has failed, while its page is still open, with a debugger that stands before the step. The run
	// ends when it returns, whatever was done meanwhile.
	OnFailed func(context.Context, *Debugger)
	// OnDecided is called when the search for the target of a planned step has ended, with the page that was searched and the
	// element that was found, nil when none was. It is not called for pages that are too large to be read whole.
	OnDecided func(index int, page *axtree.Tree, target *axtree.Node)
	// Protocol is told of each message between the replay and the browser, from several goroutines.
	Protocol func(browser.Message)
	// Log receives details for debugging; nil discards them.
	Log *slog.Logger
}

// Resolved is an element that a step is about to act on.
type Resolved struct {
	Step int // the id of the recorded step
	Node *axtree.Node
	Tier resolve.Tier // how strong the agreement was
	Use  resolve.Use  // what the element is wanted for
	Tree *axtree.Tree // the page in which it was found; nil when the page is large and was only probed
}

// DefaultLargePage is the size of a page, in elements, from which probing it is faster than reading it.
const DefaultLargePage = 1500

// DefaultTimeout is the deadline of a step when the options name none.
const DefaultTimeout = 10 * time.Second

func (o Options) complete() (Options, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.LargePage == 0 {
		o.LargePage = DefaultLargePage
	}
	if o.Timeout < 0 {
		return o, errors.New("timeout is negative")
	}
	if o.Dialogs == "" {
		o.Dialogs = "accept"
	}
	if !slices.Contains([]string{"accept", "dismiss", "fail"}, o.Dialogs) {
		return o, fmt.Errorf("dialogs: %q is none of accept, dismiss, fail", o.Dialogs)
	}
	if o.Verify == "" {
		o.Verify = "effects"
	}
	if !slices.Contains([]string{"off", "effects", "strict"}, o.Verify) {
		return o, fmt.Errorf("verify: %q is none of off, effects, strict", o.Verify)
	}
	if o.Screenshots == "" {
		o.Screenshots = ShotsFailed
	}
	if !slices.Contains([]string{ShotsFailed, ShotsAll, ShotsOff}, o.Screenshots) {
		return o, fmt.Errorf("screenshots: %q is none of all, failed, off", o.Screenshots)
	}
	if o.Match == "" {
		o.Match = resolve.Strict
	}
	if o.Match != resolve.Strict && o.Match != resolve.Tolerant {
		return o, fmt.Errorf("match: %q is none of strict, tolerant", o.Match)
	}
	if o.Propose && o.Match != resolve.Strict {
		return o, errors.New("corrections are proposed for strict matching only")
	}
	if o.Retries < 0 {
		return o, errors.New("retries are negative")
	}
	if o.CPUThrottle != 0 && o.CPUThrottle < 1 {
		return o, errors.New("the processor cannot be made faster")
	}
	if o.Width != 0 || o.Height != 0 {
		if err := browser.CheckSize(o.Width, o.Height); err != nil {
			return o, fmt.Errorf("viewport: %w", err)
		}
	}
	if o.Profile != "" && o.remote() {
		return o, errors.New("a browser that runs already has its own profiles")
	}
	if err := o.Emulation.Check(); err != nil {
		return o, err
	}
	if o.DownloadLimit == 0 {
		o.DownloadLimit = browser.DefaultDownloadLimit
	}
	if o.DownloadLimit < 0 {
		return o, errors.New("the limit of downloads is negative")
	}
	for _, name := range o.Permissions {
		if err := browser.CheckPermission(name); err != nil {
			return o, err
		}
	}
	if err := checkOrigins(o.SecretOrigins); err != nil {
		return o, err
	}
	policy, err := o.policy()
	if err != nil {
		return o, err
	}
	if policy.Network() && o.remote() {
		return o, errors.New("rules about hosts cannot be enforced in a browser that runs already")
	}
	if policy.Network() && o.Profile != "" {
		return o, errors.New("rules about hosts and a copied profile exclude each other")
	}
	if policy.Network() && o.Emulation.Proxy != "" {
		return o, errors.New("rules about hosts cannot be enforced behind a proxy, which resolves the names itself")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnEvent == nil {
		o.OnEvent = func(Event) {}
	}
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return o, fmt.Errorf("base url %q is not an absolute url", o.BaseURL)
		}
	}
	return o, nil
}

// secret looks up the value for a step.
func (s Secrets) lookup(step *trace.Step) (string, bool) {
	if v, ok := s[strconv.Itoa(step.ID)]; ok {
		return v, true
	}
	if step.Target == nil || step.Target.Name == "" {
		return "", false
	}
	if v, ok := s[step.Target.Name]; ok {
		return v, true
	}
	v, ok := s[resolve.Normalise(step.Target.Name)]
	return v, ok
}

// mover gives a function that moves addresses of the origin of start to that of base; nil when there is nothing to move.
func mover(start, base string) func(string) string {
	if base == "" {
		return nil
	}
	to, err1 := url.Parse(base)
	from, err2 := url.Parse(start)
	if err1 != nil || err2 != nil || from.Host == "" {
		return nil
	}
	prefix := strings.TrimSuffix(to.Path, "/")
	return func(s string) string {
		u, err := url.Parse(s)
		if err != nil || !strings.EqualFold(u.Host, from.Host) || u.Scheme != from.Scheme {
			return s
		}
		u.Scheme, u.Host = to.Scheme, to.Host
		if prefix != "" {
			u.Path = prefix + u.Path
			u.RawPath = ""
		}
		return u.String()
	}
}

// rebase returns the trace with the origin of its start URL replaced by that of base in every recorded address.
func rebase(t *trace.Trace, base string) *trace.Trace {
	move := mover(t.StartURL, base)
	if move == nil {
		return t
	}
	out := *t
	out.StartURL = move(t.StartURL)
	moved := map[*trace.State]*trace.State{}
	out.States = make([]*trace.State, len(t.States))
	for i, s := range t.States {
		c := *s
		c.URL = move(s.URL)
		out.States[i], moved[s] = &c, &c
	}
	out.Steps = make([]*trace.Step, len(t.Steps))
	for i, s := range t.Steps {
		c := *s
		c.To = move(s.To)
		if m := moved[s.State]; m != nil {
			c.State = m
		}
		if m := moved[s.Result]; m != nil {
			c.Result = m
		}
		out.Steps[i] = &c
	}
	return &out
}
