package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// LevelProtocol is the level of the log lines that show protocol messages.
const LevelProtocol = slog.LevelDebug - 4

// conn is the connection to one browser: many sessions over one transport. One goroutine reads it and one writes, so that a
// browser that no longer takes what it is sent holds up nobody.
type conn struct {
	transport chromedp.Transport
	log       *slog.Logger
	watch     func(Message) // is told of each message; may be nil
	nextID    atomic.Int64

	mu       sync.Mutex
	pending  map[int64]awaited
	sessions map[target.SessionID]*session
	outbox   []*cdproto.Message // commands to write
	err      error              // set before dead closes

	wake           chan struct{} // has room for one; tells of a filled outbox
	dead           chan struct{}
	reader, writer chan struct{} // closed when the goroutine that reads, or writes, has returned
}

// awaited is a command whose reply has not come.
type awaited struct {
	method string
	reply  chan *cdproto.Message
}

// newConn takes over the transport. Start read and write once the root session is open.
func newConn(transport chromedp.Transport, log *slog.Logger) *conn {
	return &conn{
		transport: transport,
		log:       log,
		pending:   make(map[int64]awaited),
		sessions:  make(map[target.SessionID]*session),
		wake:      make(chan struct{}, 1),
		dead:      make(chan struct{}),
		reader:    make(chan struct{}),
		writer:    make(chan struct{}),
	}
}

// open registers a session. The root session of the browser has the empty id. It is called in the read loop for sessions that
// Chrome opened, so that no message of theirs is lost.
func (c *conn) open(id target.SessionID, name string, handle func(method string, params jsonv2.Value)) *session {
	s := &session{conn: c, id: id, name: name, handle: handle, done: make(chan struct{})}
	c.mu.Lock()
	dead := c.err
	if dead == nil {
		c.sessions[id] = s
	}
	c.mu.Unlock()
	if dead != nil {
		s.end(dead)
	}
	return s
}

// drop ends the session and forgets it; messages for it are ignored from now on.
func (c *conn) drop(s *session, err error) {
	c.mu.Lock()
	if c.sessions[s.id] == s {
		delete(c.sessions, s.id)
	}
	c.mu.Unlock()
	s.end(err)
}

// read files messages until the transport ends.
func (c *conn) read() {
	defer close(c.reader)
	ctx := context.Background()
	watching := c.watching()
	for {
		msg := new(cdproto.Message)
		if err := c.transport.Read(ctx, msg); err != nil {
			var syntax *jsonv2.SyntacticError
			if errors.As(err, &syntax) {
				// The message was consumed whole; the next one may be good.
				c.log.Warn("unreadable message from the browser", "error", err)
				continue
			}
			c.fail(fmt.Errorf("%w: %w", ErrBrowserDied, err))
			return
		}
		if msg.ID != 0 {
			c.mu.Lock()
			command := c.pending[msg.ID]
			delete(c.pending, msg.ID)
			c.mu.Unlock()
			if watching {
				c.tell(msg, false, command.method)
			}
			if command.reply != nil {
				command.reply <- msg // has room for one
			}
			continue
		}
		if watching {
			c.tell(msg, false, string(msg.Method))
		}
		c.mu.Lock()
		s := c.sessions[msg.SessionID]
		c.mu.Unlock()
		if s != nil {
			s.deliver(string(msg.Method), msg.Params)
		}
	}
}

// write sends what is in the outbox until the connection ends. The transport must be closed to free it from a write that the
// browser does not take.
func (c *conn) write() {
	defer close(c.writer)
	for {
		select {
		case <-c.wake:
		case <-c.dead:
			return
		}
		c.mu.Lock()
		batch := c.outbox
		c.outbox = nil
		c.mu.Unlock()
		for _, msg := range batch {
			if err := c.transport.Write(context.Background(), msg); err != nil {
				c.fail(fmt.Errorf("%w: %w", ErrBrowserDied, err))
				return
			}
		}
	}
}

// fail ends the connection and every session with err. The first reason stays.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	sessions := c.sessions
	c.sessions = map[target.SessionID]*session{}
	c.mu.Unlock()
	close(c.dead)
	for _, s := range sessions {
		s.end(err)
	}
}

// reason is why the connection ended; nil while it lives.
func (c *conn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// send puts a command into the outbox and returns the channel of its reply and its id. It does not wait.
func (c *conn) send(id target.SessionID, method string, params any) (int64, <-chan *cdproto.Message, error) {
	msg := &cdproto.Message{ID: c.nextID.Add(1), SessionID: id, Method: cdproto.MethodType(method)}
	if params != nil {
		raw, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
		if err != nil {
			return 0, nil, fmt.Errorf("encoding %s: %w", method, err)
		}
		msg.Params = raw
	}
	if c.watching() {
		c.tell(msg, true, method)
	}
	reply := make(chan *cdproto.Message, 1)
	c.mu.Lock()
	if c.err != nil {
		err := c.err
		c.mu.Unlock()
		return 0, nil, err
	}
	c.pending[msg.ID] = awaited{method, reply}
	c.outbox = append(c.outbox, msg)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // told already
	}
	return msg.ID, reply, nil
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
}
