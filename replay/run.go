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
	"os"
	"path/filepath"
	"strings"
	"time"

	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
)

// Run replays a trace in a fresh browser and closes the browser again. What goes wrong while it runs is in the result; the
// error is for options that make no sense. When ctx ends, the running step fails as interrupted and Run returns within
// seconds, with no browser left.
func Run(ctx context.Context, t *trace.Trace, o Options) (*Result, error) {
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if t == nil {
		return nil, errors.New("replay: no trace")
	}
	t = rebase(t, o.BaseURL)
	r := &runner{o: o, trace: t, plan: plan.Make(t)}
	r.res = &Result{
		Schema: SchemaVersion, Trace: t.Name, File: t.File, Purpose: t.Purpose, Started: time.Now(), Steps: []StepResult{},
		Environment: Environment{Headed: o.Headed, Remote: o.Remote != "", Recorder: t.Recorder},
	}
	for _, w := range t.Warnings {
		r.res.Warnings = append(r.res.Warnings, w.String())
	}
	r.emit(Event{Kind: RunStarted, Total: len(r.plan)})
	r.run(ctx)
	r.finish()
	return r.res, nil
}

// runner is one replay. It is used by one goroutine.
type runner struct {
	o     Options
	trace *trace.Trace
	plan  []plan.Intent
	res   *Result

	browser *browser.Browser
	context *browser.Context
	page    *browser.Page

	// at is the recorded state that the live page was confirmed to be in; nil when that is not known.
	at *trace.State
	// last is the recorded state that the last step led to, confirmed or not.
	last *trace.State
	// hovered are the hovers done on the current page, to open a menu again.
	hovered  []resolve.Query
	acted    *view                  // the page before the last action
	known    map[*browser.Page]bool // tabs seen so far
	counters map[*browser.Page]*traffic
	typed    []string // secret values that were typed into the page
}

func (r *runner) run(ctx context.Context) {
	if f := r.check(); f != nil {
		r.fail(f)
		return
	}
	if f := r.open(ctx); f != nil {
		r.fail(f)
		if r.browser != nil {
			r.browser.Close()
		}
		return
	}
	defer func() {
		r.context.Close()
		if err := r.browser.Close(); err != nil && r.browser.Err() == nil {
			r.res.Warnings = append(r.res.Warnings, "closing the browser: "+err.Error())
		}
	}()
	defer func() {
		for _, t := range r.counters {
			t.stop()
		}
	}()
	failed := false
	for i := range r.plan {
		s := r.result(i)
		if failed {
			s.Verdict = NotRun
			r.res.Steps = append(r.res.Steps, s)
			continue
		}
		r.emit(Event{Kind: StepStarted, Step: &s})
		r.step(ctx, &r.plan[i], i, &s)
		r.res.Steps = append(r.res.Steps, s)
		r.emit(Event{Kind: StepFinished, Step: &s})
		if s.Verdict == Failed {
			failed = true
			r.res.Failure = s.Failure
			continue
		}
		if r.o.Slow > 0 {
			pause(ctx, r.o.Slow)
		}
	}
	if !failed {
		r.linger(ctx)
	}
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

// check refuses what can be known to fail before a browser starts.
func (r *runner) check() *Failure {
	if len(r.plan) == 0 {
		return &Failure{Code: NotReplayable, Text: "the recording has nothing to replay"}
	}
	var missing []string
	for i := range r.plan {
		it := &r.plan[i]
		if it.To != "" && it.Kind != plan.Await && it.Kind != plan.Skip {
			if f := r.o.allowed(it.To); f != nil {
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

// open starts the browser and a tab of the recorded size.
func (r *runner) open(ctx context.Context) *Failure {
	start, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	b, err := browser.Launch(start, browser.Options{Path: r.o.Chrome, Remote: r.o.Remote, Headed: r.o.Headed, NoSandbox: r.o.NoSandbox, Log: r.o.Log})
	if err != nil {
		var none *browser.NotFoundError
		if errors.As(err, &none) {
			return &Failure{Code: BrowserMissing, Text: none.Error(), Hint: "run `retrace browser install`, or name one with --chrome"}
		}
		if ctx.Err() != nil {
			return r.interrupted()
		}
		return &Failure{Code: BrowserCrashed, Text: "the browser did not start: " + err.Error()}
	}
	r.browser = b
	r.res.Environment.Chrome = b.Version()
	r.res.Environment.Sandbox = true
	for _, n := range b.Notes() {
		r.res.Warnings = append(r.res.Warnings, n)
		if strings.Contains(n, "--no-sandbox") {
			r.res.Environment.Sandbox = false
		}
	}
	w, h := r.viewport()
	r.res.Environment.Width, r.res.Environment.Height = w, h
	co := browser.ContextOptions{Width: w, Height: h, Dialogs: browser.DialogPolicy(r.o.Dialogs)}
	if r.o.ReportDir != "" {
		co.DownloadDir, err = filepath.Abs(filepath.Join(r.o.ReportDir, "downloads"))
		if err == nil {
			err = os.MkdirAll(co.DownloadDir, 0o700)
		}
		if err != nil {
			return &Failure{Code: BrowserCrashed, Text: "the report directory cannot be used: " + err.Error()}
		}
	}
	if r.context, err = b.NewContext(start, co); err == nil {
		r.page, err = r.context.NewPage(start)
	}
	if err != nil {
		if ctx.Err() != nil {
			return r.interrupted()
		}
		return &Failure{Code: BrowserCrashed, Text: "no tab could be opened: " + err.Error()}
	}
	r.known, r.counters = map[*browser.Page]bool{r.page: true}, map[*browser.Page]*traffic{}
	return nil
}

// viewport is the size of the recorder's window, or the default.
func (r *runner) viewport() (w, h int) {
	for _, s := range r.trace.States {
		if s.Tree.Width >= 200 && s.Tree.Height >= 150 && s.Tree.Width <= 8000 && s.Tree.Height <= 8000 {
			return s.Tree.Width, s.Tree.Height
		}
	}
	return browser.DefaultWidth, browser.DefaultHeight
}

func (r *runner) emit(e Event) {
	e.Time, e.Trace = time.Now(), r.trace.Name
	r.o.OnEvent(e)
}

// fail ends the run before its first step.
func (r *runner) fail(f *Failure) {
	r.res.Failure = f
	for i := range r.plan {
		s := r.result(i)
		s.Verdict = NotRun
		r.res.Steps = append(r.res.Steps, s)
	}
}

func (r *runner) interrupted() *Failure {
	return &Failure{Code: Interrupted, Text: "the run was interrupted"}
}

func (r *runner) finish() {
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
		case BrowserCrashed, BrowserMissing, Interrupted:
			r.res.Verdict = Error
		}
	}
	if r.res.Failure == nil && r.res.Expected == 0 {
		r.res.Warnings = append(r.res.Warnings, "nothing that the steps changed could be verified")
	}
	r.emit(Event{Kind: RunFinished, Result: r.res})
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
