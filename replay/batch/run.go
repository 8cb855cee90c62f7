package batch

import (
	"context"
	"sync"
)

// Run calls do for the jobs 0 to n-1, at most workers at a time, in this order. It starts no further job when ctx has ended or
// do returned false; those under way are waited for. The result is the number of jobs that were started.
func Run(ctx context.Context, n, workers int, do func(job int) bool) int {
	return RunSparing(ctx, n, workers, func(job int, _ func()) bool { return do(job) })
}

// RunSparing is [Run] for jobs that end with little more than waiting: one that calls spare gives its worker to the next job before it
// is done. At most twice as many as there are workers go on so; what they return counts as ever. A job calls spare on its own goroutine.
func RunSparing(ctx context.Context, n, workers int, do func(job int, spare func()) bool) int {
	workers = max(1, min(workers, n))
	var (
		mu      sync.Mutex
		next    int
		stopped bool
		all     sync.WaitGroup
		busy    = make(chan struct{}, workers)
		waiting = make(chan struct{}, 2*workers)
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= n || stopped || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for {
		busy <- struct{}{}
		job, ok := take()
		if !ok {
			break
		}
		all.Go(func() {
			spared := false
			ok := do(job, func() {
				if spared {
					return
				}
				select {
				case waiting <- struct{}{}:
					spared = true
					<-busy
				default:
				}
			})
			if !ok {
				mu.Lock()
				stopped = true
				mu.Unlock()
			}
			if spared {
				<-waiting
			} else {
				<-busy
			}
		})
	}
	all.Wait()
	return next
}

// Lanes bring what jobs tell at the same time into the order of the jobs. What the first unfinished job tells is passed on at
// once; what others tell waits until those before them are done. The zero value begins with job 0.
type Lanes struct {
	mu      sync.Mutex
	first   int // not done yet
	waiting map[int][]func()
	done    map[int]bool
}

// Do calls tell when it is the turn of the job, and after everything that the job told before. One call is made at a time;
// tell must not call the lanes.
func (l *Lanes) Do(job int, tell func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if job <= l.first {
		tell()
		return
	}
	if l.waiting == nil {
		l.waiting = map[int][]func(){}
	}
	l.waiting[job] = append(l.waiting[job], tell)
}

// Done says that the job has nothing more to tell. Every job must be told of in the end, or those after it wait for ever.
func (l *Lanes) Done(job int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done == nil {
		l.done = map[int]bool{}
	}
	l.done[job] = true
	for l.done[l.first] {
		delete(l.done, l.first)
		l.first++
		for _, tell := range l.waiting[l.first] {
			tell()
		}
		delete(l.waiting, l.first)
	}
}
