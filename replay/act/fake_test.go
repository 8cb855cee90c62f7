package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// fake is a session without a browser. It answers as a page would on which all goes well; faults change that.
type fake struct {
	mu sync.Mutex
	// sent are the commands in their order: the method, with the operation or the kind of event after a space.
	sent []string
	// fault is asked before every command. A result other than nil, or an error, replaces the normal answer.
	fault func(ctx context.Context, command string, n int) (any, error)
	seen  map[string]int
	field map[string]any
}

func (f *fake) Subscribe(string) (<-chan jsonv2.Value, func()) {
	return make(chan jsonv2.Value), func() {}
}

func (f *fake) Call(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := jsonv2.Marshal(params)
	if err != nil {
		return err
	}
	var p struct {
		Type      string
		Arguments []struct{ Value any }
	}
	if err := json.Unmarshal(raw, &p); err != nil && method != "Runtime.callFunctionOn" {
		return err
	}
	command := method
	if len(p.Arguments) > 0 {
		command += fmt.Sprintf(" %v", p.Arguments[0].Value)
	} else if p.Type != "" {
		command += " " + p.Type
	}
	f.mu.Lock()
	f.sent = append(f.sent, command)
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	n := f.seen[command]
	f.seen[command]++
	f.mu.Unlock()
	var out any
	if f.fault != nil {
		if out, err = f.fault(ctx, command, n); err != nil {
			return err
		}
	}
	if out == nil {
		out = f.normal(command)
	}
	answer, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return jsonv2.Unmarshal(answer, result)
}

func value(v any) any {
	return map[string]any{"result": map[string]any{"type": "object", "value": v}}
}

func (f *fake) normal(command string) any {
	field := f.field
	if field == nil {
		field = map[string]any{"kind": "button", "tag": "button"}
	}
	switch command {
	case "DOM.resolveNode":
		return map[string]any{"object": map[string]any{"type": "object", "objectId": "1"}}
	case "Runtime.callFunctionOn point":
		return value(map[string]any{"state": "ready", "x": 5, "y": 6, "lx": 5, "ly": 6, "field": field})
	case "Runtime.callFunctionOn landed":
		return value(map[string]any{"seen": true, "met": true, "connected": true, "field": field})
	case "Runtime.callFunctionOn typed", "Runtime.callFunctionOn choose":
		return value(map[string]any{"state": "ready", "field": field, "after": field})
	}
	if len(command) > 22 && command[:22] == "Runtime.callFunctionOn" {
		return value(map[string]any{"state": "ready", "field": field})
	}
	return map[string]any{}
}

func (f *fake) count(command string) int { return f.seen[command] }

const (
	pressed  = "Input.dispatchMouseEvent mousePressed"
	released = "Input.dispatchMouseEvent mouseReleased"
	moved    = "Input.dispatchMouseEvent mouseMoved"
)

func element(f *fake) Element { return Element{Page: f, Session: f, World: 1, Backend: 2} }

var errGone = &cdproto.Error{Code: -32000, Message: "Node with given id does not belong to the document"}

// brief is a context whose deadline comes soon: for waits that must end by it.
func brief(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// never waits for the end of the context, like a reply that does not come.
func never(ctx context.Context) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Whatever goes wrong before the press, no press is sent.
func TestNoPressAfterAFault(t *testing.T) {
	before := []string{
		"DOM.resolveNode", "DOM.scrollIntoViewIfNeeded", "Runtime.callFunctionOn point", moved, "Runtime.callFunctionOn guard",
	}
	faults := map[string]struct {
		fault func(ctx context.Context) (any, error)
		check func(err error) bool
	}{
		"stale": {func(context.Context) (any, error) { return nil, errGone }, func(err error) bool { return errors.As(err, new(*Stale)) }},
		"navigated": {func(context.Context) (any, error) {
			return nil, &cdproto.Error{Code: -32000, Message: "Inspected target navigated or closed"}
		}, func(err error) bool { return errors.As(err, new(*Stale)) }},
		"dropped": {never, func(err error) bool { return errors.As(err, new(*NotReady)) }},
		"other": {func(context.Context) (any, error) { return nil, errors.New("pipe broke") }, func(err error) bool {
			return err != nil && !errors.As(err, new(*Stale)) && !errors.As(err, new(*NotReady))
		}},
	}
	for _, command := range before {
		for name, tt := range faults {
			t.Run(command+"/"+name, func(t *testing.T) {
				f := &fake{fault: func(ctx context.Context, c string, n int) (any, error) {
					if c == "Runtime.callFunctionOn point" && n == 0 && command == "DOM.scrollIntoViewIfNeeded" {
						return value(map[string]any{"state": unscrolled}), nil
					}
					if c == command {
						return tt.fault(ctx)
					}
					return nil, nil
				}}
				_, err := Click(brief(t), element(f), ClickOptions{})
				if !tt.check(err) {
					t.Errorf("got %v", err)
				}
				if f.count(pressed)+f.count(released) > 0 {
					t.Errorf("sent %v", f.sent)
				}
			})
		}
	}
}

// A state that is in the way keeps the press back however late it shows.
func TestNoPressWhileNotReady(t *testing.T) {
	for _, op := range []string{"point", "guard"} {
		for _, s := range []State{Hidden, Disabled, Covered, Moving, Offscreen, NoPointer, Busy} {
			t.Run(op+"/"+string(s), func(t *testing.T) {
				f := &fake{fault: func(_ context.Context, c string, _ int) (any, error) {
					if c == "Runtime.callFunctionOn "+op {
						return value(map[string]any{"state": s, "text": "because", "cover": "div"}), nil
					}
					return nil, nil
				}}
				_, err := Click(brief(t), element(f), ClickOptions{})
				var notReady *NotReady
				if !errors.As(err, &notReady) || notReady.State != s || notReady.Text != "because" || notReady.Cover != "div" {
					t.Errorf("got %#v", err)
				}
				if f.count(pressed) > 0 {
					t.Errorf("sent %v", f.sent)
				}
			})
		}
	}
}

func TestDetachedIsStaleAtOnce(t *testing.T) {
	f := &fake{fault: func(_ context.Context, c string, _ int) (any, error) {
		if c == "Runtime.callFunctionOn point" {
			return value(map[string]any{"state": Detached, "text": "it is no longer in the page"}), nil
		}
		return nil, nil
	}}
	_, err := Click(t.Context(), element(f), ClickOptions{}) // no deadline: waiting would never end
	if !errors.As(err, new(*Stale)) || f.count(pressed) > 0 {
		t.Errorf("got %v, sent %v", err, f.sent)
	}
}

func TestRetryAfterTheGuardStoppedThePress(t *testing.T) {
	f := &fake{fault: func(_ context.Context, c string, n int) (any, error) {
		if c == "Runtime.callFunctionOn landed" && n == 0 {
			return value(map[string]any{"seen": true, "met": false, "by": "div"}), nil
		}
		return nil, nil
	}}
	if _, err := Click(t.Context(), element(f), ClickOptions{}); err != nil || f.count(pressed) != 2 || f.count(released) != 2 {
		t.Errorf("got %v, sent %v", err, f.sent)
	}
}

// Once the button is down, it comes up again, and nothing is tried twice.
func TestAfterThePress(t *testing.T) {
	tests := []struct {
		name, command string
		fault         func(ctx context.Context) (any, error)
		check         func(err error) bool
	}{
		{"press dropped", pressed, never, func(err error) bool { return errors.As(err, new(*Unconfirmed)) }},
		{"release dropped", released, never, func(err error) bool { return errors.As(err, new(*Unconfirmed)) }},
		{"press fails", pressed, func(context.Context) (any, error) { return nil, errors.New("pipe broke") }, func(err error) bool { return errors.As(err, new(*Unconfirmed)) }},
		{"page left on press", released, func(context.Context) (any, error) { return nil, errGone }, func(err error) bool { return err == nil }},
		{"page left on click", "Runtime.callFunctionOn landed", func(context.Context) (any, error) { return nil, errGone }, func(err error) bool { return err == nil }},
		{"dialog holds the page", "Runtime.callFunctionOn landed", never, func(err error) bool { return err == nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{fault: func(ctx context.Context, c string, _ int) (any, error) {
				if c == tt.command {
					return tt.fault(ctx)
				}
				return nil, nil
			}}
			_, err := Click(brief(t), element(f), ClickOptions{})
			if !tt.check(err) {
				t.Errorf("got %v", err)
			}
			if f.count(pressed) != 1 || f.count(released) != 1 {
				t.Errorf("sent %v", f.sent)
			}
		})
	}
}

func TestCancelledIsNotADeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{fault: func(_ context.Context, c string, _ int) (any, error) {
		if c == "Runtime.callFunctionOn point" {
			cancel()
			return value(map[string]any{"state": Covered, "text": "covered"}), nil
		}
		return nil, nil
	}}
	if _, err := Click(ctx, element(f), ClickOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFillFaults(t *testing.T) {
	const secret = "hunter2"
	text := map[string]any{"kind": "text", "tag": "input", "type": "text", "value": "", "maxLength": -1}
	tests := []struct {
		name, command string
		fault         func(ctx context.Context) (any, error)
		check         func(err error) bool
		typed         int
	}{
		{"stale before", "Runtime.callFunctionOn edit", func(context.Context) (any, error) { return nil, errGone }, func(err error) bool { return errors.As(err, new(*Stale)) }, 0},
		{"dropped before", "Runtime.callFunctionOn edit", never, func(err error) bool { return errors.As(err, new(*NotReady)) }, 0},
		{"dropped while typing", "Input.insertText", never, func(err error) bool { return errors.As(err, new(*Unconfirmed)) }, 1},
		{"gone afterwards", "Runtime.callFunctionOn typed", func(context.Context) (any, error) { return nil, errGone }, func(err error) bool { return err == nil }, 1},
		{"not kept", "", nil, func(err error) bool { return errors.As(err, new(*ValueRejected)) }, 1},
		{"exception that tells the value", "Runtime.callFunctionOn typed", func(context.Context) (any, error) {
			return map[string]any{"result": map[string]any{"type": "object"}, "exceptionDetails": map[string]any{"exceptionId": 1, "text": secret, "lineNumber": 1, "columnNumber": 1, "exception": map[string]any{"type": "object", "className": "TypeError", "description": secret}}}, nil
		}, func(err error) bool { return err != nil }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{field: text, fault: func(ctx context.Context, c string, _ int) (any, error) {
				if c == tt.command {
					return tt.fault(ctx)
				}
				return nil, nil
			}}
			r, err := Fill(brief(t), element(f), FillOptions{Value: secret})
			if !tt.check(err) {
				t.Errorf("got %v", err)
			}
			if f.count("Input.insertText") != tt.typed {
				t.Errorf("sent %v", f.sent)
			}
			for _, s := range []string{fmt.Sprint(err), fmt.Sprintf("%+v", err), fmt.Sprintf("%+v", r), fmt.Sprintf("%#v", err)} {
				if strings.Contains(s, secret) {
					t.Errorf("the value is told: %s", s)
				}
			}
		})
	}
}

func TestKeysAreLetGo(t *testing.T) {
	const down, up = "Input.dispatchKeyEvent keyDown", "Input.dispatchKeyEvent keyUp"
	f := &fake{fault: func(ctx context.Context, c string, _ int) (any, error) {
		if c == down {
			return never(ctx)
		}
		return nil, nil
	}}
	_, err := Press(brief(t), &Element{Page: f}, "Enter", 0)
	if !errors.As(err, new(*Unconfirmed)) || f.count(up) != 1 {
		t.Errorf("got %v, sent %v", err, f.sent)
	}
}
