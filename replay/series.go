package replay

import (
	"context"
	"errors"
	"fmt"

	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/trace"
)

// Series replays traces one after the other in one browser, each in a fresh context. Its zero value is ready; it is used by one
// goroutine, and closed at the end.
type Series struct {
	// Pool lends the browser, so that several series can be in one; nil for a browser of its own.
	Pool *browser.Pool

	tenure tenure
}

// Run replays a trace once, as [Run] does, and leaves the browser open for the next one. Retries do not count. A browser that
// died is replaced. Options about the browser itself count when it is started.
func (s *Series) Run(ctx context.Context, t *trace.Trace, o Options) (*Result, error) {
	o.Pool = s.Pool
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if t == nil {
		return nil, errors.New("replay: no trace")
	}
	if move := mover(t.StartURL, o.BaseURL); move != nil {
		o.Assert = o.Assert.Moved(move)
	}
	t, o = moved(t, o)
	r := newRunner(t, plan.Make(t), o, 1)
	r.tenure = s.tenure
	r.emit(Event{Kind: RunStarted, Total: len(r.plan)})
	r.run(ctx)
	r.sum()
	s.tenure = r.tenure
	r.emit(Event{Kind: RunFinished, Result: r.res})
	return r.res, nil
}

// Close ends the browser, or gives it back to the pool.
func (s *Series) Close() error {
	held := s.tenure
	s.tenure = tenure{}
	switch {
	case held.lease != nil:
		return held.lease.Release()
	case held.browser != nil:
		return held.browser.Close()
	}
	return nil
}
