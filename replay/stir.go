package replay

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/browser"
)

// stirScript counts the changes of a document in the isolated world, and waits until there are others than those that were
// counted before. Other documents, frames, dialogs and the ends of requests are told by the browser. What is told by neither, as a
// value that a script sets by a timer or the end of a movement, is seen at the next look.
//
//go:embed js/stir.js
var stirScript string

// idleLook is the longest time between two looks at a page of which nothing is heard.
const idleLook = 200 * time.Millisecond

// stirs waits between looks at a page until something happens there.
type stirs struct {
	page   *browser.Page
	told   int64 // by the browser, before the last look
	counts int64 // of the document, before the last look; negative while it is not counted
}

func watchStirs(p *browser.Page) *stirs { return &stirs{page: p, told: p.Stirs(), counts: -1} }

// after waits after a look that began at the given time: until something happens, but so that a page in which something happens all
// the time is looked at every gap only; at most limit. It returns how long it waited.
func (s *stirs) after(ctx context.Context, began time.Time, gap, limit time.Duration) time.Duration {
	t := time.Now()
	if s.counts < 0 {
		limit = gap // what happened since the look began is not known yet
	}
	s.wait(ctx, limit)
	if rest := gap - time.Since(began); rest > 0 {
		pause(ctx, rest)
	}
	return time.Since(t)
}

// wait waits until the page may have changed since the last look began, at most limit.
func (s *stirs) wait(ctx context.Context, limit time.Duration) {
	told := s.told
	ctx, cancel := context.WithTimeout(ctx, limit+50*time.Millisecond) // a page that is busy does not answer
	defer cancel()
	counted := make(chan int64, 1)
	go func() {
		counted <- s.count(ctx, limit)
		cancel()
	}()
	s.page.AwaitStir(ctx, told)
	cancel()
	if n := <-counted; n >= 0 {
		s.counts = n
	}
	s.told = s.page.Stirs()
}

// count waits until the number of changes in the top document is another; negative when that cannot be told.
func (s *stirs) count(ctx context.Context, limit time.Duration) int64 {
	world, err := s.page.World(ctx, s.page.MainFrame())
	if err != nil {
		<-ctx.Done()
		return -1
	}
	res, err := cdp.Call(ctx, s.page.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: fmt.Sprintf("(%s)(%d, %d)", stirScript, s.counts, limit.Milliseconds()), ContextID: world, AwaitPromise: new(true), ReturnByValue: new(true),
	})
	var n int64
	if err != nil || res.ExceptionDetails != nil || res.Result == nil || json.Unmarshal(res.Result.Value, &n) != nil {
		return -1
	}
	return n
}
