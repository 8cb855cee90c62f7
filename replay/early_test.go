package replay

import (
	"testing"
	"time"

	"retrace/replay/browser"
	"retrace/resolve/axtree"
)

// TestTakeEarly: an early look is used once for each, an effect and then a search, while it is fresh, and on the page that it was
// taken of; a search takes only one that is certain.
func TestTakeEarly(t *testing.T) {
	page := new(browser.Page)
	look := func() *view {
		return &view{page: page, tree: &axtree.Tree{}, at: time.Now(), frames: make([]browser.Frame, 1)}
	}
	for _, c := range []struct {
		name                string
		view                func() *view
		still, search, want bool
	}{
		{"fresh", look, true, true, true},
		{"fresh, the page reacted, for a search", look, false, true, false},
		{"fresh, the page reacted, for an effect", look, false, false, true},
		{"fresh, for an effect and then a search", look, true, false, true},
		{"old", func() *view { v := look(); v.at = v.at.Add(-2 * freshFor); return v }, true, true, false},
		{"another document", func() *view { v := look(); v.docs = 3; return v }, true, true, false},
		{"another address", func() *view { v := look(); v.url = "http://shop.example/"; return v }, true, true, false},
		{"with frames, for a search", func() *view { v := look(); v.frames = make([]browser.Frame, 2); return v }, true, true, false},
		{"with frames, for an effect", func() *view { v := look(); v.frames = make([]browser.Frame, 2); return v }, false, false, true},
		{"failed", func() *view { return nil }, true, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, done := c.view(), make(chan struct{})
			close(done)
			r := &runner{page: page, early: &lookout{page: page, cancel: func() {}, done: done, view: v, still: c.still}}
			got := r.takeEarly(t.Context(), c.search)
			if (got != nil) != c.want || c.want && got != v {
				t.Errorf("taken: %t, want %t", got != nil, c.want)
			}
			if again := r.takeEarly(t.Context(), true); (again != nil) != (c.want && c.still && !c.search) {
				t.Errorf("taken again by a search: %t", again != nil)
			}
			if r.takeEarly(t.Context(), false) != nil {
				t.Error("taken once more")
			}
		})
	}
	v, over := look(), make(chan struct{})
	close(over)
	seen := &runner{page: page, early: &lookout{page: page, cancel: func() {}, done: over, view: v, still: true}}
	if seen.takeEarly(t.Context(), false) != v || seen.takeEarly(t.Context(), false) != nil {
		t.Error("an effect that is not there yet needs another look")
	}
	r := &runner{page: new(browser.Page)}
	done := make(chan struct{})
	close(done)
	r.early = &lookout{page: page, cancel: func() {}, done: done, view: look(), still: true}
	if r.takeEarly(t.Context(), true) != nil {
		t.Error("taken in another tab")
	}
}

func TestSize(t *testing.T) {
	page, other := new(browser.Page), new(browser.Page)
	read := func(s *size, nodes int) {
		s.read(&view{page: page, tree: &axtree.Tree{Nodes: make([]*axtree.Node, nodes)}})
	}
	const limit = 1000
	s := size{page: page, elements: 100}
	if !s.small(page, limit) || s.huge(page, limit) || s.small(other, limit) {
		t.Errorf("%+v is small, and says nothing of another page", s)
	}
	read(&s, 50)
	read(&s, 120)
	if !s.small(page, limit) {
		t.Error("a page that grew a little must not be asked again")
	}
	read(&s, 500)
	if s.small(page, limit) {
		t.Error("a page that grew much must be asked again")
	}
	for _, n := range []int{501, 1000, 1999} {
		if s := (size{page: page, elements: n}); s.small(page, limit) || s.huge(page, limit) {
			t.Errorf("%d elements are too near %d to be certain", n, limit)
		}
	}
	if s := (size{page: page, elements: 2000}); !s.huge(page, limit) {
		t.Error("2000 elements are certainly more than 1000")
	}
}
