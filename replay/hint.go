package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// hint says what to do about a failure: what the page tells, else what is known of failures of its kind.
func (r *runner) hint(ctx context.Context, it *plan.Intent, s *StepResult, f *Failure) {
	if f == nil {
		return
	}
	f.Evidence = append(f.Evidence, differs(f, s.Comparison)...)
	if !r.lookForHint(ctx, it, s, f) && f.Hint == "" {
		f.Hint = r.proposing(it, f)
	}
	if f.Hint == "" {
		f.Hint = advice[f.Code]
	}
}

// proposing speaks of corrections of the recording; empty when the failure is about something else.
func (r *runner) proposing(it *plan.Intent, f *Failure) string {
	switch {
	case f.Code != TargetMissing || it.Step == nil:
	case slices.ContainsFunc(r.res.Proposals, func(p Proposal) bool { return p.Step == it.Step.ID }):
		return "a correction of the recording is proposed"
	case !r.o.Propose:
		return "if the page was changed on purpose, --propose looks for a correction of the recording"
	}
	return ""
}

// lookForHint looks at the page for what to do, and reports whether it tells.
func (r *runner) lookForHint(ctx context.Context, it *plan.Intent, s *StepResult, f *Failure) bool {
	want := expected(it, f)
	if it.Step == nil {
		want = it.After
	}
	if want == nil || it.Optional || r.page == nil || ctx.Err() != nil {
		return false
	}
	switch f.Code {
	case PageMismatch, EffectNotSeen, ValueRejected, TargetCovered, TargetAmbiguous, TargetMissing:
	default:
		return false
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if f.Code == PageMismatch || f.Code == TargetMissing {
		if status := r.status(short); status >= 400 {
			f.Hint = fmt.Sprintf("the server answered the address of the page with status %d: see whether the address is right (--base-url) and the site complete and running", status)
			return true
		}
	}
	v, err := r.look(short)
	if err != nil || v.tree == nil {
		return false
	}
	hint := ""
	if f.Code == PageMismatch {
		hint = pageHint(r.trace, want, v.tree, v.url, v.title)
	} else {
		c := clues{want: want.Tree, live: v.tree, step: s, still: r.acted != nil && r.acted.tree != nil && r.acted.fingerprint() == v.fingerprint()}
		if it.Before != nil {
			c.before = it.Before.Tree
		}
		if it.Step != nil && it.Step.Target != nil && inPlace(it, f, s.Comparison) == "" {
			c.target = want.Tree.ByRef(it.Step.Target.Ref)
		}
		hint = c.hint(f)
	}
	if hint != "" {
		f.Hint = r.hide(hint)
	}
	return hint != ""
}

// status is the HTTP status with which the page came; 0 when that is not known.
func (r *runner) status(ctx context.Context) int {
	world, err := r.page.World(ctx, r.page.MainFrame())
	if err != nil {
		return 0
	}
	const expression = "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0"
	res, err := cdp.Call(ctx, r.page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: world, ReturnByValue: new(true)})
	var n int
	if err != nil || res.Result == nil || json.Unmarshal(res.Result.Value, &n) != nil {
		return 0
	}
	return n
}

// errorWords are titles and headings of pages on which a server says that something went wrong.
var errorWords = regexp.MustCompile(`(?i)\b(?:40[0-9]|50[0-9]|not found|error|something went wrong|forbidden|access denied|unavailable|bad gateway)\b|错误|找不到|无法访问`)

// fewNodes bounds how much an error page shows. A page with more is one that speaks of errors.
const fewNodes = 40

// pageHint says what stands in the place of a recorded page, and what to do about it; empty when that is not known.
func pageHint(t *trace.Trace, want *trace.State, live *axtree.Tree, address, title string) string {
	if name, asks := login(want, live); asks {
		return fmt.Sprintf("the page asks for a login (%s): record the login too, or attach to a browser that is logged in with --remote", name)
	}
	if says := errorPage(live, title); says != "" {
		return fmt.Sprintf("the server answered with an error page (%s): see whether the site is complete and running", strconv.Quote(clip(says, 80)))
	}
	if h := otherState(t, want, verify.See(live, address, title)); h != "" {
		return h
	}
	a, err1 := url.Parse(want.URL)
	b, err2 := url.Parse(address)
	if err1 == nil && err2 == nil && a.Host != "" && b.Host != "" && !strings.EqualFold(a.Host, b.Host) {
		return fmt.Sprintf("the page is on %s, recorded on %s: --base-url replays on another origin", b.Host, a.Host)
	}
	return ""
}

// login reports whether the live page has a password field that the recorded one has not, and how it is called.
func login(want *trace.State, live *axtree.Tree) (string, bool) {
	for _, n := range live.Nodes {
		if n.Live == nil || n.Live.Type != "password" || n.Live.Hidden {
			continue
		}
		name := resolve.Normalise(n.Name)
		if !slices.ContainsFunc(want.Tree.Nodes, func(w *axtree.Node) bool { return resolve.Normalise(w.Name) == name && w.Ref != "" }) {
			return "field " + strconv.Quote(clip(name, 60)), true
		}
	}
	return "", false
}

// errorPage is what a page says that shows an error and little else.
func errorPage(live *axtree.Tree, title string) string {
	if len(live.Nodes) > fewNodes {
		return ""
	}
	for _, n := range live.Nodes {
		if n.Role == "heading" && errorWords.MatchString(n.Name) {
			return resolve.Normalise(n.Name)
		}
	}
	if errorWords.MatchString(title) {
		return title
	}
	return ""
}

// otherState recognises the page of another moment of the recording.
func otherState(t *trace.Trace, want *trace.State, live verify.Sight) string {
	var best *trace.State
	share := 0.9
	for _, s := range t.States {
		if s.ID == want.ID || len(s.Tree.Nodes) == 0 {
			continue
		}
		if a := verify.Agree(s, live); a.Address && a.Title && a.Share > share {
			best, share = s, a.Share
		}
	}
	if best == nil {
		return ""
	}
	for _, s := range t.Steps {
		switch {
		case s.Result != nil && s.Result.ID == want.ID && s.State != nil && s.State.ID == best.ID:
			return fmt.Sprintf("the page is still the one on which step %d was recorded: that step had no effect, or another one than recorded", s.ID)
		case s.State != nil && s.State.ID == want.ID && s.Result != nil && s.Result.ID == best.ID && best.ID != want.ID:
			return fmt.Sprintf("the page is already the one that step %d led to: its effect came without it", s.ID)
		}
	}
	return "the page is that of another moment of the recording (" + page(best.URL, best.Title) + "): a step before had another outcome"
}
