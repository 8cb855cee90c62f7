package replay

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"retrace/replay/browser"
)

// traffic counts the requests of one tab.
type traffic struct {
	mu       sync.Mutex
	count    int64
	inFlight map[string]bool
	stop     func()
}

// traffic is the counter of a tab, made when it is first asked for. Where the browser does not tell, every look counts as a
// request, so that nothing is taken for untouched.
func (r *runner) traffic(p *browser.Page) *traffic {
	if t := r.counters[p]; t != nil {
		return t
	}
	t := &traffic{inFlight: map[string]bool{}, stop: func() {}}
	r.counters[p] = t
	s := p.Session()
	begun, stop1 := s.Subscribe("Network.requestWillBeSent")
	done, stop2 := s.Subscribe("Network.loadingFinished")
	lost, stop3 := s.Subscribe("Network.loadingFailed")
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := cdp.Call(ctx, s, network.Enable, network.EnableParams{})
	if err != nil {
		t.count = -1
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for raw := range begun {
			t.note(raw, true)
		}
	})
	wg.Go(func() {
		for raw := range done {
			t.note(raw, false)
		}
	})
	wg.Go(func() {
		for raw := range lost {
			t.note(raw, false)
		}
	})
	t.stop = func() {
		stop1()
		stop2()
		stop3()
		wg.Wait()
	}
	return t
}

// telling are the kinds of requests by which a page does something. Pictures, fonts and pings tell of nothing done.
var telling = map[string]bool{"Document": true, "XHR": true, "Fetch": true, "EventSource": true, "WebSocket": true, "Script": true, "Preflight": true}

func (t *traffic) note(raw []byte, begins bool) {
	var e struct {
		RequestID string `json:"requestId"`
		Type      string `json:"type"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if begins && !telling[e.Type] {
		return
	}
	if begins {
		t.count++
		t.inFlight[e.RequestID] = true
	} else {
		delete(t.inFlight, e.RequestID)
	}
}

// sent is the number of requests so far.
func (t *traffic) sent() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count < 0 {
		t.count--
	}
	return t.count
}

// open is the number of requests without an answer.
func (t *traffic) open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.inFlight)
}
