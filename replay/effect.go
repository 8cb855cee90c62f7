package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/verify"
	"retrace/resolve"
)

// outcome is what an action left behind for the check of its effect.
type outcome struct {
	found  found
	expect *verify.Expectation
	mark   browser.Mark
	sent   int64 // requests of the page before the action
	report act.Report
	// listeners is how much of the page would have heard of the click just after it; negative while unknown.
	listeners int
}

// Times of the check.
const (
	quiet     = 2 * time.Second         // a partly seen effect is final when nothing changed for so long
	patience  = 3 * time.Second         // a click that did nothing at all is repeated after so long
	graceNav  = 1200 * time.Millisecond // a navigation that the recording shows comes by itself within this time
	checkLate = time.Second             // a switched control shows its new state within this time
)

// afterwards lets the action's consequences settle and checks its effect.
func (r *runner) afterwards(ctx context.Context, it *plan.Intent, i int, s *StepResult, out outcome) *Failure {
	t := time.Now()
	settle, cancel := context.WithTimeout(ctx, r.o.Timeout)
	var res browser.SettleResult
	var err error
	if !quietly(it) || r.page.Loading() {
		var still func(bool)
		res, err = r.page.SettleMeanwhile(settle, out.mark, func() { still = r.meanwhile(ctx) })
		still(res.Still)
	}
	cancel()
	s.Phases.Settle += ms(time.Since(t))
	if err != nil {
		if errors.Is(err, browser.ErrPageClosed) {
			return r.afterClose(ctx, it, i, s, out.expect)
		}
		if fatal(err) || ctx.Err() != nil {
			return r.failure(ctx, err, what(it))
		}
		s.warnf("the page had not settled after %s", r.o.Timeout)
	}
	if res.Navigated {
		r.hovered = nil
	}
	if !r.verifies(it) {
		r.moved(it)
		return nil
	}
	t = time.Now()
	defer func() { s.Phases.Verify += ms(time.Since(t)) }()
	if f := r.checkSwitched(ctx, it, s, out); f != nil {
		return f
	}
	if out.expect.Empty() && it.Missing == nil {
		e := verify.Effect{Verdict: verify.NothingToCheck}
		if it.Kind == plan.Fill || it.Kind == plan.Select || out.report.Before.Toggled(out.report.After) {
			e = verify.Effect{Verdict: verify.Confirmed, Seen: []string{"the control holds what was asked for"}}
		}
		switch {
		case e.Verdict == verify.Confirmed || !out.report.Unheard:
		case out.report.Gone(): // as the options of a list go that acts on the press already
			s.warnf("%s was gone before it got a click; whether the press was enough cannot be told", what(it))
		default:
			s.Effect = &e
			return &Failure{Code: EffectNotSeen, Text: what(it) + " was pressed, but the page changed under the pointer and got no click, and nothing shows that the press did anything"}
		}
		s.Effect = &e
		keep := r.at != nil && it.After != nil && r.at.ID == it.After.ID
		r.moved(it)
		if keep {
			r.at = it.After
		}
		return nil
	}
	return r.checkEffect(ctx, it, i, s, out)
}

// verifies reports whether the effect of an intent is checked.
func (r *runner) verifies(it *plan.Intent) bool {
	return r.o.Verify != "off" && it.Kind != plan.Hover && !it.Optional
}

// quietly reports whether an action has given the page a frame already, when it read back what it had put in: what it set off
// by then shows as a page that is loading.
func quietly(it *plan.Intent) bool {
	return (it.Kind == plan.Fill || it.Kind == plan.Select) && !it.Enter && !it.Suggest
}

// checkSwitched looks whether a click on a checkbox or a switch switched it.
func (r *runner) checkSwitched(ctx context.Context, it *plan.Intent, s *StepResult, out outcome) *Failure {
	if it.Kind != plan.Click || out.found.node == nil {
		return nil
	}
	role := out.found.node.Role
	if role != "checkbox" && role != "switch" && role != "menuitemcheckbox" {
		return nil
	}
	before := out.report.Before
	if before.Checked == "" && before.AriaChecked == "" {
		return nil
	}
	after := out.report.After
	late, cancel := context.WithTimeout(ctx, checkLate)
	defer cancel()
	watch := watchStirs(r.page)
	for gap := 20 * time.Millisecond; !out.report.Gone() && !before.Toggled(after); gap = min(2*gap, 100*time.Millisecond) {
		watch.after(late, time.Now(), gap, 100*time.Millisecond)
		if late.Err() != nil {
			break
		}
		next, err := act.ReadField(late, out.found.el)
		if err != nil {
			return nil // gone, which is an effect of its own
		}
		after = next
	}
	if ctx.Err() != nil {
		return r.interrupted()
	}
	if out.report.Gone() || before.Toggled(after) {
		return nil
	}
	return &Failure{Code: EffectNotSeen, Text: what(it) + " was clicked and is not switched"}
}

// checkEffect watches the page until the recorded effect is seen, or the deadline passes.
func (r *runner) checkEffect(ctx context.Context, it *plan.Intent, i int, s *StepResult, out outcome) *Failure {
	exp := out.expect
	began := time.Now()
	lastChange := began
	until := began.Add(r.o.Timeout)
	deadline, cancel := context.WithTimeout(ctx, 3*r.o.Timeout) // a repeated click has a deadline of its own
	defer cancel()
	submitted := false
	print := out.found.view.fingerprint()
	seen := print
	var e verify.Effect
	watch := watchStirs(r.page)
	for gap := 15 * time.Millisecond; ; gap = min(gap*3/2, 150*time.Millisecond) {
		turn := time.Now()
		v, err := r.takeEarly(deadline, false), error(nil)
		if v == nil || out.found.view.tree == nil {
			v, err = r.watched(deadline, until, out.found.view, it, i)
		}
		if err != nil && (fatal(err) || ctx.Err() != nil) {
			if errors.Is(err, browser.ErrPageClosed) {
				return r.afterClose(ctx, it, i, s, exp)
			}
			return r.failure(ctx, err, what(it))
		}
		if err == nil {
			exp.Observe(v.sight)
			if exp.Effect().Verdict != verify.Confirmed { // what came and went already counts too
				exp.ObserveText(r.heard(deadline, v))
			}
			if p := v.fingerprint(); p != seen {
				seen, lastChange = p, time.Now()
			}
		}
		e = exp.Effect()
		reached := it.Missing == nil || it.After == nil || err == nil && arrived(it, v.url, out.found.view.url)
		if e.Verdict == verify.Confirmed && reached {
			break
		}
		if time.Now().After(until) || err != nil {
			break
		}
		elapsed := time.Since(began)
		if e.Verdict == verify.Partly && reached && time.Since(lastChange) > quiet {
			break
		}
		if e.Verdict == verify.NothingToCheck && reached && time.Since(lastChange) > 300*time.Millisecond {
			break
		}
		if it.Missing != nil && !submitted && !reached && elapsed > graceNav {
			submitted = true
			if f := r.submit(deadline, it, s); f != nil {
				return f
			}
			continue
		}
		if out.listeners < 0 && e.Verdict == verify.NotSeen && seen == print {
			out.listeners = listeners(it, v, out)
		}
		if !s.Retried && elapsed > patience && e.Verdict == verify.NotSeen && seen == print && r.mayRepeat(it, s, out) && (out.report.Unheard || listeners(it, v, out) > out.listeners) {
			s.Retried = true
			if f := r.repeat(ctx, it, s, &out); f != nil {
				return f
			}
			began = time.Now()
			until = began.Add(r.o.Timeout)
		}
		paused := watch.after(deadline, turn, gap, idleLook)
		s.Course.waited(AwaitsEffect, "", time.Since(turn), paused, r.requesting())
	}
	s.Effect = &e
	if out.report.Unheard && e.Verdict == verify.Partly {
		e.Verdict = verify.NotSeen // a part of it came without any click, as it comes when a page is still loading
	}
	f := r.judge(it, s, e)
	if said := exp.TakenBack(); f == nil && len(said) > 0 {
		e.Verdict, e.Instead = verify.NotSeen, said
		return takenBack(&standing{it: it}, said)
	}
	if f == nil {
		s.moment(&s.Course.Shown)
	} else {
		r.awaited = &standing{it: it, i: i, before: out.found.view, expect: exp}
	}
	if f == nil && len(e.Seen) > 0 {
		r.shown = &standing{it: it, i: i, before: out.found.view, expect: exp}
	}
	return f
}

// judge turns an effect into the verdict of the step.
func (r *runner) judge(it *plan.Intent, s *StepResult, e verify.Effect) *Failure {
	switch e.Verdict {
	case verify.Confirmed:
		r.confirm(it)
		return nil
	case verify.NothingToCheck:
		r.moved(it)
		s.warnf("the page showed the recorded result before the step, so its effect cannot be told")
		return nil
	case verify.Partly:
		r.moved(it)
		if r.o.Verify != "strict" {
			s.warnf("the recorded effect was seen in part: %d of %d changes", len(e.Seen), len(e.Seen)+len(e.Missing))
			return nil
		}
	}
	f := &Failure{Code: EffectNotSeen, Text: fmt.Sprintf("%s was acted on, but what the recording shows next did not come", what(it))}
	if len(e.Instead) > 0 {
		f.Text = fmt.Sprintf("%s was acted on, and the page says %q instead of the recorded result", what(it), clip(strings.Join(e.Instead, " / "), 200))
	}
	for i, m := range e.Missing {
		if i == 6 {
			f.Evidence = append(f.Evidence, fmt.Sprintf("and %d more", len(e.Missing)-i))
			break
		}
		f.Evidence = append(f.Evidence, "not seen: "+m)
	}
	return f
}

// listeners counts what would hear of the click that was done, as the page is now; negative when that cannot be told.
func listeners(it *plan.Intent, v *view, out outcome) int {
	if it.Kind != plan.Click || out.found.node == nil || v.tree == nil {
		return -1
	}
	n, d := resolve.Find(out.found.query, v.tree)
	if d.Outcome != resolve.One {
		return -1
	}
	return n.Live.Listeners
}

// mayRepeat reports whether a click that changed nothing at all may be done once more: nothing was sent anywhere, nobody
// was asked anything, and the control does not submit a form. Besides, the page has to have become alive since, or
// the press never became a click: a click that a function of the page heard may have an effect that only comes late, and
// would have it twice.
func (r *runner) mayRepeat(it *plan.Intent, s *StepResult, out outcome) bool {
	r.collectDialogs(s)
	b := out.report.Before
	return it.Kind == plan.Click && out.found.node != nil && out.found.view.tree != nil && !(b.HasForm && b.Kind == act.KindButton && b.Type != "button") &&
		(out.report.Unheard || !out.report.Gone() && !b.Toggled(out.report.After)) && r.traffic(out.found.view.page).sent() == out.sent && len(s.Dialogs) == 0
}

// repeat clicks once more.
func (r *runner) repeat(ctx context.Context, it *plan.Intent, s *StepResult, out *outcome) *Failure {
	again, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	v, err := r.look(again)
	if err != nil {
		return r.failure(ctx, err, what(it))
	}
	n, d := resolve.Find(out.found.query, v.tree)
	if d.Outcome != resolve.One {
		return nil
	}
	el, err := r.element(again, v, n)
	if err != nil {
		return nil
	}
	out.mark = v.page.Mark()
	report, err := act.Click(again, el, act.ClickOptions{})
	if err != nil {
		return r.failure(ctx, err, what(it))
	}
	out.report = report
	s.warnf("the first click changed nothing at all and the page had not heard it, so it was done once more")
	if _, err = r.page.Settle(again, out.mark); err != nil && fatal(err) {
		return r.failure(ctx, err, what(it))
	}
	return nil
}

// afterClose goes on after the tab closed itself in answer to the action.
func (r *runner) afterClose(ctx context.Context, it *plan.Intent, i int, s *StepResult, exp *verify.Expectation) *Failure {
	pages := r.context.Pages()
	if len(pages) == 0 {
		return &Failure{Code: TabMissing, Text: "the last tab was closed"}
	}
	next := pages[len(pages)-1]
	if o := r.page.Opener(); o != nil {
		for _, p := range pages {
			if p == o {
				next = p
			}
		}
	}
	r.page, r.closed = next, true
	r.at, r.last = nil, nil
	s.notef("the tab closed; going on in %s", clip(next.URL(), 120))
	s.Effect = &verify.Effect{Verdict: verify.Confirmed, Seen: []string{"the tab closed"}}
	return nil
}
