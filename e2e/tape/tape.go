// Package tape is a browser that is none: it answers the commands of a replay with what a real one answered once. A whole run
// takes no process and no network then, so that it can be done in a bubble of testing/synctest, in which time costs nothing, with
// any fault of the protocol.
//
// The commands that act (navigation and input) part a recorded conversation in phases. A command is answered with the reply that
// the same command, with the same parameters, got in the present phase or the last one before it. Events come after the reply of
// the command that they came after, once. So a replay may look at the page more often than the recorded one did, or less.
package tape

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"
)

// Line is one message of a conversation.
type Line struct {
	Sent    bool             `json:"sent,omitempty"` // to the browser
	Message *cdproto.Message `json:"message"`
}

// Recorder passes the messages of a connection on and keeps them. Two lines of one direction are in their order; those of both
// are as nearly as can be.
type Recorder struct {
	chromedp.Transport

	mu    sync.Mutex
	lines []Line
}

func (r *Recorder) keep(l Line) {
	// The message is used by others from now on.
	copied := *l.Message
	copied.Params, copied.Result = append([]byte(nil), l.Message.Params...), append([]byte(nil), l.Message.Result...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, Line{l.Sent, &copied})
}

// Read implements [chromedp.Transport].
func (r *Recorder) Read(ctx context.Context, msg *cdproto.Message) error {
	err := r.Transport.Read(ctx, msg)
	if err == nil {
		r.keep(Line{Message: msg})
	}
	return err
}

// Write implements [chromedp.Transport].
func (r *Recorder) Write(ctx context.Context, msg *cdproto.Message) error {
	r.keep(Line{true, msg})
	return r.Transport.Write(ctx, msg)
}

// Save writes the conversation: the address of the page, and a line for each message, compressed.
func (r *Recorder) Save(w io.Writer, address string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false) // parameters are compared as they are written
	err = e.Encode(address)
	for _, l := range r.lines {
		if err == nil {
			err = e.Encode(l)
		}
	}
	if err != nil {
		return fmt.Errorf("saving a conversation: %w", err)
	}
	return z.Close()
}

// answer is how a command was answered once.
type answer struct {
	number int // in the order of the commands
	phase  int
	reply  *cdproto.Message
	events []*cdproto.Message
}

// Tape is a recorded conversation. It does not change when it is played.
type Tape struct {
	// Address is that of the page.
	Address string

	answers []*answer
	known   []map[string][]*answer // for each of forms
	acts    []string               // the commands that act, in their order
}

// Load reads a conversation.
func Load(r io.Reader) (*Tape, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("reading a conversation: %w", err)
	}
	d := json.NewDecoder(bufio.NewReader(z))
	t := &Tape{}
	for range forms {
		t.known = append(t.known, map[string][]*answer{})
	}
	if err = d.Decode(&t.Address); err != nil {
		return nil, fmt.Errorf("reading a conversation: %w", err)
	}
	waiting := map[int64]*answer{}
	for {
		var l Line
		switch err := d.Decode(&l); err {
		case nil:
			t.add(l, waiting)
		case io.EOF:
			return t, nil
		default:
			return nil, fmt.Errorf("reading a conversation: %w", err)
		}
	}
}

// add files one message; waiting are the answers whose reply has not come.
func (t *Tape) add(l Line, waiting map[int64]*answer) {
	m := l.Message
	switch {
	case l.Sent:
		if Acts(m) {
			t.acts = append(t.acts, exactly(m))
		}
		a := &answer{number: len(t.answers), phase: len(t.acts)}
		waiting[m.ID] = a
		t.answers = append(t.answers, a)
		for i, form := range forms {
			t.known[i][form(m)] = append(t.known[i][form(m)], a)
		}
	case m.ID != 0:
		if a := waiting[m.ID]; a != nil {
			a.reply = m
		}
	case len(t.answers) > 0:
		last := t.answers[len(t.answers)-1]
		last.events = append(last.events, m)
	}
}
