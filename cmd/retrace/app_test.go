package main

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestSignalsOfStuckCommand sends signals to a command that takes some time to end, or never ends.
func TestSignalsOfStuckCommand(t *testing.T) {
	const never = time.Hour
	for _, tt := range []struct {
		name  string
		at    []time.Duration // when signals come
		lasts time.Duration   // how long the command takes after the first
		code  int
		after time.Duration
	}{
		{"one, obeyed", []time.Duration{time.Second}, time.Second, exitFailed, 2 * time.Second},
		{"one, while it writes", []time.Duration{time.Second}, 30 * time.Second, exitFailed, 31 * time.Second},
		{"two, obeyed", []time.Duration{time.Second, 2 * time.Second}, 3 * time.Second, exitFailed, 4 * time.Second},
		{"two, stuck", []time.Duration{time.Second, 2 * time.Second}, never, exitInterrupted, 2*time.Second + patience},
		{"many give no more time", []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 6 * time.Second}, never, exitInterrupted, 2*time.Second + patience},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				began, done, signals := time.Now(), make(chan int, 1), make(chan os.Signal, 2)
				go func() {
					<-ctx.Done()
					time.Sleep(tt.lasts)
					done <- exitFailed
				}()
				go func() {
					for _, at := range tt.at {
						time.Sleep(at - time.Since(began))
						signals <- os.Interrupt
					}
				}()
				code := await(ctx, cancel, done, signals)
				after := time.Since(began)
				time.Sleep(2 * never) // the clock is not a real one
				if code != tt.code || after != tt.after {
					t.Errorf("exit code %d after %s, want %d after %s", code, after, tt.code, tt.after)
				}
			})
		})
	}
}
