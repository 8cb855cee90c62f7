package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bounds of repeated requests.
const (
	patience     = 10 * time.Second // of one request
	shortestWait = 50 * time.Millisecond
	longestWait  = 2 * time.Second
)

// again makes a request until it is answered, since servers and leaders go away and come back, or until ctx ends. An error that
// another try cannot change ends it at once. f must be such that doing it twice is the same as doing it once.
func again(ctx context.Context, what string, f func(context.Context) error) error {
	for wait := shortestWait; ; wait = min(2*wait, longestWait) {
		short, cancel := context.WithTimeout(ctx, patience)
		err := f(short)
		cancel()
		if err == nil {
			return nil
		}
		if final(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("%s: %w (%w)", what, ctx.Err(), err)
		}
	}
}

// final tells whether an error is an answer.
func final(err error) bool {
	for _, e := range []error{
		jetstream.ErrKeyExists, jetstream.ErrKeyNotFound, jetstream.ErrObjectNotFound, jetstream.ErrJetStreamNotEnabled, jetstream.ErrJetStreamNotEnabledForAccount,
		nats.ErrAuthorization, nats.ErrPermissionViolation, nats.ErrMaxPayload, nats.ErrConnectionClosed, jetstream.ErrNotJSMessage,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	// Configurations that the server refuses stay refused.
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && api.Code >= 400 && api.Code < 500 && api.ErrorCode != jetstream.JSErrCodeStreamNotFound && api.ErrorCode != jetstream.JSErrCodeConsumerNotFound
}
