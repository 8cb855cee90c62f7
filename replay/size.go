package replay

import (
	"context"
	"encoding/json"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/browser"
)

// size is what is known of the size of a page, so that it need not be asked for at every look.
type size struct {
	page     *browser.Page
	docs     int64
	elements int // when it was asked
	nodes    int // of the first whole tree since; 0 when none was read
}

// of reports whether the size is that of the page as it is.
func (s *size) of(p *browser.Page) bool { return s.page == p && s.docs == p.Documents() }

// small and huge report whether the page is certainly below, or above, a number of elements: far enough from it when it was
// asked, and not known to have grown since.
func (s *size) small(p *browser.Page, limit int) bool { return s.of(p) && s.elements < limit/2 }
func (s *size) huge(p *browser.Page, limit int) bool  { return s.of(p) && s.elements/2 >= limit }

// read takes note of a whole tree. A page that has grown much is asked again.
func (s *size) read(v *view) {
	if !s.of(v.page) {
		return
	}
	n := len(v.tree.Nodes)
	if s.nodes == 0 {
		s.nodes = n
	} else if n > 2*s.nodes+100 {
		*s = size{}
	}
}

// large reports whether the page has so many elements that it should be probed.
func (r *runner) large(ctx context.Context) bool {
	p := r.page
	switch {
	case r.size.small(p, r.o.LargePage):
		return false
	case r.size.huge(p, r.o.LargePage):
		return true
	}
	docs := p.Documents()
	world, err := p.World(ctx, p.MainFrame())
	if err != nil {
		return false
	}
	byValue := true
	res, err := cdp.Call(ctx, p.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: "document.getElementsByTagName('*').length", ContextID: world, ReturnByValue: &byValue})
	var n int
	if err != nil || res.Result == nil || json.Unmarshal(res.Result.Value, &n) != nil {
		return false
	}
	r.size = size{page: p, docs: docs, elements: n}
	return n >= r.o.LargePage
}
