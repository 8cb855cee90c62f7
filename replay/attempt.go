package replay

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/trace"
)

// maxLosses is how often a trace is repeated because its browser was lost, without counting as a retry.
const maxLosses = 2

// attempts replays a trace until it passes, its retries are used up, or another attempt cannot end otherwise.
func attempts(ctx context.Context, t *trace.Trace, o Options) *Result {
	steps := plan.Make(t)
	var held tenure
	var at home
	var earlier []*Result
	retries, losses := 0, 0
	for n := 1; ; n++ {
		r := newRunner(t, steps, o, n)
		r.tenure, r.home, r.suspects = held, at, failedSteps(earlier)
		if n == 1 {
			r.emit(Event{Kind: RunStarted, Total: len(steps)})
		}
		r.run(ctx)
		r.sum()
		held, at = r.tenure, r.home
		f := r.res.Failure
		again := f != nil && retries < o.Retries && mayDiffer(f) && ctx.Err() == nil
		r.res.Infrastructure = r.lost()
		if r.res.Infrastructure && !r.touched && losses < maxLosses && ctx.Err() == nil {
			losses++
			again = true
		} else if again {
			retries++
		}
		if again {
			r.emit(Event{Kind: RunRetried, Result: r.res})
			earlier = append(earlier, r.res)
			continue
		}
		if n := len(earlier); f != nil && f.Code == BrowserMissing && n > 0 && earlier[n-1].Infrastructure {
			r.res, earlier = earlier[n-1], earlier[:n-1] // the loss is what has to be told, not that there was no other browser
			r.res.Warnings = append(r.res.Warnings, "it could not be repeated: "+f.Text)
		}
		r.res.Earlier = earlier
		r.conclude()
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

// conclude says of a run that passed at a later attempt whether that was because of the pages, which makes it flaky, or because
// browsers were lost.
func (r *runner) conclude() {
	if r.res.Infrastructure && r.touched {
		r.res.Failure.Hint = "the browser was lost after the replay had acted, and to do that again may not be safe: --retries allows it"
	}
	if r.res.Failure != nil || len(r.res.Earlier) == 0 {
		return
	}
	var lost []string
	for _, e := range r.res.Earlier {
		if !e.Infrastructure {
			r.res.Verdict = Flaky
			continue
		}
		where := e.Environment.Endpoint
		if where == "" {
			where = "this machine"
		}
		lost = append(lost, where)
	}
	if len(lost) > 0 {
		r.res.Warnings = append(r.res.Warnings, "repeated since the browser was lost, on "+strings.Join(lost, ", "))
	}
}

// mayDiffer reports whether another attempt could end otherwise. What the recording or the command lacks stays lacking.
func mayDiffer(f *Failure) bool {
	switch f.Code {
	case SecretMissing, SecretOrigin, FileMissing, BlockedURL, NotReplayable, BrowserMissing, Interrupted, AuthUnusable, ReportUnusable:
		return false
	}
	return true
}

// newRunner prepares attempt n of a replay.
func newRunner(t *trace.Trace, steps []plan.Intent, o Options, n int) *runner {
	policy, err := o.policy()
	if err != nil {
		panic(err) // the options were checked
	}
	r := &runner{o: o, trace: t, plan: steps, attempt: n, policy: policy, filled: map[secretField]bool{}, blind: map[*browser.Page]bool{}}
	r.res = &Result{
		Schema: SchemaVersion, Trace: t.Name, File: t.File, Purpose: t.Purpose, Started: time.Now(), Steps: []StepResult{}, Attempt: n,
		Environment: Environment{Headed: o.Headed, Remote: o.remote(), Recorder: t.Recorder, Config: o.Config, Auth: o.Auth.Name(), Profile: o.Profile},
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
	r.res.Environment.Endpoint = r.endpoint()
	r.res.Environment.Chrome = r.browser.Version()
	r.res.Environment.Sandbox = true
	for _, n := range r.browser.Notes() {
		if strings.Contains(n, "--no-sandbox") {
			r.res.Environment.Sandbox = false // the views say so once
			continue
		}
		r.res.Warnings = append(r.res.Warnings, n)
	}
	w, h := r.viewport()
	w, h = max(w+r.o.Widen, 200), max(h+r.o.Heighten, 150)
	r.res.Environment.Width, r.res.Environment.Height = w, h
	co := browser.ContextOptions{Width: w, Height: h, Dialogs: browser.DialogPolicy(r.o.Dialogs), CPUThrottle: r.o.CPUThrottle, Emulation: r.emulation(address), Permissions: r.o.Permissions, DownloadLimit: r.o.DownloadLimit, DownloadName: r.o.downloadName, Scripts: []string{act.Sentry}, Stress: r.o.Stress}
	r.res.Environment.describe(co.Emulation)
	var err error
	if r.o.ReportDir != "" {
		if co.DownloadDir, err = filepath.Abs(r.o.ReportDir); err == nil {
			err = r.home.settle(r.o.ReportDir)
		}
		if err == nil {
			co.DownloadDir, err = makeDir(co.DownloadDir, "downloads")
		}
		if err != nil {
			return &Failure{Code: ReportUnusable, Text: "the report directory cannot be used: " + err.Error()}
		}
	}
	if err := r.guard(); err != nil {
		r.leave()
		return &Failure{Code: BrowserCrashed, Text: "connections cannot be watched: " + err.Error()}
	}
	if r.gateway != nil {
		co.Emulation.Proxy = "http://" + r.gateway.Addr()
	}
	if r.context, err = r.browser.NewContext(start, co); err == nil {
		r.page, err = r.context.NewPage(start)
	}
	code, text := BrowserCrashed, "no tab could be opened: "
	if err == nil {
		if err = r.restore(start); err != nil && start.Err() == nil && !fatal(err) {
			code, text = AuthUnusable, "the browser does not take the saved state: "
		}
	}
	if err != nil {
		r.leave()
		if ctx.Err() != nil {
			return r.interrupted()
		}
		return &Failure{Code: code, Text: text + err.Error()}
	}
	r.known, r.counters = map[*browser.Page]bool{r.page: true}, map[*browser.Page]*traffic{}
	return nil
}

// leave ends the context of the attempt.
func (r *runner) leave() {
	r.dropEarly()
	if r.context != nil {
		r.context.Close()
	}
	r.unguard()
}
