package browser

import "github.com/chromedp/cdproto/cdp"

// navigations follows the navigations of a tab's frames through the events that Chrome sends. It decides nothing about time
// and asks nobody; the zero value with main set is ready for use.
//
// A navigation begins with frameRequestedNavigation, frameStartedNavigating or frameStartedLoading, whichever comes first, and
// ends in one of four ways: with a new document (frameNavigated, then DOMContentLoaded, then load), within the document
// (navigatedWithinDocument), with nothing (a bare frameStoppedLoading: a download, HTTP 204), or with the frame.
type navigations struct {
	main cdp.FrameID
	// seq counts the navigations that began; documents those that brought a document, mainDocuments those of them in the top
	// frame; within counts the navigations within the top document.
	seq, documents, mainDocuments, within int64
	// fruitless counts navigations of the top frame that ended without a document.
	fruitless int64

	last map[cdp.FrameID]*navigation
}

// navigation is one navigation of one frame.
type navigation struct {
	seq    int64
	frame  cdp.FrameID
	loader cdp.LoaderID
	// started is set once the browser has taken the request up; before, it may still come to nothing.
	started bool
	// sameDocument is set when it was announced as staying in the document.
	sameDocument bool
	// committed: a new document is there; parsed: DOMContentLoaded; loaded: load.
	committed, parsed, loaded bool
	ended                     bool
	// next is the navigation of the same frame that took this one's place before its end.
	next *navigation
}

// latest follows the navigations that took n's place.
func (n *navigation) latest() *navigation {
	for n.next != nil {
		n = n.next
	}
	return n
}

func (t *navigations) begin(frame cdp.FrameID) *navigation {
	t.seq++
	n := &navigation{seq: t.seq, frame: frame}
	if t.last == nil {
		t.last = make(map[cdp.FrameID]*navigation)
	}
	if old := t.last[frame]; old != nil && !old.ended {
		old.next = n
		old.ended = true
	}
	t.last[frame] = n
	return n
}

// pending is the navigation of the frame that has begun and brought nothing yet.
func (t *navigations) pending(frame cdp.FrameID) *navigation {
	if n := t.last[frame]; n != nil && !n.ended && !n.committed {
		return n
	}
	return nil
}

// requested: a script or a link asks for a navigation of the frame. It may still be dropped.
func (t *navigations) requested(frame cdp.FrameID) {
	if t.pending(frame) == nil {
		t.begin(frame)
	}
}

// started: the browser has taken a navigation up.
func (t *navigations) started(frame cdp.FrameID, loader cdp.LoaderID, sameDocument bool) {
	n := t.pending(frame)
	if n == nil || n.started && n.loader != loader {
		n = t.begin(frame)
	}
	n.started, n.loader, n.sameDocument = true, loader, sameDocument
}

// loading: the frame's throbber turns. It tells of a navigation only when nothing else did.
func (t *navigations) loading(frame cdp.FrameID) {
	if n := t.last[frame]; n == nil || n.ended {
		t.begin(frame).started = true
	}
}

// stopped: the throbber stands still.
func (t *navigations) stopped(frame cdp.FrameID) {
	n := t.last[frame]
	if n == nil || n.ended {
		return
	}
	if n.committed {
		n.parsed, n.loaded = true, true
	} else if frame == t.main && n.loader != "" && !n.sameDocument {
		t.fruitless++
	}
	n.ended = true
}

// navigated: the frame has a new document.
func (t *navigations) navigated(frame cdp.FrameID, loader cdp.LoaderID) {
	n := t.last[frame]
	switch {
	case n != nil && n.committed && n.loader == loader:
		return // told twice, by the old process and the new one
	case n == nil || n.committed || n.loader != "" && n.loader != loader:
		n = t.begin(frame)
	case n.ended && frame == t.main:
		t.fruitless-- // it did bring something
	}
	n.started, n.loader, n.committed, n.ended = true, loader, true, false
	t.documents++
	if frame == t.main {
		t.mainDocuments++
	}
}

// withinDocument: the frame's address changed without a new document. A pending navigation to another document goes on.
func (t *navigations) withinDocument(frame cdp.FrameID) {
	if frame == t.main {
		t.within++
	}
	if n := t.pending(frame); n != nil && (n.sameDocument || !n.started) {
		n.ended = true
	}
}

// lifecycle: a document has reached a point of its life.
func (t *navigations) lifecycle(frame cdp.FrameID, loader cdp.LoaderID, name string) {
	n := t.last[frame]
	if n == nil || !n.committed || n.loader != loader {
		return
	}
	switch name {
	case "DOMContentLoaded":
		n.parsed = true
	case "load":
		n.parsed, n.loaded = true, true
		n.ended = true
	}
}

// detached: the frame is gone.
func (t *navigations) detached(frame cdp.FrameID) {
	if n := t.last[frame]; n != nil {
		n.ended = true
		delete(t.last, frame)
	}
}

// since are the navigations that began after seq and have not ended.
func (t *navigations) since(seq int64) []*navigation {
	var out []*navigation
	for _, n := range t.last {
		if n.seq > seq && !n.ended {
			out = append(out, n)
		}
	}
	return out
}
