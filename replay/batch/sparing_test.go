package batch

import (
	"sync"
	"testing"
)

// TestRunSparing: a job that only waits gives its worker away, to as many jobs as there are workers and to no more.
func TestRunSparing(t *testing.T) {
	const workers, n = 2, 7
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
	for range 2 * workers { // two that were spared, and two that asked for it when there was no room
		<-begun
	}
	mu.Lock()
	if len(started) != 2*workers {
		t.Errorf("%v started, want %d", started, 2*workers)
	}
	mu.Unlock()
	for i := range end {
		end[i] <- i != 2*workers // nothing starts after the one that failed but what has begun by then
	}
	if got := <-count; got <= 2*workers || got > n {
		t.Errorf("%d jobs started", got)
	}
}
