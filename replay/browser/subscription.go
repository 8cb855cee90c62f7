package browser

import (
	"sync"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// subscription is an unbounded queue between the read loop, which must never wait, and a reader.
type subscription struct {
	out chan jsonv2.Value

	mu       sync.Mutex
	queue    []jsonv2.Value
	finished bool

	wake chan struct{} // has room for one
	stop chan struct{}
	once sync.Once
}

func newSubscription() *subscription {
	return &subscription{out: make(chan jsonv2.Value), wake: make(chan struct{}, 1), stop: make(chan struct{})}
}

func (s *subscription) put(v jsonv2.Value) {
	s.mu.Lock()
	s.queue = append(s.queue, v)
	s.mu.Unlock()
	s.signal()
}

// finish closes the channel once the queue has been read.
func (s *subscription) finish() {
	s.mu.Lock()
	s.finished = true
	s.mu.Unlock()
	s.signal()
}

func (s *subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription) cancel() { s.once.Do(func() { close(s.stop) }) }

// pump moves events from the queue to the reader until the subscription is cancelled, or finished and empty.
func (s *subscription) pump() {
	defer close(s.out)
	for {
		s.mu.Lock()
		batch := s.queue
		s.queue = nil
		finished := s.finished
		s.mu.Unlock()
		for _, v := range batch {
			select {
			case s.out <- v:
			case <-s.stop:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		if finished {
			return
		}
		select {
		case <-s.wake:
		case <-s.stop:
			return
		}
	}
}
