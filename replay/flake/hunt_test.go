package flake

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/trace"
)

// played replays nothing: it says of a run what fails says of its conditions.
type played struct {
	fails   func(o replay.Options) *replay.Failure
	meet    int // so many of the first runs wait for one another
	met     sync.WaitGroup
	begun   atomic.Int64
	running atomic.Int64
	beside  atomic.Bool // something ran beside a run with a slower processor
}

func (p *played) replay(_ context.Context, _ *trace.Trace, o replay.Options) (*replay.Result, error) {
	defer p.running.Add(-1)
	slow := o.CPUThrottle > 1
	if n := p.running.Add(1); slow && n > 1 {
		p.beside.Store(true)
	}
	if p.begun.Add(1) <= int64(p.meet) {
		p.met.Done()
		p.met.Wait()
	}
	r := &replay.Result{Trace: "made", Verdict: replay.Passed}
	if r.Failure = p.fails(o); r.Failure != nil {
		r.Verdict = replay.Failed
	}
	for range 1000 { // others may begin now, if anything lets them
		runtime.Gosched()
		if slow && p.running.Load() > 1 {
			p.beside.Store(true)
		}
	}
	return r, nil
}

// hunted are the names and seeds of the runs of a hunt with workers, and the order in which they were told.
func hunted(t *testing.T, workers int, s Settings, fails func(replay.Options) *replay.Failure) (runs, told []string) {
	t.Helper()
	p := &played{fails: fails, meet: workers}
	p.met.Add(workers)
	label := func(r *Run) string { return fmt.Sprintf("%s %d %s", r.Name, r.Seed, r.Result.Verdict) }
	s.Workers = workers
	s.OnRun = func(r *Run, done, planned int) {
		told = append(told, label(r))
		if done != len(told) || planned < done {
			t.Errorf("%s is told as %d of %d", label(r), done, planned)
		}
	}
	h := &hunt{Settings: s, replay: p.replay}
	out, err := h.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.beside.Load() {
		t.Error("something ran beside a run with a slower processor")
	}
	for _, r := range out {
		runs = append(runs, label(r))
	}
	return runs, told
}

// TestWorkersChangeNothing runs the same hunt with one worker and with several.
func TestWorkersChangeNothing(t *testing.T) {
	stress, err := Stress("cpu,net,timers,locale-de-DE", 1)
	if err != nil {
		t.Fatal(err)
	}
	covered := &replay.Failure{Code: replay.TargetCovered}
	fails := func(o replay.Options) *replay.Failure {
		if o.CPUThrottle == 4 || o.Stress.Jitter > 0 && o.Stress.Seed == 2 || o.Stress.Timers > 0 {
			return covered
		}
		return nil
	}
	s := Settings{Runs: 20, Stress: stress, Seed: 1}
	want, told := hunted(t, 1, s, fails)
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("they were told in another order: %s", diff)
	}
	for _, again := range []string{"cpu-4x 1 failed", "net-jitter 2 failed", "timers-late 2 failed"} {
		if n := len(slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s != again })); n != map[bool]int{true: 3, false: 2}[again[:3] == "net"] {
			t.Errorf("%s %d times", again, n)
		}
	}
	for _, workers := range []int{2, 5} {
		got, told := hunted(t, workers, s, fails)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("%d workers, as they were told: %s", workers, diff)
		}
	}
}

// TestNothingIsRepeated after failures that say nothing about stress, or that no other run can avoid.
func TestNothingIsRepeated(t *testing.T) {
	stress, err := Stress("net", 1)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Runs: 4, Stress: stress}
	if runs, _ := hunted(t, 2, s, func(replay.Options) *replay.Failure { return &replay.Failure{Code: replay.TargetMissing} }); len(runs) != 6 {
		t.Errorf("a recording that always fails: %q", runs)
	}
	if runs, _ := hunted(t, 2, s, func(replay.Options) *replay.Failure { return &replay.Failure{Code: replay.SecretMissing} }); len(runs) != 1 {
		t.Errorf("a secret is missing: %q", runs)
	}
	wrong := errors.New("no such option")
	h := &hunt{Settings: s, replay: func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error) { return nil, wrong }}
	if runs, err := h.all(t.Context()); len(runs) != 0 || !errors.Is(err, wrong) {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// TestInterruptedHunt gives the runs that are complete.
func TestInterruptedHunt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var n atomic.Int64
	h := &hunt{Settings: Settings{Runs: 9, Workers: 1}, replay: func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error) {
		if n.Add(1) < 4 {
			return &replay.Result{Verdict: replay.Passed}, nil
		}
		cancel()
		return &replay.Result{Verdict: replay.Error, Failure: &replay.Failure{Code: replay.Interrupted}}, nil
	}}
	if runs, err := h.all(ctx); len(runs) != 3 || err != nil {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}
