package tape

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
)

// Fault is what happens to a command.
type Fault string

// Faults.
const (
	None   Fault = ""
	Drop   Fault = "drop"   // it is lost
	Mute   Fault = "mute"   // its reply is lost
	Refuse Fault = "refuse" // it is not done, and an error is its reply
	Repeat Fault = "repeat" // its reply comes twice
	Delay  Fault = "delay"  // its reply comes later than those of commands after it
	Cut    Fault = "cut"    // the connection ends instead
)

// Faults are all of them.
var Faults = []Fault{Drop, Mute, Refuse, Repeat, Delay, Cut}

// delay is shorter than the deadline of a step, and longer than what a step needs.
const delay = 700 * time.Millisecond

// Browser answers one replay. It implements [chromedp.Transport].
type Browser struct {
	fault func(n int, msg *cdproto.Message) Fault

	tape *Tape

	mu      sync.Mutex
	phase   int
	given   []bool // by the numbers of answers
	n       int
	acted   []string
	unknown []string
	out     []*cdproto.Message
	wake    chan struct{} // has room for one
	closed  chan struct{}
	once    sync.Once
}

// Play makes a browser of a conversation. The fault of each command, of which n went before, is what fault says.
func Play(t *Tape, fault func(n int, msg *cdproto.Message) Fault) *Browser {
	return &Browser{fault: fault, tape: t, given: make([]bool, len(t.answers)), wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Acts reports whether a command does something to a page, so that a phase begins with it.
func Acts(m *cdproto.Message) bool {
	return m.Method == "Page.navigate" || strings.HasPrefix(string(m.Method), "Input.") && m.Method != "Input.setIgnoreInputEvents"
}

// forms are how a command is known again, the most exact first: with its parameters, without the numbers in them (ids and times),
// and without the text of scripts, which change more often than what they tell.
var forms = []func(*cdproto.Message) string{exactly, alike, roughly}

func exactly(m *cdproto.Message) string {
	return string(m.SessionID) + " " + string(m.Method) + " " + string(m.Params)
}

var (
	numbers = regexp.MustCompile(`[0-9]+`)
	scripts = regexp.MustCompile(`"(source|expression|functionDeclaration)":"([^"\\]|\\.)*"`)
)

func alike(m *cdproto.Message) string { return numbers.ReplaceAllString(exactly(m), "#") }

func roughly(m *cdproto.Message) string {
	return numbers.ReplaceAllString(scripts.ReplaceAllString(exactly(m), `"$1":""`), "#")
}

// Acted are the commands that acted on the page, in their order.
func (b *Browser) Acted() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.acted)
}

// Unknown are the commands for which there was no answer.
func (b *Browser) Unknown() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.unknown)
}

// Commands is the number of commands that came.
func (b *Browser) Commands() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// Write implements [chromedp.Transport]: it takes a command.
func (b *Browser) Write(_ context.Context, msg *cdproto.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over() {
		return io.ErrClosedPipe
	}
	n := b.n
	b.n++
	fault := b.fault(n, msg)
	switch fault {
	case Drop:
		return nil
	case Cut:
		b.end()
		return io.ErrClosedPipe
	case Refuse:
		b.send(&cdproto.Message{ID: msg.ID, SessionID: msg.SessionID, Error: &cdproto.Error{Code: -32000, Message: "refused by the test"}})
		return nil
	}
	reply, events := b.answer(msg)
	switch fault {
	case Mute:
		b.send(events...)
	case Delay:
		b.send(events...)
		time.AfterFunc(delay, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.send(reply)
		})
	case Repeat:
		b.send(slices.Concat([]*cdproto.Message{reply, reply}, events)...)
	default:
		b.send(slices.Concat([]*cdproto.Message{reply}, events)...)
	}
	return nil
}

// answer does a command. Call it with mu held.
func (b *Browser) answer(msg *cdproto.Message) (reply *cdproto.Message, events []*cdproto.Message) {
	if Acts(msg) {
		b.acted = append(b.acted, exactly(msg))
		// The phase is that of the command as it was recorded; one that was left out there leaves out what it did.
		if i := slices.Index(b.tape.acts[b.phase:], exactly(msg)); i >= 0 {
			b.phase += i + 1
		}
	}
	var a *answer
	for i := 0; i < len(forms) && a == nil; i++ {
		a = b.pick(b.tape.known[i][forms[i](msg)])
	}
	if a == nil || a.reply == nil {
		b.unknown = append(b.unknown, exactly(msg))
		return &cdproto.Message{ID: msg.ID, SessionID: msg.SessionID, Error: &cdproto.Error{Code: -32000, Message: "the tape has no answer"}}, nil
	}
	// What phases before told after commands that did not come.
	for _, old := range b.tape.answers {
		if old.phase < a.phase && !b.given[old.number] {
			b.given[old.number] = true
			events = append(events, old.events...)
		}
	}
	if !b.given[a.number] {
		b.given[a.number] = true
		events = append(events, a.events...)
	}
	copied := *a.reply
	copied.ID = msg.ID
	return &copied, events
}

// pick takes the next answer of the present phase, or the last one that was given, or that of an earlier phase.
func (b *Browser) pick(of []*answer) *answer {
	var best *answer
	for _, a := range of {
		if a.phase > b.phase {
			break
		}
		best = a
		if a.phase == b.phase && !b.given[a.number] {
			break
		}
	}
	return best
}

// send puts messages into the queue. Call it with mu held.
func (b *Browser) send(messages ...*cdproto.Message) {
	b.out = append(b.out, messages...)
	select {
	case b.wake <- struct{}{}:
	default: // told already
	}
}

// errOver ends what waits for messages.
var errOver = errors.New("the connection has ended")

// Read implements [chromedp.Transport]: it gives replies and events.
func (b *Browser) Read(_ context.Context, msg *cdproto.Message) error {
	for {
		b.mu.Lock()
		if len(b.out) > 0 && !b.over() {
			*msg = *b.out[0]
			b.out = b.out[1:]
			b.mu.Unlock()
			return nil
		}
		b.mu.Unlock()
		select {
		case <-b.wake:
		case <-b.closed:
			return errOver
		}
	}
}

func (b *Browser) over() bool {
	select {
	case <-b.closed:
		return true
	default:
		return false
	}
}

func (b *Browser) end() { b.once.Do(func() { close(b.closed) }) }

// Close implements [chromedp.Transport].
func (b *Browser) Close() error {
	b.end()
	return nil
}
