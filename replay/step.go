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
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// step does one planned step and writes what became of it into s.
func (r *runner) step(ctx context.Context, it *plan.Intent, i int, s *StepResult) {
	s.Started = since(r.res.Started)
	s.Verdict = Passed
	earlier := r.shown
	r.shown, r.awaited, r.aimed, r.seen = nil, nil, target{}, nil
	if it.Optional || it.Kind == plan.Skip || it.Kind == plan.Scroll {
		r.shown = earlier
	} else {
		r.earlier = earlier
	}
	r.hold(false)
	from, docs := r.page, r.page.Documents()
	began := r.gauge(ctx)
	f := r.perform(ctx, it, i, s)
	if began != nil {
		r.gauges.spans = append(r.gauges.spans, gaugeSpan{len(r.res.Steps), began, r.gauge(ctx)})
	}
	r.hold(f != nil && !it.Optional)
	if r.page == from {
		s.Course.Documents = r.page.Documents() - docs
	}
	r.propose(ctx, it, i, s, f)
	if f == nil {
		f = r.holdsAfter(ctx, it)
	}
	if f == nil && r.page != nil {
		if err := r.strayed(); err != nil {
			f = r.failure(ctx, err, "")
		}
	}
	if f == nil && r.context != nil {
		if d := r.context.UnexpectedDialog(); d != nil {
			f = &Failure{Code: DialogUnexpected, Text: fmt.Sprintf("the page showed a %s: %q", d.Type, clip(d.Text, 200)), Hint: "--dialogs accept or dismiss answers it"}
		}
	}
	r.hold(f != nil && !it.Optional)
	r.collect(s)
	s.DurationMS = ms(time.Since(s.Started))
	if f != nil && !it.Optional {
		r.surroundFirst(s)
		r.contrast(ctx, it, s, f)
	}
	if f != nil && f.Code == Timeout && s.Traffic != nil && s.Traffic.Sent == 0 {
		s.Traffic = nil // a browser that does not answer does not tell of requests either
	}
	r.hint(ctx, it, s, f)
	if r.page != nil {
		s.URL = r.page.URL()
	}
	switch {
	case f != nil && it.Optional && f.Code != AssertionFailed && f.Code != BlockedURL && f.Code != Interrupted && f.Code != BrowserCrashed && f.Code != PageCrashed:
		s.Verdict = Warned
		s.Notes = append(s.Notes, "left out: "+f.Text)
	case f != nil:
		s.Verdict, s.Failure = Failed, f
		r.hold(true)
		r.shoot(ctx, s, AtFailure)
	case s.Decision != nil && len(s.Decision.Warnings) > 0 || s.Retried || s.Effect != nil && s.Effect.Verdict == verify.Partly:
		s.Verdict = Warned
	}
	if s.Failure == nil && r.shootsAll(i) {
		r.shoot(ctx, s, After)
	}
	r.diagnose(ctx, it, i, s, f)
}

// hold keeps whatever is still under way from acting on a page, once the verdict is failed. A debugger may try again.
func (r *runner) hold(on bool) {
	if r.context != nil {
		r.context.Hold(on)
	}
}

func (s *StepResult) warnf(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
	if s.Verdict == Passed {
		s.Verdict = Warned
	}
}

func (s *StepResult) notef(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

func (r *runner) perform(ctx context.Context, it *plan.Intent, i int, s *StepResult) *Failure {
	switch it.Kind {
	case plan.Skip, plan.Scroll:
		return nil
	case plan.Open, plan.Goto, plan.Reload, plan.Traverse:
		return r.navigate(ctx, it, i, s)
	case plan.Await:
		return r.await(ctx, it, i, s)
	case plan.SwitchTab:
		return r.switchTab(ctx, it, s)
	}
	return r.interact(ctx, it, i, s)
}

// found is a target that is ready to be acted on.
type found struct {
	view  *view
	node  *axtree.Node // nil for a key press without target
	query resolve.Query
	el    act.Element
}

// hoverTimeout bounds the search for a target that may be left out.
const hoverTimeout = 1500 * time.Millisecond

// interact does a step that acts on an element, or presses a key.
func (r *runner) interact(ctx context.Context, it *plan.Intent, i int, s *StepResult) *Failure {
	limit := r.o.Timeout
	if it.Optional {
		limit = min(limit, hoverTimeout)
	}
	deadline, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	name := what(it)
	r.closed = false
	var replaced *act.Stale // the last element that went away before it could be acted on
	for {
		fd, f := r.find(ctx, deadline, it, i, s)
		if f != nil {
			return f
		}
		exp := verify.Expect(it.Before, it.After, r.ahead(i), fd.view.sight)
		if why := r.alreadyDone(it, i, fd, exp); why != "" {
			e := exp.Effect()
			s.Effect = &e
			s.warnf("%s %s", name, why)
			r.confirm(it)
			return nil
		}
		r.acted = fd.view
		r.aimed = target{el: fd.el, found: fd.node != nil}
		if fd.node != nil && fd.view.tree != nil {
			r.surround(s, fd.node)
		}
		if r.shootsAll(i) {
			fd.el.Ready = func(ctx context.Context) { r.shootBefore(ctx, s) }
		}
		mark := fd.view.page.Mark()
		if !exp.Empty() && r.verifies(it) {
			r.listen(deadline, it, &fd)
		}
		sent := r.traffic(fd.view.page).sent()
		r.touched = r.touched || it.Kind != plan.Hover
		t := time.Now()
		if quietly(it) && !it.Send && r.size.small(r.page, r.o.LargePage) {
			fd.el.Meanwhile = func() func(bool) { return r.meanwhile(ctx) }
		}
		if r.o.OnResolved != nil && fd.node != nil {
			r.o.OnResolved(Resolved{Step: it.Step.ID, Node: fd.node, Tier: s.Decision.Tier, Use: fd.query.Use, Tree: fd.view.tree})
		}
		fd.el.Waited = r.waiting(s)
		report, err := r.act(deadline, it, fd, s)
		r.aimed.point = report.Point
		s.Phases.Actionability += ms(report.Times.Ready)
		s.Phases.Act += ms(report.Times.Act)
		if err == nil {
			s.Course.Unheard = report.Unheard
			s.moment(&s.Course.Acted)
			s.Course.Ready = s.Course.Acted - ms(report.Times.Act)
		} else {
			var stale *act.Stale
			var late *act.NotReady
			if errors.As(err, &late) && late.State == act.Busy && deadline.Err() != nil && replaced != nil {
				err = replaced // the time ran out in the middle of one more try
			}
			if errors.As(err, &stale) {
				r.o.Log.Debug("target replaced", "err", err)
				pause(deadline, 20*time.Millisecond)
				s.Course.waited(AwaitsElement, stale.Error(), time.Since(t), 20*time.Millisecond, r.requesting())
				if deadline.Err() == nil {
					replaced = stale
					s.Phases.Actionability += ms(time.Since(t))
					continue
				}
			}
			if errors.Is(err, browser.ErrPageClosed) && it.Kind != plan.Hover {
				return r.afterClose(ctx, it, i, s, exp)
			}
			return r.failure(ctx, err, name)
		}
		for _, n := range report.Notes {
			s.notef("%s", n)
		}
		if it.Kind == plan.Hover {
			r.hovered = append(r.hovered, fd.query)
		}
		return r.afterwards(ctx, it, i, s, outcome{fd, exp, mark, sent, report, -1})
	}
}

// what names the target of an intent for people.
func what(it *plan.Intent) string {
	if it.Step != nil && it.Step.Target != nil {
		return it.Step.Target.Describe()
	}
	return "the focused element"
}

// find waits until the page is the recorded one and the target is there, within deadline.
func (r *runner) find(ctx, deadline context.Context, it *plan.Intent, i int, s *StepResult) (found, *Failure) {
	q := r.query(it, i)
	search := newSearch(r, it, q)
	var rest rest
	var last struct {
		d    resolve.Decision
		gate *verify.Agreement
		view *view
	}
	whole := time.Now() // when the whole tree was read last
	back := retraction{e: r.earlier}
	var weak weak
	for wait := 10 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		t := time.Now()
		began := t
		lost := func(o Obstacle, text string) { s.Course.waited(o, text, time.Since(began), wait, r.requesting()) }
		v, err := r.takeEarly(deadline, true), error(nil)
		if v == nil {
			if fd, d, ok, later := r.quick(deadline, it, i, q); ok {
				s.Decision = &d
				s.Phases.Resolve += ms(time.Since(t))
				s.moment(&s.Course.Found)
				return fd, nil
			} else if later && time.Since(whole) < betweenTrees && deadline.Err() == nil {
				s.Phases.Resolve += ms(time.Since(t))
				pause(deadline, wait)
				lost(AwaitsTarget, "")
				continue
			}
			v, err = r.look(deadline)
		}
		whole = time.Now()
		s.Phases.Resolve += ms(time.Since(t))
		if err != nil {
			if deadline.Err() != nil && ctx.Err() == nil && last.view != nil && !fatal(err) {
				r.decided(i, last.view, nil)
				return found{}, r.unfound(last.d, last.gate, it, last.view, s)
			}
			return found{}, r.failure(ctx, err, what(it))
		}
		t = time.Now()
		gate, open := r.gate(it, v)
		s.Phases.Gate += ms(time.Since(t))
		t = time.Now()
		fd := found{view: v, query: q}
		d := resolve.Decision{Outcome: resolve.One}
		if it.Step.Target != nil && !it.Step.Target.Empty() {
			fd.node, d = search.find(v.tree)
			s.Decision = &d
		} else if it.Kind != plan.Press {
			return found{}, &Failure{Code: NotReplayable, Text: "the recording does not say what was acted on"}
		}
		s.Phases.Resolve += ms(time.Since(t))
		last.d, last.gate, last.view = d, gate, v
		r.seen = v
		if it.Late && !it.Optional && !rest.at(v.fingerprint(), time.Now()) && open && d.Outcome == resolve.One && deadline.Err() == nil {
			pause(deadline, 50*time.Millisecond)
			lost(AwaitsCertainty, "the page does not rest")
			continue
		}
		if weak.wait(d, time.Now()) && deadline.Err() == nil {
			pause(deadline, wait)
			lost(AwaitsCertainty, d.Why)
			continue
		}
		revoked, f := back.by(v, time.Now())
		if f != nil {
			r.unconfirm(back.e)
			return found{}, f
		}
		if open && d.Outcome == resolve.One && !revoked {
			if fd.node == nil {
				fd.el = act.Element{Page: v.page.Session(), Session: v.page.Session()}
				s.moment(&s.Course.Found)
				return fd, nil
			}
			if fd.el, err = r.element(deadline, v, fd.node); err == nil {
				s.moment(&s.Course.Found)
				r.decided(i, v, fd.node)
				return fd, nil
			}
			if fatal(err) {
				return found{}, r.failure(ctx, err, what(it))
			}
		}
		if deadline.Err() != nil {
			if ctx.Err() != nil {
				return found{}, r.interrupted()
			}
			r.decided(i, v, nil)
			return found{}, r.unfound(d, gate, it, v, s)
		}
		if open && d.Outcome == resolve.Missing {
			search.help(deadline, v, s)
		}
		pause(deadline, wait)
		lost(unsettled(open, gate, d))
	}
}

// unfound is the failure at the deadline of a search.
func (r *runner) unfound(d resolve.Decision, gate *verify.Agreement, it *plan.Intent, v *view, s *StepResult) *Failure {
	if d.Outcome == resolve.One && it.Before != nil && gate != nil {
		return mismatch(*gate, it.Before, v, "")
	}
	return notFound(d, gate, it.Before, v)
}

// query is the search for the target of an intent.
func (r *runner) query(it *plan.Intent, i int) resolve.Query {
	q := resolve.Query{Mode: r.o.Match, Use: uses[it.Kind]}
	if it.Step.Target != nil {
		q.Target = *it.Step.Target
	}
	if s := it.Step.State; s != nil && s.Tree != nil && q.Target.Ref != "" {
		q.Before, q.Truncated = s.Tree, s.Truncated || s.Tree.Truncated
	} else if it.Before != nil {
		q.Before, q.Truncated = it.Before.Tree, it.Before.Truncated || it.Before.Tree.Truncated
	}
	if it.After != nil && !it.Shared {
		q.After = it.After.Tree
	}
	for j := i + 1; j < len(r.plan) && j <= i+3; j++ {
		n := &r.plan[j]
		if n.Kind == plan.Hover && (n.Step.Target == nil || !strings.HasSuffix(n.Step.Target.Name, " [expanded]")) {
			continue // where the pointer came by says nothing about what was clicked before; what had opened by then does
		}
		if n.Kind != plan.Hover && again(it, n) {
			break // what follows may be in another row
		}
		if n.Step == nil || n.Step.Target == nil || n.Step.State == nil || it.Step.State != nil && !verify.SamePage(n.Step.State.URL, it.Step.State.URL) {
			break
		}
		q.Next = append(q.Next, resolve.Follow{Target: *n.Step.Target, Tree: n.Step.State.Tree})
	}
	return q
}

// again reports whether a later intent acts on something of the same role and name: the same thing in another row, more
// often than the same element.
func again(it, later *plan.Intent) bool {
	if it.Step.Target == nil || later.Step == nil || later.Step.Target == nil {
		return false
	}
	a, b := it.Step.Target, later.Step.Target
	return resolve.Normalise(a.Name) == resolve.Normalise(b.Name) && resolve.Family(a.Role) == resolve.Family(b.Role)
}

var uses = map[plan.Kind]resolve.Use{plan.Click: resolve.ToClick, plan.Hover: resolve.ToHover, plan.Fill: resolve.ToFill, plan.Select: resolve.ToSelect, plan.Press: resolve.ToPress}

// ahead is the recorded page after the next step that has one.
func (r *runner) ahead(i int) *trace.State {
	if i+1 < len(r.plan) {
		return r.plan[i+1].After
	}
	return nil
}
