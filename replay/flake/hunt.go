package flake

import (
	"context"
	"fmt"
	"sync"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

// Settings say how often and how a recording is replayed.
type Settings struct {
	// Runs is how often it is replayed as it is.
	Runs int
	// Stress are the variants that follow, each a tenth as often as Runs and at least once.
	Stress []Variant
	// Seed begins all random numbers.
	Seed uint64
	// Workers is how many runs there are at a time; 0 means one. Those with a slower processor are always alone.
	Workers int
	// Replay are the options of each run; what concerns stress and diagnosis is set here. ReportDir gives the directory of a run's
	// files, and may be nil; it is called from one goroutine at a time.
	Replay    replay.Options
	ReportDir func(run int, v Variant) (string, error)
	// OnRun is called for each run, in their order, with the number of runs that are planned by now.
	OnRun func(r *Run, done, planned int)
}

// again is how often a variant that failed is repeated when the recording passes without it: what failed once may be chance.
const again = 2

// enoughFailures is after how many failures it is known whether what was lacking comes later.
const enoughFailures = 5

// Hunt replays a recording as the settings say: first as it is, then under stress, then again under the stress under which it
// failed. How many runs there are at a time does not change which runs there are, nor their order. When ctx ends, it returns the
// runs that are complete. An error is about the settings.
func Hunt(ctx context.Context, t *trace.Trace, s Settings) (runs []*Run, err error) {
	s.Workers = max(1, s.Workers)
	if s.Replay.Timeout == 0 {
		s.Replay.Timeout = replay.DefaultTimeout
	}
	b := newBrowsers(s)
	defer func() {
		if e := b.close(); err == nil && e != nil {
			err = fmt.Errorf("closing the browser: %w", e)
		}
	}()
	h := &hunt{Settings: s, trace: t, replay: b.replay}
	return h.all(ctx)
}

// all replays everything that the settings ask for.
func (h *hunt) all(ctx context.Context) ([]*Run, error) {
	var asIs, stressed []Variant
	for i := range h.Runs {
		asIs = append(asIs, plain(h.Seed+uint64(i)))
	}
	for _, v := range h.Stress {
		for i := range max(1, h.Runs/10) {
			v.Seed = h.Seed + uint64(i)
			stressed = append(stressed, v)
		}
	}
	h.planned = len(asIs) + len(stressed)
	h.repeatAlone(ctx, h.each(ctx, asIs))
	last, repeats := h.each(ctx, stressed), map[string]int{}
	for range again {
		todo := h.doubtful(last, repeats)
		h.planned += len(todo)
		last = h.each(ctx, todo)
	}
	return h.runs, h.err
}

// hunt is one call of [Hunt].
type hunt struct {
	Settings
	trace   *trace.Trace
	replay  func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error)
	planned int

	// processor is held by runs for which the processor is slowed down, each alone, and shared by all others. Chrome slows a page
	// down by keeping its thread busy: such a run takes a whole processor, and what it says depends on having one.
	processor sync.RWMutex

	mu     sync.Mutex
	failed int

	runs []*Run // complete, in their order
	over bool   // nothing else is to be run
	err  error
}

// each replays the recording once for each variant, and gives the runs that are complete.
func (h *hunt) each(ctx context.Context, todo []Variant) []*Run {
	if h.over || h.err != nil || ctx.Err() != nil {
		return nil
	}
	before := len(h.runs)
	var order batch.Lanes
	batch.Run(ctx, len(todo), h.Workers, func(i int) bool {
		run, err := h.once(ctx, before+i, todo[i])
		order.Do(i, func() { h.ended(ctx, run, err) })
		order.Done(i)
		return err == nil && !run.final()
	})
	return h.runs[before:]
}

// ended takes the next run in order.
func (h *hunt) ended(ctx context.Context, run *Run, err error) {
	switch {
	case h.over || h.err != nil:
	case err != nil:
		h.err = err
	case run.lost() && ctx.Err() != nil:
		h.over = true
	default:
		h.runs = append(h.runs, run)
		h.over = run.final()
		if h.OnRun != nil {
			h.OnRun(run, len(h.runs), h.planned)
		}
	}
}

// once replays the recording under the conditions of a variant.
func (h *hunt) once(ctx context.Context, i int, v Variant) (*Run, error) {
	if v.Kind == CPU {
		h.processor.Lock()
		defer h.processor.Unlock()
	} else {
		h.processor.RLock()
		defer h.processor.RUnlock()
	}
	run := &Run{Variant: v, Pages: map[int]Page{}}
	o := v.Options(h.Settings.Replay)
	o.Diagnose, o.Propose, o.Retries = true, o.Match != "tolerant", 0
	o.OnDecided = func(index int, page *axtree.Tree, target *axtree.Node) { run.Pages[index] = newPage(page, target) }
	err := h.prepare(&o, i, v)
	if err != nil {
		return nil, err
	}
	run.Result, err = h.replay(ctx, h.trace, o)
	if err == nil && run.failed() {
		h.mu.Lock()
		h.failed++
		h.mu.Unlock()
	}
	return run, err
}

// prepare sets what depends on the runs before.
func (h *hunt) prepare(o *replay.Options, i int, v Variant) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed < enoughFailures { // else those before have told whether what lacks is only late
		o.Aftermath = o.Timeout
	}
	if h.ReportDir != nil {
		o.ReportDir, err = h.ReportDir(i, v)
	}
	return err
}

// repeatAlone repeats runs that failed while the machine had no processor for their pages, with nothing beside them: those tell of
// the page. They are few, since a machine that is too busy stays so.
func (h *hunt) repeatAlone(ctx context.Context, runs []*Run) {
	var todo []Variant
	for _, r := range runs {
		if r.starved(float64(h.Settings.Replay.Timeout.Milliseconds())) && len(todo) < max(1, h.Runs/mostAlone) {
			todo = append(todo, r.Variant)
		}
	}
	workers := h.Workers
	defer func() { h.Workers = workers }()
	h.Workers = 1
	h.planned += len(todo)
	h.each(ctx, todo)
}

// mostAlone bounds the runs that are repeated alone: to one in so many.
const mostAlone = 4

// doubtful are the variants of the stressed runs that failed while the plain ones pass, and are to be repeated.
func (h *hunt) doubtful(stressed []*Run, repeats map[string]int) []Variant {
	var out []Variant
	for _, r := range stressed {
		if r.failed() && repeats[r.Name] < again && mostlyPass(h.runs) {
			repeats[r.Name]++
			out = append(out, r.Variant)
		}
	}
	return out
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
