package replay

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"retrace/replay/browser"
)

// traffic counts the requests of one tab by which it does something.
type traffic struct {
	page    *browser.Page
	unknown bool  // the browser does not tell
	looks   int64 // at a tab of which it is not known
}

// traffic is the counter of a tab, which counts from when it is first asked for. Where the browser does not tell, every look counts
// as a request, so that nothing is taken for untouched.
func (r *runner) traffic(p *browser.Page) *traffic {
	if t := r.counters[p]; t != nil {
		return t
	}
	t := &traffic{page: p}
	r.counters[p] = t
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := cdp.Call(ctx, p.Session(), network.Enable, network.EnableParams{})
	t.unknown = err != nil
	return t
}

// sent is the number of requests so far.
func (t *traffic) sent() int64 {
	if t.unknown {
		t.looks++
		return t.looks
	}
	n, _ := t.page.Activity()
	return n
}

// open is the number of requests without an answer.
func (t *traffic) open() int {
	if t.unknown {
		return 0
	}
	_, n := t.page.Activity()
	return n
}
