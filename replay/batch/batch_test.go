package batch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunLimitsAndOrders(t *testing.T) {
	var now, most atomic.Int64
	var mu sync.Mutex
	var began []int
	gate := make(chan struct{})
	n := Run(t.Context(), 20, 3, func(job int) bool {
		mu.Lock()
		began = append(began, job)
		mu.Unlock()
		k := now.Add(1)
		for k > most.Load() {
			most.Store(k)
		}
		if job < 3 { // the first three are there at the same time
			if k == 3 {
				close(gate)
			}
			<-gate
		}
		now.Add(-1)
		return true
	})
	if n != 20 || len(began) != 20 {
		t.Errorf("%d started, %d done", n, len(began))
	}
	if most.Load() > 3 {
		t.Errorf("%d at a time", most.Load())
	}
	slices.Sort(began)
	if began[0] != 0 || began[19] != 19 {
		t.Errorf("jobs %v", began)
	}
}

func TestRunStops(t *testing.T) {
	if n := Run(t.Context(), 10, 1, func(job int) bool { return job < 3 }); n != 4 {
		t.Errorf("%d started after one gave up, want 4", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if n := Run(ctx, 10, 1, func(job int) bool { cancel(); return true }); n != 1 {
		t.Errorf("%d started after the end of the context, want 1", n)
	}
	if n := Run(t.Context(), 0, 4, nil); n != 0 {
		t.Errorf("%d of no jobs started", n)
	}
}

func TestLanes(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var l Lanes
		var got []string
		const jobs, texts = 6, 4
		Run(t.Context(), jobs, 1+dice.IntN(jobs), func(job int) bool {
			defer l.Done(job)
			for k := range texts {
				l.Do(job, func() { got = append(got, fmt.Sprint(job, k)) })
			}
			return true
		})
		var want []string
		for job := range jobs {
			for k := range texts {
				want = append(want, fmt.Sprint(job, k))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// The first unfinished job is heard at once, also when it became the first while it was telling.
func TestLanesAreNotLate(t *testing.T) {
	var l Lanes
	var got []string
	say := func(s string) func() { return func() { got = append(got, s) } }
	l.Do(1, say("b1"))
	l.Do(2, say("c1"))
	l.Done(2)
	l.Do(0, say("a1"))
	if diff := cmp.Diff([]string{"a1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	l.Done(0)
	l.Do(1, say("b2"))
	if diff := cmp.Diff([]string{"a1", "b1", "b2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	l.Done(1)
	if diff := cmp.Diff([]string{"a1", "b1", "b2", "c1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorkers(t *testing.T) {
	for _, tt := range []struct {
		processors int
		free       int64
		want       int
	}{{2, 8 << 30, 2}, {16, 2 << 30, 5}, {4, -1, 4}, {4, 100 << 20, 1}, {1, 0, 1}} {
		if got := workers(tt.processors, tt.free); got != tt.want {
			t.Errorf("workers(%d, %d) = %d, want %d", tt.processors, tt.free, got, tt.want)
		}
	}
}
