package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"retrace/e2e/peers"
)

// bench is one run of the command.
type bench struct {
	options
	bin, chrome, work string
	set               []tool // the first is measured against the others
}

// measure replays every flow with every tool, in turn.
func (b *bench) measure(ctx context.Context) (*document, error) {
	d := &document{
		Date: time.Now().UTC().Format(time.DateOnly), Machine: fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()), Versions: map[string]string{},
	}
	if err := b.versions(ctx, d); err != nil {
		return nil, err
	}
	pages := site()
	defer pages.Close()
	for _, f := range flows() {
		if b.only != "" && !one(f.Name, b.only) {
			continue
		}
		trace := filepath.Join(b.work, "flow")
		if err := os.RemoveAll(trace); err != nil {
			return nil, err
		}
		if err := f.make(pages.URL).write(trace); err != nil {
			return nil, err
		}
		r, err := b.flow(ctx, f, trace)
		if err != nil {
			return nil, err
		}
		d.Flows = append(d.Flows, r)
	}
	var err error
	if d.Alone, err = b.alone(ctx, pages.URL); err != nil {
		return nil, err
	}
	return d, nil
}

func (b *bench) versions(ctx context.Context, d *document) error {
	out, err := exec.CommandContext(ctx, b.chrome, "--version").Output()
	if err != nil {
		return fmt.Errorf("version of the browser: %w", err)
	}
	d.Versions["browser"] = string(out[:max(0, len(out)-1)])
	if b.against != "" {
		return nil
	}
	if d.Versions["node"], err = peers.NodeVersion(ctx); err != nil {
		return err
	}
	for _, t := range []peers.Tool{peers.Playwright, peers.Replay} {
		if d.Versions[t.Name], err = t.Version(); err != nil {
			return err
		}
	}
	return nil
}

// flow measures one flow. A tool that cannot do it is left out with what it said.
func (b *bench) flow(ctx context.Context, f flow, trace string) (flowResult, error) {
	r := flowResult{Name: f.Name, Tools: map[string]*toolResult{}}
	for _, t := range b.set {
		r.Tools[t.name] = &toolResult{}
	}
	rounds := b.rounds
	if f.Slow {
		rounds = (rounds + 2) / 3
	}
	for n := range rounds {
		for i := range b.set {
			t := b.set[(i+n)%len(b.set)] // each comes first at times
			res := r.Tools[t.name]
			if res.Failure != "" {
				continue
			}
			s, err := t.replay(ctx, trace, "", b.keep, nil)
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			if err != nil {
				res.Failure = err.Error()
				fmt.Fprintln(os.Stderr, err)
				continue
			}
			res.add(s)
			fmt.Fprintf(os.Stderr, "%-24s round %d  %-18s %7.1f ms a step, %5.0f ms to the first step, %6.0f ms in all\n", f.Name, n+1, t.name, s.PerStep, s.Start, s.Whole)
		}
	}
	for _, t := range b.set {
		res := r.Tools[t.name]
		res.sum(r.Tools[b.set[0].name])
		if !b.wire || res.Failure != "" {
			continue
		}
		var err error
		if res.Wire, err = t.count(ctx, b.chrome, trace); err != nil {
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return r, nil
}

// alone measures what has no peer.
func (b *bench) alone(ctx context.Context, base string) (alone, error) {
	var a alone
	info, err := os.Stat(b.bin)
	if err != nil {
		return a, err
	}
	a.BinaryMB = float64(info.Size()) / (1 << 20)
	trace := filepath.Join(b.work, "long")
	if err := form(base, 0, 50).write(trace); err != nil {
		return a, err
	}
	var took []float64
	for range 11 {
		start := time.Now()
		if out, err := exec.CommandContext(ctx, b.bin, "validate", trace).CombinedOutput(); err != nil {
			return a, fmt.Errorf("validate: %w\n%s", err, out)
		}
		took = append(took, float64(time.Since(start).Microseconds())/1000)
	}
	a.Validate = spreadOf(took)
	if b.many > 0 && b.against == "" {
		if a.Many, err = b.manyAtOnce(ctx, base, b.many); err != nil {
			return a, err
		}
	}
	if !b.long {
		return a, nil
	}
	if err := form(base, 0, 100).write(trace); err != nil {
		return a, err
	}
	a.Long, err = b.steady(ctx, trace)
	return a, err
}

// steady replays a long recording and compares its begin with its end.
func (b *bench) steady(ctx context.Context, trace string) (*long, error) {
	var memory []float64
	s, err := b.set[0].replay(ctx, trace, "", "", func(pid int) func() { return series(&memory, pid) })
	if err != nil {
		return nil, err
	}
	steps := s.times.Steps
	l := &long{Steps: len(steps)}
	var took []float64
	for _, st := range steps {
		took = append(took, st.Ended-st.Began)
	}
	n := min(100, len(took)/2)
	l.First, l.Last = spreadOf(took[n:2*n]), spreadOf(took[len(took)-n:])
	if len(memory) > 20 {
		l.EarlyMB, l.LateMB = spreadOf(memory[len(memory)/20:len(memory)/10]).Median, spreadOf(memory[len(memory)*9/10:]).Median
	}
	return l, nil
}
