package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/verify"
	"retrace/resolve"
)

// navigate does an intent that loads a page by itself.
func (r *runner) navigate(ctx context.Context, it *plan.Intent, i int, s *StepResult) *Failure {
	if it.Kind != plan.Reload {
		if f := r.allowed(it.To); f != nil {
			return f
		}
	}
	deadline, cancel := context.WithTimeout(ctx, 3*r.o.Timeout)
	defer cancel()
	t := time.Now()
	if f := r.load(ctx, deadline, it, s); f != nil {
		return f
	}
	s.Phases.Act += ms(time.Since(t))
	r.hovered = nil
	if it.Kind == plan.Open {
		r.at, r.last = nil, nil
		return nil
	}
	if it.After == nil || r.o.Verify == "off" {
		r.at, r.last = nil, it.After
		return nil
	}
	t = time.Now()
	f := r.arrive(ctx, it, s)
	s.Phases.Verify += ms(time.Since(t))
	return f
}

func (r *runner) load(ctx, deadline context.Context, it *plan.Intent, s *StepResult) *Failure {
	r.traffic(r.page) // counts from now on
	var err error
	refused := r.refusals()
	switch it.Kind {
	case plan.Reload:
		err = r.page.Reload(deadline)
	case plan.Traverse:
		err = r.page.Traverse(deadline, it.To)
		if errors.Is(err, browser.ErrNoHistoryEntry) {
			if f := r.allowed(it.To); f != nil {
				return f
			}
			s.warnf("the history has no entry for %s, so it was opened directly", clip(it.To, 120))
			err = r.page.Navigate(deadline, it.To)
		}
	default:
		err = r.page.Navigate(deadline, it.To)
	}
	var nav *browser.NavigationError
	if it.Kind != plan.Open && errors.As(err, &nav) && (nav.Kind == browser.NavigationDownload || nav.Kind == browser.NavigationNoContent) {
		s.notef("the page stayed: %s", nav.Kind)
		return nil
	}
	if err != nil {
		if f := r.diverted(err, refused); f != nil {
			return f
		}
		if ctx.Err() == nil && deadline.Err() != nil && !fatal(err) {
			return &Failure{Code: NavigationFailed, Text: fmt.Sprintf("%s did not answer within %s", clip(it.To, 120), 3*r.o.Timeout)}
		}
		return r.failure(ctx, err, clip(it.To, 120))
	}
	if err := r.strayed(); err != nil {
		return r.failure(ctx, err, clip(it.To, 120))
	}
	return nil
}

// arrive waits until the live page is the one that the recording shows after a navigation.
func (r *runner) arrive(ctx context.Context, it *plan.Intent, s *StepResult) *Failure {
	deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	var last *view
	var a verify.Agreement
	for wait := 15 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		v, err := r.glance(deadline, it.After)
		if err != nil && (fatal(err) || ctx.Err() != nil || last == nil) {
			return r.failure(ctx, err, it.To)
		}
		if err == nil {
			last = v
			a = verify.Agree(it.After, v.sight)
			if a.Here() && a.Share >= 0.6 {
				s.Effect = &verify.Effect{Verdict: verify.Confirmed, Seen: []string{"the recorded page"}}
				r.confirm(it)
				return nil
			}
		}
		if deadline.Err() != nil {
			break
		}
		pause(deadline, wait)
		s.Course.waited(AwaitsPage, "", wait, wait, r.requesting())
	}
	if !a.Here() {
		s.Effect = &verify.Effect{Verdict: verify.NotSeen, Missing: a.Missing}
		return mismatch(a, it.After, last, "")
	}
	s.Effect = &verify.Effect{Verdict: verify.Partly, Seen: []string{"the recorded address"}, Missing: a.Missing}
	return r.judge(it, s, *s.Effect)
}

// arrived reports whether the live address is the one that an intent leads to.
func arrived(it *plan.Intent, live, before string) bool {
	to := it.To
	if to == "" && it.After != nil {
		to = it.After.URL
	}
	if !verify.SamePage(to, live) {
		return false
	}
	return verify.SameQuery(to, live) || live != before && !verify.SamePage(to, before)
}

// await waits for a navigation that the recording shows as a consequence of what came before. When it does not come, the
// action that the recorder lost is inferred.
func (r *runner) await(ctx context.Context, it *plan.Intent, i int, s *StepResult) *Failure {
	deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	began, start := time.Now(), ""
	if it.Before != nil {
		start = it.Before.URL
	}
	submitted := it.Missing == nil || !it.Missing.Submit
	for wait := 15 * time.Millisecond; !arrived(it, r.page.URL(), start); wait = min(wait*3/2, 150*time.Millisecond) {
		if p := r.popup(it.To); p != nil {
			r.page = p
			continue
		}
		if !submitted && time.Since(began) > graceNav {
			submitted = true
			if f := r.submit(deadline, it, s); f != nil {
				return f
			}
			continue
		}
		late := time.Since(began) > graceNav
		if submitted && it.Missing != nil && it.Missing.Submit {
			late = deadline.Err() != nil
		}
		if late && it.Missing != nil && it.Missing.Navigate && ctx.Err() == nil {
			return r.direct(ctx, it, s)
		}
		if err := r.strayed(); err != nil {
			return r.failure(ctx, err, it.To)
		}
		select {
		case <-r.page.Crashed():
			return r.failure(ctx, browser.ErrPageCrashed, it.To)
		case <-r.page.Closed():
			return r.failure(ctx, browser.ErrPageClosed, it.To)
		case <-r.browser.Died():
			return r.failure(ctx, browser.ErrBrowserDied, it.To)
		default:
		}
		if deadline.Err() != nil {
			if ctx.Err() != nil {
				return r.interrupted()
			}
			return &Failure{
				Code: EffectNotSeen, Text: fmt.Sprintf("the recorded navigation to %s did not come", clip(it.To, 120)),
				Evidence: []string{"the page is at " + clip(r.page.URL(), 120)}, Hint: "the action that led to it is not in the recording",
			}
		}
		pause(deadline, wait)
		s.Course.waited(AwaitsPage, "", wait, wait, r.requesting())
	}
	r.hovered = nil
	if it.After == nil || r.o.Verify == "off" {
		r.at, r.last = nil, it.After
		return nil
	}
	return r.arrive(ctx, it, s)
}

// direct opens the address of a navigation that did not come by itself.
func (r *runner) direct(ctx context.Context, it *plan.Intent, s *StepResult) *Failure {
	if f := r.allowed(it.To); f != nil {
		return f
	}
	deadline, cancel := context.WithTimeout(ctx, 3*r.o.Timeout)
	defer cancel()
	s.warnf("the recorded navigation did not come by itself, so its address was opened directly")
	if f := r.load(ctx, deadline, it, s); f != nil {
		return f
	}
	r.hovered = nil
	if it.After == nil || r.o.Verify == "off" {
		r.at, r.last = nil, it.After
		return nil
	}
	return r.arrive(ctx, it, s)
}

// popup is a tab that opened with the address.
func (r *runner) popup(to string) *browser.Page {
	for _, p := range r.context.Pages() {
		if !r.known[p] && verify.SamePage(to, p.URL()) {
			r.known[p] = true
			return p
		}
	}
	return nil
}

// submit sends the form of a field whose submission the recorder lost: by its only submit button, else by Enter in the field.
func (r *runner) submit(ctx context.Context, it *plan.Intent, s *StepResult) *Failure {
	field := &plan.Intent{Kind: plan.Press, Step: it.Missing.Field, Before: it.Before}
	v, err := r.look(ctx)
	if err != nil {
		return r.failure(ctx, err, "the form")
	}
	q := r.query(field, len(r.plan))
	q.After = nil
	n, d := resolve.Find(q, v.tree)
	if d.Outcome != resolve.One {
		s.notef("the form that was probably submitted was not found: %s", d.Why)
		return nil
	}
	el, err := r.element(ctx, v, n)
	if err != nil {
		return r.failure(ctx, err, what(field))
	}
	button, count, err := act.SubmitButton(ctx, el)
	if err != nil && !isStale(err) {
		return r.failure(ctx, err, what(field))
	}
	mark := v.page.Mark()
	if count == 1 {
		el.Backend = button
		s.warnf("the click that submitted the form is not in the recording; its only submit button was clicked")
		_, err = act.Click(ctx, el, act.ClickOptions{})
	} else {
		s.warnf("what submitted the form is not in the recording; Enter was pressed in %s", what(field))
		_, err = act.Press(ctx, &el, "Enter", 0)
	}
	if err != nil {
		return r.failure(ctx, err, "the submission of the form with "+what(field))
	}
	if _, err := v.page.Settle(ctx, mark); err != nil && fatal(err) {
		return r.failure(ctx, err, what(field))
	}
	return nil
}

func isStale(err error) bool {
	var stale *act.Stale
	return errors.As(err, &stale)
}

// switchTab goes on in the tab that the recording shows next.
func (r *runner) switchTab(ctx context.Context, it *plan.Intent, s *StepResult) *Failure {
	if it.After == nil {
		return &Failure{Code: NotReplayable, Text: "the recording does not say which tab it went on in"}
	}
	deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	for wait := 15 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		pages := r.context.Pages()
		var next *browser.Page
		for _, p := range pages {
			if p != r.page && verify.SamePage(it.After.URL, p.URL()) && (next == nil || verify.SameQuery(it.After.URL, p.URL()) || !verify.SameQuery(it.After.URL, next.URL())) {
				next = p // the newest of equals
			}
		}
		if next == nil && r.closed && verify.SamePage(it.After.URL, r.page.URL()) {
			next = r.page // where the replay went on when the tab closed
		}
		if next == nil && verify.SamePage(it.After.URL, r.page.URL()) && (it.Before == nil || !verify.SamePage(it.Before.URL, it.After.URL)) {
			s.warnf("the page opened in the same tab; recorded in a new one")
			next = r.page
		}
		if next != nil {
			r.page, r.closed = next, false
			r.known[next] = true
			r.hovered = nil
			return r.arrive(ctx, it, s)
		}
		if r.browser.Err() != nil {
			return r.failure(ctx, browser.ErrBrowserDied, "the tab")
		}
		if deadline.Err() != nil {
			if ctx.Err() != nil {
				return r.interrupted()
			}
			f := &Failure{Code: TabMissing, Text: "no tab shows " + clip(it.After.URL, 120)}
			for _, p := range pages {
				f.Evidence = append(f.Evidence, "open: "+clip(p.URL(), 120))
			}
			return f
		}
		pause(deadline, wait)
		s.Course.waited(AwaitsPage, "", wait, wait, r.requesting())
	}
}
