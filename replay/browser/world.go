package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// worldName is the name of the isolated world in every frame. Scripts of ours run there: they see the page's DOM but not its
// globals, and the page sees neither them nor what they define.
const worldName = "retrace"

// world is the isolated world of one document.
type world struct {
	s      *session
	id     runtime.ExecutionContextID
	unique string
}

// World is the isolated world of the frame's current document, made when it is not there yet. The id means something in the
// frame's session only, and until the frame's next document.
func (p *Page) World(ctx context.Context, id cdp.FrameID) (runtime.ExecutionContextID, error) {
	w, err := p.world(ctx, id)
	return w.id, err
}

func (p *Page) world(ctx context.Context, id cdp.FrameID) (world, error) {
	p.mu.Lock()
	w, ok := p.worlds[id]
	s := p.s
	if f := p.frames[id]; f != nil && f.s != nil {
		s = f.s
	}
	p.mu.Unlock()
	if ok && w.s == s {
		if err := s.ended(); err != nil {
			return world{}, fmt.Errorf("isolated world of frame %s: %w", id, err)
		}
		return w, nil
	}
	res, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: id, WorldName: worldName})
	if err != nil {
		return world{}, fmt.Errorf("isolated world of frame %s: %w", id, err)
	}
	return world{s: s, id: res.ExecutionContextID}, nil
}

// worldCreated files a new world of ours. The event comes before the reply of the command that made it, and the end of the
// world, told by its unique id, comes after both: what is filed here is never older than what Chrome knows.
func (p *Page) worldCreated(s *session, ev *runtime.EventExecutionContextCreated) {
	c := ev.Context
	if c == nil || c.Name != worldName {
		return
	}
	var aux struct {
		FrameID cdp.FrameID `json:"frameId"`
	}
	if err := jsonv2.Unmarshal(c.AuxData, &aux); err != nil || aux.FrameID == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worlds[aux.FrameID] = world{s: s, id: c.ID, unique: c.UniqueID}
}

func (p *Page) worldDestroyed(s *session, unique string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, w := range p.worlds {
		if w.s == s && w.unique == unique {
			delete(p.worlds, id)
		}
	}
}

func (p *Page) worldsCleared(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, w := range p.worlds {
		if w.s == s {
			delete(p.worlds, id)
		}
	}
}

// forgetWorld drops a world that a call found to be gone.
func (p *Page) forgetWorld(id cdp.FrameID, w world) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cur, ok := p.worlds[id]; ok && cur.s == w.s && cur.id == w.id {
		delete(p.worlds, id)
	}
}
