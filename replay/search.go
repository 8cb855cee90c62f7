package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/act"
	"retrace/replay/plan"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// search brings a target to light that is not there yet: it opens the menu that holds it, or scrolls to where it is. It
// points and scrolls, and clicks only on a closed list, menu or text field that the plan names, so that nothing is switched or
// sent on the way.
type search struct {
	r       *runner
	it      *plan.Intent
	q       resolve.Query
	began   time.Time
	tried   map[string]bool
	last    time.Time // when something was tried last
	scrolls int
	over    bool   // the scrolling has come to its end
	waited  bool   // the page had time of its own to open what the recorded hover opens
	opened  bool   // the opener was clicked, or cannot be
	all     bool   // everything that may open a menu was pointed at
	unsure  string // why the target cannot be told although one shows now
	// old are the nodes that the page had when the opener was clicked; nil when it was not.
	old map[cdp.BackendNodeID]bool
}

func newSearch(r *runner, it *plan.Intent, q resolve.Query) *search {
	return &search{r: r, it: it, q: q, began: time.Now(), tried: map[string]bool{}}
}

// Times of the search.
const (
	beforeHover  = 250 * time.Millisecond  // a target may come by itself within this time
	betweenHover = 400 * time.Millisecond  // a menu opens within this time
	beforeOpen   = 700 * time.Millisecond  // a menu opens by the recorded hover within this time
	pageOpens    = 500 * time.Millisecond  // and within this time of the page's own clock
	beforeScroll = 1200 * time.Millisecond // after this the page is scrolled
	betweenMoves = 70 * time.Millisecond   // a list draws its next rows within this time
	maxScrolls   = 400
)

// help tries the next thing that may bring the target to light.
func (s *search) help(ctx context.Context, v *view, res *StepResult) {
	if s.it.Optional || s.unsure != "" || time.Since(s.began) < beforeHover {
		return
	}
	if s.it.Opener != nil && !s.opened && time.Since(s.began) > beforeOpen {
		if !s.waited {
			s.waited = s.pageTime(ctx, v, pageOpens) == nil // else it is looked at again first
			return
		}
		s.opened = true
		if s.open(ctx, v, res) {
			s.last = time.Now()
			return
		}
	}
	if time.Since(s.last) > betweenHover && s.point(ctx, v, res) {
		s.last = time.Now()
		return
	}
	if time.Since(s.began) > beforeScroll && time.Since(s.last) > betweenMoves && !s.over && s.scrolls < maxScrolls {
		s.last = time.Now()
		s.scrolls++
		s.scroll(ctx, v, res)
	}
}

// pageTime waits by the clock of the page: on a busy machine its timers come late, and with them the menus that they open.
func (s *search) pageTime(ctx context.Context, v *view, d time.Duration) error {
	world, err := v.page.World(ctx, v.page.MainFrame())
	if err != nil {
		return err
	}
	wait := fmt.Sprintf("new Promise(done => setTimeout(done, %d))", d.Milliseconds())
	_, err = cdp.Call(ctx, v.page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: wait, ContextID: world, AwaitPromise: new(true), ReturnByValue: new(true)})
	return err
}

// open clicks the control that the plan names as the one that opens the target's list; false when it is not there, is no such
// control here, or is open already.
func (s *search) open(ctx context.Context, v *view, res *StepResult) bool {
	o := s.it.Opener
	if v.tree == nil {
		return false
	}
	n, d := resolve.Find(resolve.Query{Target: o.Target, Use: resolve.ToClick, Mode: s.r.o.Match, Before: o.State.Tree, Truncated: o.State.Truncated}, v.tree)
	if d.Outcome != resolve.One {
		return false
	}
	text := n.Role == "textbox" || n.Role == "searchbox"
	if l := n.Live; !text && n.Role != "combobox" && l.HasPopup == "" || l.Expanded == "true" {
		return false
	}
	el, err := s.r.element(ctx, v, n)
	if err != nil {
		return false
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := act.Click(short, el, act.ClickOptions{}); err != nil {
		s.r.o.Log.Debug("click to find the target", "err", err)
		return false
	}
	s.old = map[cdp.BackendNodeID]bool{}
	for _, n := range v.tree.Nodes {
		s.old[n.Live.Backend] = true
	}
	res.notef("clicked %s to open what holds the target; the recorder lost that click", o.Target.Describe())
	return true
}

// find looks for the target. In a list that was opened here the recorded page cannot tell what stands around it, so that
// there only what came with the list counts.
func (s *search) find(t *axtree.Tree) (*axtree.Node, resolve.Decision) {
	n, d := resolve.Find(s.q, t)
	if s.unsure != "" && d.Outcome == resolve.One {
		for i := range d.Candidates {
			d.Candidates[i].Chosen = false
		}
		d.Outcome, d.Why = resolve.Ambiguous, s.unsure
		return nil, d
	}
	if d.Outcome == resolve.One || s.old == nil {
		return n, d
	}
	q := s.q
	q.Before, q.After = nil, nil
	fresh, fd := resolve.Find(q, t)
	if fd.Outcome != resolve.One || s.old[fresh.Live.Backend] {
		return n, d
	}
	return fresh, fd
}

// point hovers the next thing that may open the menu with the target; false when nothing is left.
func (s *search) point(ctx context.Context, v *view, res *StepResult) bool {
	hidden := hiddenTriggers(v.tree, resolve.Normalise(s.q.Target.Name))
	if len(hidden) == 1 && s.hover(ctx, v, hidden[0].live, "hidden", "the target is in the document but not shown; pointed at what holds it", res) {
		return true
	}
	for i, q := range s.r.hovered {
		if n, d := resolve.Find(q, v.tree); d.Outcome == resolve.One {
			if s.hover(ctx, v, n.Live, fmt.Sprint("again ", i), "pointed at "+q.Target.Describe()+" again, as earlier in the recording", res) {
				return true
			}
		}
	}
	for _, label := range s.holders() {
		for _, n := range v.tree.Nodes {
			if resolve.Normalise(n.Name) != label || n.Live.Hidden || n.Live.Backend == 0 {
				continue
			}
			l := n.Live
			if n.Role == "StaticText" && n.Parent != nil {
				l = n.Parent.Live
			}
			if s.hover(ctx, v, l, "holder "+label, fmt.Sprintf("pointed at %q, which held the target in the recording", label), res) {
				return true
			}
		}
	}
	if !s.all && time.Since(s.began) > beforeOpen {
		s.all = true
		if len(hidden) > 1 {
			return s.tryAll(ctx, v, hidden, res)
		}
		if s.q.Target.Tag != "" { // the older recorder kept no pointing
			return s.tryAll(ctx, v, shownTriggers(v.tree), res)
		}
	}
	return false
}

// holders are the labels of the menu items that the recorded target was nested in, outermost first.
func (s *search) holders() []string {
	var out []string
	for _, t := range []*axtree.Tree{s.q.Before, s.q.After} {
		if t == nil {
			continue
		}
		line := t.ByRef(s.q.Target.Ref)
		if line == nil || t == s.q.After {
			line = onlyNamed(t, s.q.Target.Name)
		}
		if line == nil {
			continue
		}
		for a := range line.Ancestors() {
			switch a.Role {
			case "listitem", "menuitem", "treeitem", "menu", "list", "group":
			default:
				continue
			}
			for _, c := range a.Children {
				if n := resolve.Normalise(c.Name); n != "" && c != line && (c.Role == "StaticText" || c.Ref != "") {
					out = append(out, n)
					break
				}
			}
		}
		if len(out) > 0 {
			slices.Reverse(out)
			return out
		}
	}
	return nil
}

func onlyNamed(t *axtree.Tree, name string) *axtree.Node {
	var one *axtree.Node
	want := resolve.Normalise(name)
	for _, n := range t.Nodes {
		if n.Ref != "" && want != "" && resolve.Normalise(n.Name) == want {
			if one != nil {
				return nil
			}
			one = n
		}
	}
	return one
}

// hover points at an element once; false when that was done already or cannot be done.
func (s *search) hover(ctx context.Context, v *view, l *axtree.Live, key, note string, res *StepResult) bool {
	key = fmt.Sprint(key, " ", l.Backend)
	if s.tried[key] || l.Backend == 0 {
		return false
	}
	s.tried[key] = true
	el, err := s.r.element(ctx, v, &axtree.Node{Live: l})
	if err != nil {
		return false
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := act.Hover(short, el); err != nil {
		s.r.o.Log.Debug("hover to find the target", "err", err)
		return false
	}
	if !slices.Contains(res.Notes, note) {
		res.notef("%s", note)
	}
	return true
}

// scrollScript scrolls the page and its scrollable parts, one after the other, by most of their height at each call. It keeps
// where it is in the isolated world. A part whose end is reached is given time to load more.
const scrollScript = `(() => {
	const s = globalThis.retraceScroll ??= {};
	if (!s.parts) {
		const page = document.scrollingElement;
		const parts = [...document.querySelectorAll('*')].filter(e => e !== page && e.scrollHeight > e.clientHeight + 8 && e.clientHeight > 40 && e.clientWidth > 40 && /auto|scroll|overlay/.test(getComputedStyle(e).overflowY) && e.checkVisibility());
		parts.sort((a, b) => b.clientHeight * b.clientWidth - a.clientHeight * a.clientWidth);
		if (page) parts.unshift(page);
		s.parts = parts.slice(0, 12); s.i = 0; s.from = null;
	}
	const e = s.parts[s.i];
	if (!e) { s.parts = null; return 'end'; }
	if (s.from === null) { s.from = e.scrollTop; s.wrapped = false; s.since = 0; }
	const end = e.scrollHeight - e.clientHeight;
	const next = () => { e.scrollTop = s.from; s.i++; s.from = null; return 'next'; };
	if (s.wrapped && e.scrollTop >= s.from) return next();
	if (e.scrollTop >= end - 2) {
		const now = performance.now();
		if (end > 8 || e === document.scrollingElement && end > 0) {
			if (!s.since) { s.since = now; s.end = end; e.scrollTop = end; return 'bottom'; }
			if (end > s.end + 2) { s.since = 0; }
			else if (now - s.since < 1500) return 'bottom';
			else if (s.from > 2 && !s.wrapped) { s.wrapped = true; s.since = 0; e.scrollTop = 0; return 'top'; }
			else return next();
		} else return next();
	}
	s.since = 0;
	e.scrollTop = Math.min(end, e.scrollTop + Math.max(40, e.clientHeight * 0.8));
	return 'moved';
})()`

// scroll moves the page or one of its parts on.
func (s *search) scroll(ctx context.Context, v *view, res *StepResult) {
	for _, f := range v.frames {
		world, err := v.page.World(ctx, f.ID)
		if err != nil {
			continue
		}
		byValue := true
		r, err := cdp.Call(ctx, f.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: scrollScript, ContextID: world, ReturnByValue: &byValue})
		if err != nil || r.ExceptionDetails != nil || r.Result == nil {
			continue
		}
		if f.Parent == "" || !strings.Contains(string(r.Result.Value), "end") {
			s.over = strings.Contains(string(r.Result.Value), "end") && len(v.frames) == 1
			note := "scrolled to find the target"
			if !s.over && !slices.Contains(res.Notes, note) {
				res.notef("%s", note)
			}
			return
		}
	}
}
