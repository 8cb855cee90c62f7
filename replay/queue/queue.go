package queue

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says which queue it is and how it behaves. All who use a queue should give the same.
type Config struct {
	// Name is made of letters, digits, - and _; empty means "default".
	Name string
	// Replicas is the number of servers that hold each message, from 1 (the default) to 5.
	Replicas int
	// Silence is how long a worker may be silent before its job is given to another; 0 means DefaultSilence.
	Silence time.Duration
	// MaxDeliveries is how many workers get a job before it is set aside; 0 means DefaultMaxDeliveries.
	MaxDeliveries int
	// Keep is how long jobs, bundles and outcomes are kept; 0 means DefaultKeep.
	Keep time.Duration
}

// Defaults of a Config.
const (
	DefaultSilence       = 30 * time.Second
	DefaultMaxDeliveries = 3
	DefaultKeep          = 7 * 24 * time.Hour
)

// twice is how long the server knows a job by its id, so that submitting it again does not queue it again.
const twice = time.Hour

// ErrName says that a queue or batch is called by a name that cannot be used.
var ErrName = errors.New("must be 1 to 64 letters, digits, - and _")

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckName refuses names of queues and batches that cannot be used, with [ErrName].
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q: %w", name, ErrName)
	}
	return nil
}

// Queue is an open queue. Its methods may be called from several goroutines.
type Queue struct {
	config   Config
	js       jetstream.JetStream
	work     jetstream.Consumer
	files    jetstream.ObjectStore
	outcomes jetstream.KeyValue
}

// Open makes the queue ready on the servers, and creates what is not there yet. The connection stays the caller's.
func Open(ctx context.Context, nc *nats.Conn, c Config) (*Queue, error) {
	if c.Name == "" {
		c.Name = "default"
	}
	if err := CheckName(c.Name); err != nil {
		return nil, fmt.Errorf("queue %w", err)
	}
	c.Replicas = max(c.Replicas, 1)
	if c.Silence <= 0 {
		c.Silence = DefaultSilence
	}
	if c.MaxDeliveries <= 0 {
		c.MaxDeliveries = DefaultMaxDeliveries
	}
	if c.Keep <= 0 {
		c.Keep = DefaultKeep
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", c.Name, err)
	}
	q := &Queue{config: c, js: js}
	return q, again(ctx, "opening queue "+c.Name, func(ctx context.Context) error { return q.open(ctx) })
}

func (q *Queue) open(ctx context.Context) error {
	c := q.config
	stream, err := q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: "retrace-" + c.Name, Description: "recordings to replay", Subjects: []string{q.subject("*")},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: c.Replicas,
		MaxAge: c.Keep, Duplicates: min(twice, c.Keep),
	})
	if err != nil {
		return err
	}
	// How often a job is delivered is limited by the workers, who record that it was set aside; the server would only drop it.
	q.work, err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.Silence, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	q.files, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: "retrace-" + c.Name + "-files", Description: "bundles and results", TTL: c.Keep, Replicas: c.Replicas,
	})
	if err != nil {
		return err
	}
	q.outcomes, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: "retrace-" + c.Name + "-outcomes", Description: "what became of the jobs", TTL: c.Keep, Replicas: c.Replicas, History: 1,
	})
	return err
}

func (q *Queue) subject(batch string) string { return "retrace." + q.config.Name + ".work." + batch }

// Waiting is the number of jobs that are queued or being done.
func (q *Queue) Waiting(ctx context.Context) (int, error) {
	var n int
	err := again(ctx, "asking for the length of the queue", func(ctx context.Context) error {
		info, err := q.work.Info(ctx)
		if err == nil {
			n = int(info.NumPending) + info.NumAckPending
		}
		return err
	})
	return n, err
}
