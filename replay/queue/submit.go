package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrBatch says that a batch of the same name holds other jobs.
var ErrBatch = errors.New("was submitted before with other recordings or options")

// Submit queues the items as a batch. When it was submitted before, only what has no outcome and is not known to be queued is
// queued; the error is [ErrBatch] when the items differ. item gives one item at a time, and is called for each of them twice at
// most.
func (q *Queue) Submit(ctx context.Context, batch string, n int, item func(int) (Item, error)) error {
	if err := CheckName(batch); err != nil {
		return fmt.Errorf("batch %w", err)
	}
	jobs := make([]Job, n)
	for i := range jobs {
		it, err := item(i)
		if err != nil {
			return err
		}
		jobs[i] = Job{Batch: batch, Number: i, Name: it.Name, Bundle: "bundle-" + digest(it.Bundle), Spec: it.Spec}
	}
	if err := q.declare(ctx, batch, jobs); err != nil {
		return err
	}
	done, err := q.recorded(ctx, batch)
	if err != nil {
		return err
	}
	for i, j := range jobs {
		if done[j.key()] {
			continue
		}
		it, err := item(i)
		if err != nil {
			return err
		}
		if name := "bundle-" + digest(it.Bundle); name != j.Bundle {
			return fmt.Errorf("%s changed while it was submitted", j.Name)
		}
		if err := q.putBundle(ctx, j.Bundle, it.Bundle); err != nil {
			return err
		}
		if err := q.publish(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

// declare records what the batch is, or finds that it is the same as before.
func (q *Queue) declare(ctx context.Context, batch string, jobs []Job) error {
	data, err := json.Marshal(jobs)
	if err != nil {
		return fmt.Errorf("batch %s: %w", batch, err)
	}
	text, err := json.Marshal(manifest{Jobs: len(jobs), Digest: digest(data)})
	if err != nil {
		return fmt.Errorf("batch %s: %w", batch, err)
	}
	before, err := q.create(ctx, batch+".manifest", text)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, text) {
		return fmt.Errorf("batch %s %w", batch, ErrBatch)
	}
	return nil
}

// create records a value under a key unless there is one, and gives the one that is there then.
func (q *Queue) create(ctx context.Context, key string, value []byte) ([]byte, error) {
	err := again(ctx, "recording "+key, func(ctx context.Context) error {
		_, err := q.outcomes.Create(ctx, key, value)
		return err
	})
	if err == nil {
		return value, nil
	}
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return nil, err
	}
	// It may be ours: an order whose answer was lost is given again.
	var there []byte
	err = again(ctx, "reading "+key, func(ctx context.Context) error {
		e, err := q.outcomes.Get(ctx, key)
		if err == nil {
			there = e.Value()
		}
		return err
	})
	return there, err
}

// putBundle stores a bundle unless it is there and will be for long enough.
func (q *Queue) putBundle(ctx context.Context, name string, data []byte) error {
	return again(ctx, "storing a recording", func(ctx context.Context) error {
		info, err := q.files.GetInfo(ctx, name)
		// The time is the server's, whose clock may be another: what lies far in the future is stored again too.
		if err == nil && time.Since(info.ModTime).Abs() < q.config.Keep/2 {
			return nil
		}
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		_, err = q.files.PutBytes(ctx, name, data)
		return err
	})
}

func (q *Queue) publish(ctx context.Context, j Job) error {
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("submitting %s: %w", j.Name, err)
	}
	return again(ctx, "submitting "+j.Name, func(ctx context.Context) error {
		_, err := q.js.PublishMsg(ctx, &nats.Msg{Subject: q.subject(j.Batch), Data: data}, jetstream.WithMsgID(j.key()))
		return err
	})
}

// recorded are the keys of a batch that have an outcome.
func (q *Queue) recorded(ctx context.Context, batch string) (map[string]bool, error) {
	var keys map[string]bool
	err := again(ctx, "reading the outcomes", func(ctx context.Context) error {
		keys = map[string]bool{}
		list, err := q.outcomes.ListKeysFiltered(ctx, batch+".*")
		if err != nil {
			return err
		}
		for key := range list.Keys() {
			keys[key] = true
		}
		return ctx.Err()
	})
	return keys, err
}
