package replay

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// hint says what to do about a target that is not there, or about the page in place of the recorded one.
func (r *runner) hint(ctx context.Context, it *plan.Intent, f *Failure) {
	r.hintAt(ctx, it, f)
	if f != nil && f.Hint == "" {
		f.Hint = advice[f.Code]
	}
}

// hintAt looks at the page for what to do.
func (r *runner) hintAt(ctx context.Context, it *plan.Intent, f *Failure) {
	if f != nil && f.Code == TargetMissing && f.Hint == "" && it.Step != nil {
		proposed := slices.ContainsFunc(r.res.Proposals, func(p Proposal) bool { return p.Step == it.Step.ID })
		switch {
		case proposed:
			f.Hint = "a correction of the recording is proposed"
		case !r.o.Propose:
			f.Hint = "if the page was changed on purpose, --propose looks for a correction of the recording"
		}
	}
	want := it.Before
	if it.Step == nil || it.Kind == plan.Goto || it.Kind == plan.Await || it.Kind == plan.SwitchTab || it.Kind == plan.Reload || it.Kind == plan.Traverse {
		want = it.After
	}
	if f == nil || f.Code != PageMismatch || want == nil || r.page == nil || ctx.Err() != nil {
		return
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	v, err := r.look(short)
	if err != nil {
		return
	}
	if h := pageHint(r.trace, want, v.tree, v.url, v.title); h != "" {
		f.Hint = h
	}
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
