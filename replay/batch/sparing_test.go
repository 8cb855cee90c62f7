package batch

import (
	"sync"
	"testing"
)

// TestRunSparing: a job that only waits gives its worker away, to twice as many jobs as there are workers and to no more.
func TestRunSparing(t *testing.T) {
	const workers, all, n = 2, 6, 9
	var (
		mu      sync.Mutex
		started []int
	)
	begun := make(chan int, n)
	end := make([]chan bool, n)
	for i := range end {
		end[i] = make(chan bool, 1)
	}
	count := make(chan int, 1)
	go func() {
		count <- RunSparing(t.Context(), n, workers, func(job int, spare func()) bool {
			mu.Lock()
			started = append(started, job)
			mu.Unlock()
			spare()
			spare() // once more is no more
			begun <- job
			return <-end[job]
		})
	}()
	for range all { // four that were spared, and two that asked for it when there was no room
		<-begun
	}
	mu.Lock()
	if len(started) != all {
		t.Errorf("%v started, want %d", started, all)
	}
	mu.Unlock()
	for i := range end {
		end[i] <- i != all // nothing starts after the one that failed but what has begun by then
	}
	if got := <-count; got <= all || got > n {
		t.Errorf("%d jobs started", got)
	}
}
