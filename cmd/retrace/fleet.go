package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"retrace/replay"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// fleet is the replay of many recordings side by side.
type fleet struct {
	*app
	o    *runOptions
	out  *outputs
	jobs []job
	dirs []runDir

	mu     sync.Mutex
	worst  int // exit code so far
	failed int // runs that did not pass
}

// run replays recording i and tells of it. It reports whether further ones are to be started.
func (f *fleet) run(ctx context.Context, i int, spare func()) bool {
	defer f.out.lanes.Done(i)
	result, err := f.replayOne(ctx, i, spare)
	if err != nil {
		f.out.lanes.Do(i, func() { f.complain(f.out.mask.String(err.Error()), "") })
		if errors.Is(err, report.ErrReplaced) {
			f.note(exitFailed)
		} else {
			f.note(exitUsage)
		}
		return false
	}
	code := exitOf(result, f.o.ci.failOnFlaky)
	f.out.lanes.Do(i, func() {
		if err := f.out.patch(f.app, result, f.dirs[i]); err != nil {
			f.complain(f.out.mask.String(err.Error()), "")
			f.note(exitFailed)
		}
	})
	failed := f.note(code)
	return (f.o.many.maxFailures == 0 || failed < f.o.many.maxFailures) && (result.Failure == nil || result.Failure.Code != replay.BrowserMissing)
}

// note keeps the worst exit code, and counts what did not pass.
func (f *fleet) note(code int) (failed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.worst = max(f.worst, code)
	if code != exitPassed {
		f.failed++
	}
	return f.failed
}

func (f *fleet) replayOne(ctx context.Context, i int, spare func()) (*replay.Result, error) {
	t, err := f.jobs[i].load(f.app)
	if err != nil {
		return nil, errors.Join(errors.New("a recording changed after it was checked"), err)
	}
	options := f.o.of(i)
	options.Assert = f.jobs[i].assert
	options.ReportDir = f.dirs[i].path
	if options.ReportDir != "" {
		if err := f.out.place.Intact(); err != nil {
			return nil, err
		}
		if err := report.MakeDir(options.ReportDir); err != nil {
			return nil, err
		}
	}
	options.OnLinger = spare
	options.OnFailed = f.o.watch.paused(f.app, f.out.mask, options.Headed)
	options.OnEvent = report.Tee(f.out.mask, f.dirs[i].name, f.out.lane(i))
	return f.guarded(ctx, t, options)
}

// guarded replays a recording. A panic on the way is an error like any other, so that its text is masked and the results of the
// other runs are written; what the browser leaves is removed by the next start.
func (f *fleet) guarded(ctx context.Context, t *trace.Trace, o replay.Options) (result *replay.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			o.Log.Error("panic", "value", p, "stack", string(debug.Stack()))
			result, err = nil, fmt.Errorf("%s: internal error: %v (run it with --verbose and report it)", t.Name, p)
		}
	}()
	return f.app.replay(ctx, t, o)
}
