package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Worker does jobs.
type Worker struct {
	// Name is told with the outcomes.
	Name string
	// AtATime is how many jobs it does at a time; 0 means one.
	AtATime int
	// Drain ends the work when the queue is empty.
	Drain bool
	// Do does one job, whose bundle is data, and gives what is to be recorded. An error gives the job to another worker. When ctx
	// ends it should return soon; the job is given back whatever it returns.
	Do func(ctx context.Context, j Job, data []byte) (result, files []byte, err error)
	// Log receives what happens; nil discards it.
	Log *slog.Logger
}

// poll is how long a worker without work waits in one request.
const poll = 5 * time.Second

// Work does jobs until ctx ends, or, for one that drains, until the queue is empty.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	var all sync.WaitGroup
	errs := make([]error, max(1, w.AtATime))
	for i := range errs {
		all.Go(func() { errs[i] = q.worker(ctx, w) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// worker does one job after the other.
func (q *Queue) worker(ctx context.Context, w Worker) error {
	for wait := shortestWait; ctx.Err() == nil; {
		short, cancel := context.WithTimeout(ctx, poll)
		msg, err := q.work.Next(jetstream.FetchContext(short))
		cancel()
		switch {
		case err == nil:
			wait = shortestWait
			q.handle(ctx, w, msg)
			continue
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoHeartbeat):
		case final(err):
			return fmt.Errorf("asking for work: %w", err)
		default:
			w.Log.Debug("asking for work", "error", err)
			pause(ctx, wait)
			wait = min(2*wait, longestWait)
		}
		if !w.Drain {
			continue
		}
		if n, err := q.Waiting(ctx); err == nil && n == 0 {
			return nil
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// handle does the job of a message, records the outcome, and only then takes it out of the queue.
func (q *Queue) handle(ctx context.Context, w Worker, msg jetstream.Msg) {
	var j Job
	meta, err := msg.Metadata()
	if err == nil {
		err = json.Unmarshal(msg.Data(), &j)
	}
	if err != nil || CheckName(j.Batch) != nil {
		w.Log.Error("a message is no job and is dropped", "error", err)
		_ = msg.TermWithReason("is no job")
		return
	}
	j.Delivery = int(meta.NumDelivered)
	log := w.Log.With("batch", j.Batch, "number", j.Number, "name", j.Name, "delivery", j.Delivery)
	beating, stop := context.WithCancel(ctx)
	var beat sync.WaitGroup
	beat.Go(func() { q.heartbeat(beating, msg) })
	defer beat.Wait()
	defer stop()
	if err := q.settle(ctx, w, j); err != nil {
		log.Warn("given back", "error", err)
		if ctx.Err() != nil {
			_ = msg.Nak() // at once: this worker goes away
		} else {
			_ = msg.NakWithDelay(q.config.Silence / 3)
		}
		return
	}
	// When this is lost, the job comes again, and its outcome is found.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := msg.DoubleAck(end); err != nil {
		log.Debug("not acknowledged", "error", err)
	}
}

// settle makes sure that a job has an outcome.
func (q *Queue) settle(ctx context.Context, w Worker, j Job) error {
	err := again(ctx, "looking for an outcome", func(ctx context.Context) error {
		_, err := q.outcomes.Get(ctx, j.key())
		return err
	})
	if err == nil || !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	if j.Delivery > q.config.MaxDeliveries {
		why := fmt.Sprintf("%d workers were given it, and none came to an end", j.Delivery-1)
		return q.record(ctx, j, record{Worker: w.Name, Delivery: j.Delivery, SetAside: why})
	}
	data, err := q.get(ctx, j.Bundle)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return q.record(ctx, j, record{Worker: w.Name, Delivery: j.Delivery, SetAside: "its recording is no longer stored"})
	}
	if err != nil {
		return err
	}
	if "bundle-"+digest(data) != j.Bundle {
		return errors.New("the stored recording is damaged")
	}
	result, files, err := w.Do(ctx, j, data)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	// Named by this delivery alone, so that two workers with the same job do not overwrite each other.
	r := record{Worker: w.Name, Delivery: j.Delivery}
	name := j.key() + "." + nuid.Next()
	if len(files) > 0 {
		r.Files = name + ".files"
		if err := q.put(ctx, r.Files, files); err != nil {
			return err
		}
	}
	r.Result = name + ".result"
	if err := q.put(ctx, r.Result, result); err != nil {
		return err
	}
	return q.record(ctx, j, r)
}

// record records an outcome. When there is one already, ours is thrown away.
func (q *Queue) record(ctx context.Context, j Job, r record) error {
	r.Name, r.At = j.Name, time.Now().UTC()
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("outcome of %s: %w", j.Name, err)
	}
	there, err := q.create(ctx, j.key(), data)
	if err != nil {
		return err
	}
	if string(there) != string(data) {
		for _, name := range []string{r.Result, r.Files} {
			if name != "" {
				_ = q.files.Delete(ctx, name) // else it expires
			}
		}
	}
	return nil
}

// heartbeat tells the server again and again that the job is being done.
func (q *Queue) heartbeat(ctx context.Context, msg jetstream.Msg) {
	tick := time.NewTicker(q.config.Silence / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = msg.InProgress() // the next one may come through
		case <-ctx.Done():
			return
		}
	}
}

func (q *Queue) put(ctx context.Context, name string, data []byte) error {
	return again(ctx, "storing "+name, func(ctx context.Context) error {
		_, err := q.files.PutBytes(ctx, name, data)
		return err
	})
}

func (q *Queue) get(ctx context.Context, name string) ([]byte, error) {
	var data []byte
	err := again(ctx, "reading "+name, func(ctx context.Context) error {
		var err error
		data, err = q.files.GetBytes(ctx, name)
		return err
	})
	return data, err
}
