package browser

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// session is the line to one target. It implements cdp.Session.
type session struct {
	conn *conn
	id   target.SessionID
	name string // for errors: "page 0A1B…", "frame 0A1B…"
	// handle sees every event of the session in order, in the read loop: it must not call commands, nor block.
	handle func(method string, params jsonv2.Value)
	// held is set while commands that act are refused; nil for a target that is not of a context.
	held *atomic.Bool

	done chan struct{}

	mu   sync.Mutex
	err  error // set before done closes
	subs map[string][]*subscription
}

// Call sends the command, waits for its reply and decodes it into result (which may be nil). It ends early when ctx does, and
// with ErrPageClosed, ErrPageCrashed, ErrFrameDetached or ErrBrowserDied when the target does. An error of the browser is a
// *cdproto.Error. All are wrapped with the method.
func (s *session) Call(ctx context.Context, method string, params, result any) error {
	reply, err := s.start(ctx, method, params)
	if err != nil {
		return err
	}
	return reply.wait(ctx, result)
}

// Start sends the command and does not wait for its reply: wait does, and decodes it as Call does. Commands that are started one
// after the other arrive in that order.
func (s *session) Start(ctx context.Context, method string, params any) (wait func(ctx context.Context, result any) error, err error) {
	call, err := s.start(ctx, method, params)
	if err != nil {
		return nil, err
	}
	return call.wait, nil
}

// pendingCall is a command that was sent and not yet answered.
type pendingCall struct {
	s      *session
	id     int64
	method string
	reply  <-chan *cdproto.Message
}

// start sends a command without waiting for its reply, so that several can be under way in a known order.
func (s *session) start(ctx context.Context, method string, params any) (*pendingCall, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	if err := s.ended(); err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	if s.held != nil && s.held.Load() && acting(method) {
		return nil, fmt.Errorf("calling %s: %w", method, ErrHeld)
	}
	id, reply, err := s.conn.send(s.id, method, params)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	return &pendingCall{s: s, id: id, method: method, reply: reply}, nil
}

func (c *pendingCall) wait(ctx context.Context, result any) error {
	var msg *cdproto.Message
	select {
	case msg = <-c.reply:
	case <-ctx.Done():
		c.s.conn.forget(c.id)
		return fmt.Errorf("calling %s: %w", c.method, ctx.Err())
	case <-c.s.done:
		select { // the reply may have come just before the end
		case msg = <-c.reply:
		default:
			c.s.conn.forget(c.id)
			return fmt.Errorf("calling %s: %w", c.method, c.s.ended())
		}
	}
	if msg.Error != nil {
		return fmt.Errorf("calling %s: %w", c.method, msg.Error)
	}
	if result == nil {
		return nil
	}
	if err := jsonv2.Unmarshal(msg.Result, result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("decoding the result of %s: %w", c.method, err)
	}
	return nil
}

// Subscribe buffers the events of the method from now on, without limit, until the returned function is called. The channel
// closes when the session ends.
func (s *session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	sub := newSubscription()
	s.mu.Lock()
	ended := s.err != nil
	if !ended {
		if s.subs == nil {
			s.subs = make(map[string][]*subscription)
		}
		s.subs[method] = append(s.subs[method], sub)
	}
	s.mu.Unlock()
	if ended {
		sub.finish()
	}
	go sub.pump()
	return sub.out, func() {
		s.mu.Lock()
		list := s.subs[method]
		for i, other := range list {
			if other == sub {
				s.subs[method] = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		s.mu.Unlock()
		sub.cancel()
	}
}

// deliver files one event. It runs in the read loop.
func (s *session) deliver(method string, params jsonv2.Value) {
	s.mu.Lock()
	subs := s.subs[method]
	s.mu.Unlock()
	for _, sub := range subs {
		sub.put(params)
	}
	if s.handle != nil {
		s.handle(method, params)
	}
}

// end makes every running and later call fail with err. The first reason stays.
func (s *session) end(err error) {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return
	}
	s.err = err
	subs := s.subs
	s.subs = nil
	s.mu.Unlock()
	close(s.done)
	for _, list := range subs {
		for _, sub := range list {
			sub.finish()
		}
	}
}

// ended is why the session ended; nil while it lives.
func (s *session) ended() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.name, s.err)
}
