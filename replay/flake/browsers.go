package flake

import (
	"context"
	"errors"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

// browsers are where the runs of a hunt take place: side by side in contexts of one Chrome, which keeps what belongs to different
// contexts in different processes.
type browsers struct {
	pool *browser.Pool       // nil when there is one worker, or the browser runs already
	idle chan *replay.Series // those that no run uses; as many as there are workers
}

func newBrowsers(s Settings) *browsers {
	b := &browsers{idle: make(chan *replay.Series, s.Workers)}
	if o := s.Replay; s.Workers > 1 && o.Remote == "" {
		b.pool = browser.NewPool(browser.PoolOptions{
			Options: browser.Options{Path: o.Chrome, Headed: o.Headed, NoSandbox: o.NoSandbox, Protocol: o.Protocol, Log: o.Log},
		})
	}
	for range s.Workers {
		b.idle <- &replay.Series{Pool: b.pool}
	}
	return b
}

// replay replays a trace in the browser of a worker that is free.
func (b *browsers) replay(ctx context.Context, t *trace.Trace, o replay.Options) (*replay.Result, error) {
	s := <-b.idle
	defer func() { b.idle <- s }()
	return s.Run(ctx, t, o)
}

// close ends the browsers, after the last run.
func (b *browsers) close() error {
	var errs []error
	for range cap(b.idle) {
		errs = append(errs, (<-b.idle).Close())
	}
	if b.pool != nil {
		errs = append(errs, b.pool.Close())
	}
	return errors.Join(errs...)
}
