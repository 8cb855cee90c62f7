package flake

import (
	"context"
	"fmt"

	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

// Run is one replay.
type Run struct {
	Variant
	Result *replay.Result
	// Pages are the pages on which the searches for targets ended, by the index of the planned step.
	Pages map[int]Page
}

// failed reports whether a step of the run failed.
func (r *Run) failed() bool { return r.Result.Verdict == replay.Failed }

// mute reports whether the run failed since the browser did not answer.
func (r *Run) mute() bool {
	for i := range r.Result.Steps {
		if s := (sample{run: r, i: i, step: &r.Result.Steps[i]}); s.failed() && s.mute() {
			return true
		}
	}
	return false
}

// lost reports whether the run says nothing about the page: there was no browser, or it was interrupted.
func (r *Run) lost() bool { return r.Result.Verdict == replay.Error }

// Settings say how often and how a recording is replayed.
type Settings struct {
	// Runs is how often it is replayed as it is.
	Runs int
	// Stress are the variants that follow, each a tenth as often as Runs and at least once.
	Stress []Variant
	// Seed begins all random numbers.
	Seed uint64
	// Replay are the options of each run; what concerns stress and diagnosis is set here. ReportDir gives the directory of a run's
	// files, and may be nil.
	Replay    replay.Options
	ReportDir func(run int, v Variant) (string, error)
	// OnRun is called after each run, with the number of runs that are planned by now.
	OnRun func(r *Run, done, planned int)
}

// again is how often a variant that failed is repeated when the recording passes without it: what failed once may be chance.
const again = 2

// enoughFailures is after how many failures it is known whether what was lacking comes later.
const enoughFailures = 5

// Hunt replays a recording as the settings say. When ctx ends, it returns the runs that are complete. An error is about the
// settings.
func Hunt(ctx context.Context, t *trace.Trace, s Settings) (runs []*Run, err error) {
	var series replay.Series
	defer func() {
		if e := series.Close(); err == nil && e != nil {
			err = fmt.Errorf("closing the browser: %w", e)
		}
	}()
	var todo []Variant
	for i := range s.Runs {
		todo = append(todo, plain(s.Seed+uint64(i)))
	}
	for _, v := range s.Stress {
		for i := range max(1, s.Runs/10) {
			v.Seed = s.Seed + uint64(i)
			todo = append(todo, v)
		}
	}
	repeats, failed := map[string]int{}, 0
	s.Replay.Aftermath = s.Replay.Timeout
	for i := 0; i < len(todo) && ctx.Err() == nil; i++ {
		run, err := once(ctx, &series, t, s, i, todo[i])
		if err != nil {
			return runs, err
		}
		if run.lost() && ctx.Err() != nil {
			break
		}
		runs = append(runs, run)
		if run.failed() {
			if failed++; failed == enoughFailures {
				s.Replay.Aftermath = 0 // those before have told whether what lacks is only late
			}
		}
		if v := run.Variant; v.Kind != Plain && run.failed() && repeats[v.Name] < again && mostlyPass(runs) {
			repeats[v.Name]++
			todo = append(todo[:i+1:i+1], append([]Variant{v}, todo[i+1:]...)...)
		}
		if s.OnRun != nil {
			s.OnRun(run, len(runs), len(todo))
		}
		if f := run.Result.Failure; f != nil && (f.Code == replay.BrowserMissing || final(f.Code)) {
			break
		}
	}
	return runs, nil
}

// final reports whether no other run can end otherwise.
func final(c replay.Code) bool {
	switch c {
	case replay.SecretMissing, replay.FileMissing, replay.BlockedURL, replay.NotReplayable:
		return true
	}
	return false
}

// mostlyPass reports whether more than half of the plain runs passed; so do none.
func mostlyPass(runs []*Run) bool {
	n, passed := 0, 0
	for _, r := range runs {
		if r.Kind == Plain && !r.lost() {
			n++
			if !r.failed() {
				passed++
			}
		}
	}
	return 2*passed > n || n == 0
}

func once(ctx context.Context, series *replay.Series, t *trace.Trace, s Settings, i int, v Variant) (*Run, error) {
	run := &Run{Variant: v, Pages: map[int]Page{}}
	o := v.Options(s.Replay)
	o.Diagnose, o.Propose, o.Retries = true, o.Match != "tolerant", 0
	o.OnDecided = func(index int, page *axtree.Tree, target *axtree.Node) { run.Pages[index] = newPage(page, target) }
	var err error
	if s.ReportDir != nil {
		if o.ReportDir, err = s.ReportDir(i, v); err != nil {
			return nil, err
		}
	}
	run.Result, err = series.Run(ctx, t, o)
	return run, err
}
