// Package replay does a recorded task again: it plans the recording, drives a browser through it step by step, and says of
// every step what it looked for, what it found, what it did and what changed.
//
// [Run] is the way in. A step goes through the same stations each time: the gate (is this the page that the step was
// recorded on?), the search for the target, the action, the wait until what it set off has settled, and the check of the
// recorded effect. What happens is told in [Event]s while it happens and in the [Result] at the end; everything that
// people see is a view of those.
package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/gateway"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/urlpolicy"
	"retrace/resolve"
)

// Run replays a trace in a fresh browser and closes the browser again, or in one that the pool of the options lends; a run that failed is repeated as often as the options
// allow, in a fresh context. What goes wrong while it runs is in the result; the error is for options that make no sense. When ctx ends, the running step fails as interrupted and Run returns within
// seconds, with no browser left.
func Run(ctx context.Context, t *trace.Trace, o Options) (*Result, error) {
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if t == nil {
		return nil, errors.New("replay: no trace")
	}
	if err := o.Assert.Check(stepIDs(t)); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if move := mover(t.StartURL, o.BaseURL); move != nil {
		o.Assert = o.Assert.Moved(move)
	}
	t, o = moved(t, o)
	return attempts(ctx, t, o), nil
}

func stepIDs(t *trace.Trace) []int {
	ids := make([]int, len(t.Steps))
	for i, s := range t.Steps {
		ids[i] = s.ID
	}
	return ids
}

// runner is one attempt at a replay. It is used by one goroutine.
type runner struct {
	o       Options
	trace   *trace.Trace
	plan    []plan.Intent
	attempt int // from 1
	res     *Result

	tenure
	home    home
	context *browser.Context
	page    *browser.Page

	// at is the recorded state that the live page was confirmed to be in; nil when that is not known.
	at *trace.State
	// last is the recorded state that the last step led to, confirmed or not.
	last *trace.State
	// hovered are the hovers done on the current page, to open a menu again.
	hovered  []resolve.Query
	shown    *standing              // the effect of the running step as far as the page has shown it
	earlier  *standing              // the same of the step before
	closed   bool                   // the tab closed itself, and the replay went on in another
	acted    *view                  // the page before the last action
	known    map[*browser.Page]bool // tabs seen so far
	counters map[*browser.Page]*traffic
	filled   map[secretField]bool   // fields that a secret was typed into
	blind    map[*browser.Page]bool // tabs that gave no picture in time
	suspects map[int]bool           // planned steps that failed at an attempt before
	aimed    target                 // what the running step acts on
	seen     *view                  // the page as the running step saw it last
	touched  bool                   // something was clicked, typed or pressed, which may have had an effect outside of the browser
	policy   *urlpolicy.Policy
	gateway  *gateway.Gateway // nil without rules about hosts
	objects  map[cdp.Session]*act.Objects
	size     size
	turns    int      // how often the page was listened to
	early    *lookout // the look at the page that was begun while the last step came to its end
	gauges   gauge
	awaited  *standing // the effect of the running step that was not seen in time
}

func (r *runner) run(ctx context.Context) {
	if f := r.check(len(r.plan) - 1); f != nil {
		r.fail(f)
		return
	}
	if f := r.open(ctx, ""); f != nil {
		r.fail(f)
		return
	}
	defer r.leave()
	defer r.starved() // its readings come from the pages
	failed := false
	for i := range r.plan {
		s := r.result(i)
		if failed {
			r.skip(s)
			continue
		}
		r.emit(Event{Kind: StepStarted, Step: &s})
		r.step(ctx, &r.plan[i], i, &s)
		if i == len(r.plan)-1 && s.Verdict != Failed {
			if r.o.OnLinger != nil {
				r.o.OnLinger()
			}
			r.linger(ctx)
			r.stands(ctx, &s)
			r.collectTraffic(&s)
		}
		r.res.Steps = append(r.res.Steps, s)
		r.emit(Event{Kind: StepFinished, Step: &s})
		if s.Verdict == Failed {
			failed = true
			r.res.Failure = s.Failure
			if r.o.OnFailed != nil && ctx.Err() == nil {
				r.plan = slices.Clone(r.plan) // a target that is tried is not for the next attempt
				r.o.OnFailed(ctx, &Debugger{r: r, at: i})
			}
			continue
		}
		if r.o.Slow > 0 {
			pause(ctx, r.o.Slow)
		}
	}
	if !failed {
		if r.res.Failure = r.holds(ctx, r.o.Assert.At()); r.res.Failure != nil {
			r.shoot(ctx, &r.res.Steps[len(r.res.Steps)-1], AtFailure)
		}
		r.hand(ctx)
	}
}

// skip notes a step that is not run.
func (r *runner) skip(s StepResult) {
	s.Verdict = NotRun
	r.res.Steps = append(r.res.Steps, s)
	r.emit(Event{Kind: StepFinished, Step: &s})
}

// result prepares the result of planned step i.
func (r *runner) result(i int) StepResult {
	it := &r.plan[i]
	s := StepResult{Index: i, Steps: []int{}, Op: string(it.Kind), Title: title(it)}
	if it.Step != nil {
		s.Op = string(it.Step.Op)
	}
	for _, c := range it.Covers {
		s.Steps = append(s.Steps, c.ID)
	}
	for _, why := range it.Reasons {
		s.Planned = append(s.Planned, why.Text)
	}
	return s
}

// check refuses what can be known to fail before a browser starts, in the planned steps up to last.
func (r *runner) check(last int) *Failure {
	if len(r.plan) == 0 {
		return &Failure{Code: NotReplayable, Text: "the recording has nothing to replay"}
	}
	var missing []string
	for i := range r.plan[:last+1] {
		it := &r.plan[i]
		if it.To != "" && it.Kind != plan.Await && it.Kind != plan.Skip {
			if f := r.allowed(it.To); f != nil {
				return f
			}
		}
		if key := r.needsSecret(it); key != "" {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		return &Failure{
			Code: SecretMissing, Text: "values that the recording does not hold are missing: " + strings.Join(missing, ", "),
			Hint: "supply them with --secrets FILE or --secret KEY=env:NAME",
		}
	}
	return nil
}

// needsSecret names the value that a step lacks; "" when it has all.
func (r *runner) needsSecret(it *plan.Intent) string {
	s := it.Step
	if s == nil || it.Kind != plan.Fill && it.Kind != plan.Select {
		return ""
	}
	if _, ok := r.o.Secrets.lookup(s); ok {
		return ""
	}
	lacking := it.Kind == plan.Fill && s.Redacted
	if it.Kind == plan.Select && s.Selection == nil {
		lacking = r.shownChoice(it) == "" && r.redactedTrace()
	}
	if !lacking {
		return ""
	}
	if s.Target != nil && s.Target.Name != "" {
		return fmt.Sprintf("%q (step %d)", clip(resolve.StripSuffix(s.Target.Name), 80), s.ID)
	}
	return fmt.Sprintf("%d", s.ID)
}

// redactedTrace reports whether the recording was made with its values left out.
func (r *runner) redactedTrace() bool {
	for _, s := range r.trace.Steps {
		if s.Redacted {
			return true
		}
	}
	return false
}

// viewport is the size that was asked for, that of the recorder's window, or the default.
func (r *runner) viewport() (w, h int) {
	if r.o.Width != 0 {
		return r.o.Width, r.o.Height
	}
	for _, s := range r.trace.States {
		if s.Tree.Width >= 200 && s.Tree.Height >= 150 && s.Tree.Width <= 8000 && s.Tree.Height <= 8000 {
			return s.Tree.Width, s.Tree.Height
		}
	}
	return browser.DefaultWidth, browser.DefaultHeight
}

// since is the present time, counted from an earlier one: the times of one run fit each other, and the durations between them,
// also when the clock of the machine is set meanwhile and they have been written to a file.
func since(start time.Time) time.Time { return start.Add(time.Since(start)) }

func (r *runner) emit(e Event) {
	e.Time, e.Trace, e.Attempt = since(r.res.Started), r.trace.Name, r.attempt
	r.o.OnEvent(e)
}

// fail ends the run before its first step.
func (r *runner) fail(f *Failure) {
	r.res.Failure = f
	for i := range r.plan {
		r.skip(r.result(i))
	}
}

func (r *runner) interrupted() *Failure {
	return &Failure{Code: Interrupted, Text: "the run was interrupted"}
}

// sum writes what the steps and assertions add up to into the result.
func (r *runner) sum() {
	r.res.DurationMS = ms(time.Since(r.res.Started))
	r.res.Verdict = Passed
	for _, s := range r.res.Steps {
		if s.Verdict == Warned {
			r.res.Verdict = Warned
		}
		if s.Effect != nil && s.Effect.Verdict != "nothing_to_check" {
			r.res.Expected++
			if s.Effect.Verdict == "confirmed" {
				r.res.Confirmed++
			}
		}
	}
	if f := r.res.Failure; f != nil {
		r.res.Verdict = Failed
		switch f.Code {
		case BrowserCrashed, BrowserMissing, Interrupted, AuthUnusable, ReportUnusable:
			r.res.Verdict = Error
		}
	}
	if r.res.Failure == nil && r.res.Expected == 0 && len(r.res.Assertions) == 0 {
		r.res.Warnings = append(r.res.Warnings, "nothing that the steps changed could be verified")
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
