package browser

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
)

// frameDeadline bounds the questions to one out-of-process frame, so that a frame that hangs does not hide the others.
const frameDeadline = time.Second

// Frame is one document of a tab.
type Frame struct {
	// ID is the frame's; Parent that of the frame which holds its <iframe> or <frame>, empty for the top frame.
	ID, Parent cdp.FrameID
	// Session is the session of the process that renders the frame: node ids and worlds of the frame mean something there only.
	Session cdp.Session
	// Owner is the <iframe> or <frame> element, in the parent frame's session; 0 for the top frame.
	Owner cdp.BackendNodeID
	// URL is the document's address with its fragment; Name the frame's name.
	URL, Name string
	// Loader changes with each document of the frame.
	Loader cdp.LoaderID
	// OutOfProcess is set when the frame is rendered by another process than the top document's.
	OutOfProcess bool
}

// frame is what the events tell of a frame.
type frame struct {
	number int // in the order in which the frames were attached
	s      *session
	parent cdp.FrameID
	url    string
	owner  cdp.BackendNodeID // 0 when not asked for yet
	ownerS *session          // session that owner belongs to
}

// frame returns the record of the frame, made when it is new. Call it with p.mu held.
func (p *Page) frame(id cdp.FrameID) *frame {
	f := p.frames[id]
	if f == nil {
		p.attached++
		f = &frame{number: p.attached}
		p.frames[id] = f
	}
	return f
}

// dropFrame forgets a frame and those inside it. Call it with p.mu held.
func (p *Page) dropFrame(id cdp.FrameID) {
	delete(p.frames, id)
	delete(p.worlds, id)
	p.nav.detached(id)
	for fid, f := range p.frames {
		if f.parent == id {
			p.dropFrame(fid)
		}
	}
}

func (c *Context) hasFrame(id cdp.FrameID) bool {
	for _, p := range c.livePages() {
		if cdp.FrameID(p.id) == id {
			return true
		}
		p.mu.Lock()
		_, ok := p.frames[id]
		p.mu.Unlock()
		if ok {
			return true
		}
	}
	return false
}

// Frames are all frames of the tab as they are now, parents before their children, siblings in the order in which they were
// attached. An out-of-process frame that does not answer is listed with what is known of it. The browser is asked only when an
// event has told of a change since it was asked last.
func (p *Page) Frames(ctx context.Context) ([]Frame, error) {
	p.mu.Lock()
	if p.listed != nil && p.listedAt == p.layout && p.s.ended() == nil {
		defer p.mu.Unlock()
		return slices.Clone(p.listed), nil
	}
	asked := p.layout
	children := make([]*child, 0, len(p.children))
	for _, ch := range p.children {
		children = append(children, ch)
	}
	p.mu.Unlock()

	type answer struct {
		ch   *child
		tree *page.FrameTree
	}
	answers := make(chan answer, len(children))
	for _, ch := range children {
		go func() {
			ctx, cancel := context.WithTimeout(ctx, frameDeadline)
			defer cancel()
			select {
			case <-ch.ready:
			case <-ctx.Done():
			}
			res, err := cdp.Call(ctx, ch.s, page.GetFrameTree, cdp.Empty{})
			if err != nil {
				p.ctx.b.log.Debug("asking an out-of-process frame for its frames", "error", err)
			}
			answers <- answer{ch, res.FrameTree}
		}()
	}
	res, err := cdp.Call(ctx, p.s, page.GetFrameTree, cdp.Empty{})
	trees := make(map[*child]*page.FrameTree, len(children))
	for range children {
		a := <-answers
		if a.tree != nil && a.tree.Frame == nil {
			a.tree = nil
		}
		trees[a.ch] = a.tree
	}
	if err != nil {
		return nil, fmt.Errorf("listing the frames of %s: %w", p.URL(), err)
	}
	frames := p.stitch(res.FrameTree, trees)
	if err := p.findOwners(ctx, frames); err != nil {
		return nil, fmt.Errorf("listing the frames of %s: %w", p.URL(), err)
	}
	p.keep(frames, trees, asked)
	return frames, nil
}

// keep keeps a list of frames that was complete when layout was asked.
func (p *Page) keep(frames []Frame, trees map[*child]*page.FrameTree, asked int64) {
	for _, tree := range trees {
		if tree == nil {
			return // the next call may hear more
		}
	}
	for _, f := range frames {
		if f.Parent != "" && f.Owner == 0 {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listed, p.listedAt = slices.Clone(frames), asked
}

// subtree is a frame with what is inside it in the same process; the tree is nil when its process did not answer.
type subtree struct {
	id   cdp.FrameID
	tree *page.FrameTree
	s    *session
}

// stitch joins the frame trees of the tab's processes to one list.
func (p *Page) stitch(main *page.FrameTree, trees map[*child]*page.FrameTree) []Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	apart := make(map[cdp.FrameID][]subtree) // out-of-process frames by parent
	for ch, tree := range trees {
		if f := p.frames[ch.frame]; f != nil && f.s == ch.s {
			apart[f.parent] = append(apart[f.parent], subtree{ch.frame, tree, ch.s})
		}
	}
	var out []Frame
	seen := make(map[cdp.FrameID]bool)
	var walk func(t subtree, parent cdp.FrameID)
	walk = func(t subtree, parent cdp.FrameID) {
		rec := p.frame(t.id)
		if seen[t.id] || rec.s != nil && rec.s != t.s && rec.s.ended() == nil {
			return // listed already, or moved to another process since its old one was asked
		}
		seen[t.id] = true
		rec.s, rec.parent = t.s, parent
		f := Frame{ID: t.id, Parent: parent, Session: t.s, URL: rec.url, OutOfProcess: t.s != p.s}
		inside := apart[t.id]
		if t.tree != nil {
			doc := t.tree.Frame
			rec.url = doc.URL + doc.URLFragment
			f.URL, f.Name, f.Loader = rec.url, doc.Name, doc.LoaderID
			for _, sub := range t.tree.ChildFrames {
				if sub != nil && sub.Frame != nil {
					inside = append(inside, subtree{sub.Frame.ID, sub, t.s})
				}
			}
		}
		out = append(out, f)
		slices.SortStableFunc(inside, func(a, b subtree) int { return p.frame(a.id).number - p.frame(b.id).number })
		for _, sub := range inside {
			walk(sub, t.id)
		}
	}
	if main != nil && main.Frame != nil {
		walk(subtree{main.Frame.ID, main, p.s}, "")
	}
	return out
}

// findOwners fills in the elements that hold the frames. An element stays the owner of its frame for the frame's life, so each
// is asked for once.
func (p *Page) findOwners(ctx context.Context, frames []Frame) error {
	sessions := make(map[cdp.FrameID]*session, len(frames))
	type question struct {
		i    int
		s    *session
		call *pendingCall
	}
	var open []question
	p.mu.Lock()
	for i := range frames {
		f := &frames[i]
		s := f.Session.(*session)
		sessions[f.ID] = s
		parent := sessions[f.Parent]
		if parent == nil {
			continue
		}
		if rec := p.frames[f.ID]; rec != nil && rec.owner != 0 && rec.ownerS == parent {
			f.Owner = rec.owner
			continue
		}
		open = append(open, question{i: i, s: parent})
	}
	p.mu.Unlock()
	for i := range open {
		q := &open[i]
		q.call, _ = q.s.start(ctx, dom.CommandGetFrameOwner, dom.GetFrameOwnerParams{FrameID: frames[q.i].ID})
	}
	for _, q := range open {
		if q.call == nil {
			continue
		}
		short, cancel := context.WithTimeout(ctx, frameDeadline)
		var res dom.GetFrameOwnerResult
		err := q.call.wait(short, &res)
		cancel()
		if err != nil {
			if ctx.Err() != nil || p.s.ended() != nil {
				return err
			}
			continue // the frame has gone since
		}
		frames[q.i].Owner = res.BackendNodeID
		p.mu.Lock()
		if rec := p.frames[frames[q.i].ID]; rec != nil {
			rec.owner, rec.ownerS = res.BackendNodeID, q.s
		}
		p.mu.Unlock()
	}
	return nil
}
