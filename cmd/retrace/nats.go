package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"

	"retrace/replay/queue"
)

// natsOptions say where the queue is.
type natsOptions struct {
	url, creds, ca string
	queue          queue.Config
}

func (o *natsOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.url, "nats", "", "`URL,…` of the NATS servers (default: $NATS_URL, else "+nats.DefaultURL+")")
	f.StringVar(&o.creds, "nats-creds", "", "`FILE` with the credentials for NATS (default: $NATS_CREDS)")
	f.StringVar(&o.ca, "nats-ca", "", "`FILE` with the certificate that those of the NATS servers are signed with")
	f.StringVar(&o.queue.Name, "queue", "default", "`NAME` of the queue")
	f.IntVar(&o.queue.Replicas, "replicas", 1, "keep everything on `N` NATS servers; the same for all who use the queue")
	f.DurationVar(&o.queue.Silence, "silence", queue.DefaultSilence, "give a trace to another worker when nothing was heard for a `DURATION`")
	f.IntVar(&o.queue.MaxDeliveries, "max-deliveries", queue.DefaultMaxDeliveries, "set a trace aside that `N` workers did not bring to an end")
	f.DurationVar(&o.queue.Keep, "keep", queue.DefaultKeep, "forget recordings and results after a `DURATION`")
}

func (o *natsOptions) check(hint string) error {
	if err := queue.CheckName(o.queue.Name); err != nil {
		return usagef(hint, "--queue: %w", err)
	}
	if o.queue.Replicas < 1 || o.queue.Replicas > 5 {
		return usagef(hint, "--replicas: must be 1 to 5")
	}
	if o.queue.Silence < time.Second {
		return usagef(hint, "--silence: must be 1s or more")
	}
	if o.queue.MaxDeliveries < 1 {
		return usagef(hint, "--max-deliveries: must be 1 or more")
	}
	if o.queue.Keep < time.Hour {
		return usagef(hint, "--keep: must be 1h or more")
	}
	return nil
}

// open connects to the servers and opens the queue. Errors do not hold what the address says of a user.
func (o *natsOptions) open(ctx context.Context, a *app, who string) (*queue.Queue, func(), error) {
	address := firstOf(o.url, a.env("NATS_URL"), nats.DefaultURL)
	options := []nats.Option{nats.Name("retrace " + who), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second)}
	for _, file := range []struct {
		path string
		use  func(string) nats.Option
	}{
		{firstOf(o.creds, a.env("NATS_CREDS")), func(p string) nats.Option { return nats.UserCredentials(p) }},
		{o.ca, func(p string) nats.Option { return nats.RootCAs(p) }},
	} {
		if file.path == "" {
			continue
		}
		if _, err := os.Stat(file.path); err != nil {
			return nil, nil, &usageError{err: fmt.Errorf("nats: %w", err)}
		}
		options = append(options, file.use(file.path))
	}
	nc, err := nats.Connect(address, options...)
	if err != nil {
		if cause, ok := errors.AsType[*url.Error](err); ok {
			err = cause.Err // the text holds the address
		}
		return nil, nil, &usageError{err: fmt.Errorf("nats: no connection: %w", err), hint: "name the servers with --nats or NATS_URL; docs/scale.md shows how to run one"}
	}
	opening, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	q, err := queue.Open(opening, nc, o.queue)
	if err != nil {
		nc.Close()
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, &usageError{err: err, hint: "the servers need JetStream (nats-server -js), and as many servers as --replicas says"}
	}
	return q, nc.Close, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
