package act

import (
	"context"
	"errors"
	"time"
)

// backoff is the pause before the nth look at an element, from 0.
func backoff(n int) time.Duration {
	pauses := [...]time.Duration{0, 20 * time.Millisecond, 50 * time.Millisecond}
	if n < len(pauses) {
		return pauses[n]
	}
	return 100 * time.Millisecond
}

// pause waits, or ends early with the context's error.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// patience is how long a hint that need not be obeyed (aria-busy, an option whose label differs) is waited for: half
// of the time that is left, so that the other half remains to act in. Without a deadline it is 10 seconds.
func patience(ctx context.Context, now time.Time) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return now.Add(10 * time.Second)
	}
	return now.Add(deadline.Sub(now) / 2)
}

// look is one look at the element: it acts when all is well, or answers with the state that is in the way.
type look func(n int, hurry bool) (answer, error)

// until looks again and again until the answer is ready, and tells what it waits for. hurry is set once hints need not be
// waited for any more.
func (e Element) until(ctx context.Context, l look) (answer, error) {
	patient := patience(ctx, time.Now())
	var last *answer
	began := time.Now()
	for n := 0; ; n++ {
		err := pause(ctx, backoff(n))
		if last != nil && e.Waited != nil {
			e.Waited(Waited{last.State, last.Text, time.Since(began), backoff(n)})
		}
		if err != nil {
			return answer{}, verdict(ctx, err, last)
		}
		began = time.Now()
		a, err := l(n, !began.Before(patient))
		switch {
		case err != nil:
			return a, verdict(ctx, err, last)
		case a.State == ready:
			return a, nil
		case a.State == Detached:
			return a, gone(a)
		case a.Final:
			return a, a.notReady()
		}
		last = &a
	}
}

func gone(a answer) error { return &Stale{Err: errors.New(a.Text)} }

// verdict is the error of an action that could not go on: what was seen last when the deadline has passed, a Stale
// when the element is gone, else the error itself.
func verdict(ctx context.Context, err error, last *answer) error {
	var (
		notReady    *NotReady
		gone        *Stale
		unconfirmed *Unconfirmed
	)
	if errors.As(err, &notReady) || errors.As(err, &gone) || errors.As(err, &unconfirmed) {
		return err
	}
	if stale(err) {
		return &Stale{Err: err}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		if last != nil {
			return last.notReady()
		}
		return &NotReady{State: Busy, Text: "the page did not answer in time"}
	}
	return err
}
