package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Times after which the outcomes are asked for anew, in case that a change was missed.
const (
	firstLook   = 5 * time.Second
	longestLook = time.Minute
)

// Collect waits for the outcomes of a batch and gives each of them to take once, in the order in which they come. It ends when
// all jobs of the batch had one, with ctx, and with the first error of take.
func (q *Queue) Collect(ctx context.Context, batch string, take func(Outcome) error) error {
	var m manifest
	err := again(ctx, "reading batch "+batch, func(ctx context.Context) error {
		e, err := q.outcomes.Get(ctx, batch+".manifest")
		if err == nil {
			err = json.Unmarshal(e.Value(), &m)
		}
		return err
	})
	if err != nil {
		return err
	}
	seen := map[int]bool{}
	for look := firstLook; len(seen) < m.Jobs; look = min(2*look, longestLook) {
		if err := q.look(ctx, batch, m.Jobs, look, seen, take); err != nil {
			return err
		}
	}
	return nil
}

// look takes the outcomes that are there, and those that come while it watches: until all are there, or none has come for so
// long.
func (q *Queue) look(ctx context.Context, batch string, jobs int, idle time.Duration, seen map[int]bool, take func(Outcome) error) error {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	var w jetstream.KeyWatcher
	err := again(ctx, "watching batch "+batch, func(context.Context) error {
		var err error
		w, err = q.outcomes.Watch(watching, batch+".*", jetstream.IgnoreDeletes())
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = w.Stop() }()
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for len(seen) < jobs {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case e, ok := <-w.Updates():
			if !ok {
				return nil
			}
			timer.Reset(idle)
			if e == nil { // all that was there has come
				continue
			}
			n, err := strconv.Atoi(strings.TrimPrefix(e.Key(), batch+"."))
			if err != nil || n < 0 || n >= jobs || seen[n] {
				continue
			}
			o, err := q.outcome(ctx, batch, n, e.Value())
			if err != nil {
				return err
			}
			seen[n] = true
			if err := take(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// outcome reads what a record names.
func (q *Queue) outcome(ctx context.Context, batch string, n int, value []byte) (Outcome, error) {
	var r record
	if err := json.Unmarshal(value, &r); err != nil {
		return Outcome{}, fmt.Errorf("outcome %s.%d: %w", batch, n, err)
	}
	o := Outcome{Job: Job{Batch: batch, Number: n, Name: r.Name}, Worker: r.Worker, Delivery: r.Delivery, SetAside: r.SetAside}
	var err error
	if r.Result != "" {
		if o.Result, err = q.get(ctx, r.Result); err != nil {
			return o, fmt.Errorf("outcome of %s: %w", r.Name, err)
		}
	}
	if r.Files != "" {
		if o.Files, err = q.get(ctx, r.Files); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return o, fmt.Errorf("outcome of %s: %w", r.Name, err)
		}
	}
	return o, nil
}
