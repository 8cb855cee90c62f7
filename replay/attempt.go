package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/trace"
)

// attempts replays a trace until it passes, its retries are used up, or another attempt cannot end otherwise.
func attempts(ctx context.Context, t *trace.Trace, o Options) *Result {
	steps := plan.Make(t)
	var b *browser.Browser
	var earlier []*Result
	for n := 1; ; n++ {
		r := newRunner(t, steps, o, n)
		r.browser, r.suspects = b, failedSteps(earlier)
		if n == 1 {
			r.emit(Event{Kind: RunStarted, Total: len(steps)})
		}
		r.run(ctx)
		r.sum()
		b = r.browser
		if r.res.Failure != nil && n <= o.Retries && mayDiffer(r.res.Failure) && ctx.Err() == nil {
			r.emit(Event{Kind: RunRetried, Result: r.res})
			earlier = append(earlier, r.res)
			continue
		}
		r.res.Earlier = earlier
		if r.res.Failure == nil && len(earlier) > 0 {
			r.res.Verdict = Flaky
		}
		r.close()
		r.emit(Event{Kind: RunFinished, Result: r.res})
		return r.res
	}
}

// failedSteps are the places in the plan at which earlier attempts failed.
func failedSteps(earlier []*Result) map[int]bool {
	out := map[int]bool{}
	for _, r := range earlier {
		for _, s := range r.Steps {
			if s.Verdict == Failed {
				out[s.Index] = true
			}
		}
	}
	return out
}

// mayDiffer reports whether another attempt could end otherwise. What the recording or the command lacks stays lacking.
func mayDiffer(f *Failure) bool {
	switch f.Code {
	case SecretMissing, FileMissing, BlockedURL, NotReplayable, BrowserMissing, Interrupted:
		return false
	}
	return true
}

// newRunner prepares attempt n of a replay.
func newRunner(t *trace.Trace, steps []plan.Intent, o Options, n int) *runner {
	r := &runner{o: o, trace: t, plan: steps, attempt: n, filled: map[secretField]bool{}, blind: map[*browser.Page]bool{}}
	r.res = &Result{
		Schema: SchemaVersion, Trace: t.Name, File: t.File, Purpose: t.Purpose, Started: time.Now(), Steps: []StepResult{}, Attempt: n,
		Environment: Environment{Headed: o.Headed, Remote: o.Remote != "", Recorder: t.Recorder, Config: o.Config},
		Assertions:  r.asserted(),
	}
	for _, w := range t.Warnings {
		r.res.Warnings = append(r.res.Warnings, w.String())
	}
	return r
}

// open makes a fresh context with a tab, in the browser of the attempt before if that still lives. address is where the run
// starts, empty for the start of the recording.
func (r *runner) open(ctx context.Context, address string) *Failure {
	start, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	if f := r.launch(ctx, start); f != nil {
		return f
	}
	r.res.Environment.Chrome = r.browser.Version()
	r.res.Environment.Sandbox = true
	for _, n := range r.browser.Notes() {
		r.res.Warnings = append(r.res.Warnings, n)
		if strings.Contains(n, "--no-sandbox") {
			r.res.Environment.Sandbox = false
		}
	}
	w, h := r.viewport()
	r.res.Environment.Width, r.res.Environment.Height = w, h
	co := browser.ContextOptions{Width: w, Height: h, Dialogs: browser.DialogPolicy(r.o.Dialogs), CPUThrottle: r.o.CPUThrottle, Emulation: r.emulation(address), Scripts: []string{act.Sentry}}
	r.res.Environment.describe(co.Emulation)
	var err error
	if r.o.ReportDir != "" {
		co.DownloadDir, err = filepath.Abs(filepath.Join(r.o.ReportDir, "downloads"))
		if err == nil {
			err = os.MkdirAll(co.DownloadDir, 0o700)
		}
		if err != nil {
			return &Failure{Code: BrowserCrashed, Text: "the report directory cannot be used: " + err.Error()}
		}
	}
	if r.context, err = r.browser.NewContext(start, co); err == nil {
		r.page, err = r.context.NewPage(start)
	}
	if err != nil {
		r.leave()
		if ctx.Err() != nil {
			return r.interrupted()
		}
		return &Failure{Code: BrowserCrashed, Text: "no tab could be opened: " + err.Error()}
	}
	r.known, r.counters = map[*browser.Page]bool{r.page: true}, map[*browser.Page]*traffic{}
	return nil
}

// launch starts the browser unless there is one that lives.
func (r *runner) launch(ctx, start context.Context) *Failure {
	if r.browser != nil && r.browser.Err() == nil {
		return nil
	}
	r.close()
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
	return nil
}

// leave ends the context of the attempt.
func (r *runner) leave() {
	for _, t := range r.counters {
		t.stop()
	}
	if r.context != nil {
		r.context.Close()
	}
}

// close ends the browser.
func (r *runner) close() {
	if r.browser == nil {
		return
	}
	died := r.browser.Err() != nil
	if err := r.browser.Close(); err != nil && !died {
		r.res.Warnings = append(r.res.Warnings, "closing the browser: "+err.Error())
	}
	r.browser = nil
}
