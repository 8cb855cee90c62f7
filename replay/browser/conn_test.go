package browser

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// fakeTransport answers nothing by itself.
type fakeTransport struct {
	in   chan *cdproto.Message
	sent chan *cdproto.Message
	fail error
}

func (f *fakeTransport) Read(_ context.Context, msg *cdproto.Message) error {
	m, ok := <-f.in
	if !ok {
		return io.EOF
	}
	*msg = *m
	return nil
}

func (f *fakeTransport) Write(_ context.Context, msg *cdproto.Message) error {
	if f.fail != nil {
		return f.fail
	}
	f.sent <- msg
	return nil
}

func (f *fakeTransport) Close() error { return nil }

func fakeConn(t *testing.T) (*conn, *fakeTransport) {
	t.Helper()
	f := &fakeTransport{in: make(chan *cdproto.Message), sent: make(chan *cdproto.Message, 10)}
	c := newConn(f, slog.New(slog.DiscardHandler))
	go c.read()
	go c.write()
	t.Cleanup(func() { close(f.in); <-c.reader; <-c.writer })
	return c, f
}

func TestCallOutcomes(t *testing.T) {
	tests := []struct {
		name string
		act  func(c *conn, s *session, f *fakeTransport, cancel func())
		want error
	}{
		{"reply", func(c *conn, s *session, f *fakeTransport, _ func()) {
			m := <-f.sent
			f.in <- &cdproto.Message{ID: m.ID, SessionID: m.SessionID, Result: jsonv2.Value(`{"frameId":"F"}`)}
		}, nil},
		{"cancelled", func(c *conn, s *session, f *fakeTransport, cancel func()) { <-f.sent; cancel() }, context.Canceled},
		{"closed", func(c *conn, s *session, f *fakeTransport, _ func()) { <-f.sent; c.drop(s, ErrPageClosed) }, ErrPageClosed},
		{"crashed", func(c *conn, s *session, f *fakeTransport, _ func()) { <-f.sent; s.end(ErrPageCrashed) }, ErrPageCrashed},
		{"died", func(c *conn, s *session, f *fakeTransport, _ func()) { <-f.sent; c.fail(ErrBrowserDied) }, ErrBrowserDied},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, f := fakeConn(t)
			s := c.open("S", "page X", nil)
			ctx, cancel := context.WithCancel(testContext(t))
			defer cancel()
			go tt.act(c, s, f, cancel)
			res, err := cdp.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "about:blank"})
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Errorf("error = %v, want %v", err, tt.want)
			}
			if tt.want == nil && res.FrameID != "F" {
				t.Errorf("result = %+v", res)
			}
			if left := pendingCalls(c); len(left) > 0 {
				t.Errorf("calls left: %v", left)
			}
		})
	}
}

func TestCallReportsTheBrowsersError(t *testing.T) {
	c, f := fakeConn(t)
	s := c.open("S", "page X", nil)
	go func() {
		m := <-f.sent
		f.in <- &cdproto.Message{ID: m.ID, Error: &cdproto.Error{Code: -32000, Message: "no such frame"}}
	}()
	err := s.Call(testContext(t), "Page.navigate", nil, nil)
	var browserErr *cdproto.Error
	if !errors.As(err, &browserErr) || browserErr.Code != -32000 {
		t.Errorf("error = %v", err)
	}
	f.fail = io.ErrClosedPipe
	if err := s.Call(testContext(t), "Page.navigate", nil, nil); !errors.Is(err, ErrBrowserDied) {
		t.Errorf("error of a failed write = %v", err)
	}
}

// A browser that takes nothing more holds up neither the one who calls nor others.
func TestCallsEndWhenTheBrowserReadsNothing(t *testing.T) {
	c, f := fakeConn(t)
	s := c.open("S", "page X", nil)
	for range cap(f.sent) + 2 {
		ctx, cancel := context.WithCancel(testContext(t))
		call, err := s.start(ctx, "Page.navigate", nil)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := call.wait(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v", err)
		}
	}
	if left := pendingCalls(c); len(left) > 0 {
		t.Errorf("calls left: %v", left)
	}
	for range cap(f.sent) + 2 { // so that the writer can end
		<-f.sent
	}
}

func TestSubscribeKeepsOrderAndEnds(t *testing.T) {
	c, f := fakeConn(t)
	s := c.open("S", "page X", nil)
	events, cancel := s.Subscribe("A")
	unread, cancelUnread := s.Subscribe("A")
	defer cancelUnread()
	const n = 10000 // nobody reads meanwhile, and the connection must not block
	for i := range n {
		f.in <- &cdproto.Message{SessionID: "S", Method: "A", Params: jsonv2.Value([]byte{byte(i), byte(i >> 8)})}
		f.in <- &cdproto.Message{SessionID: "S", Method: "B"}
		f.in <- &cdproto.Message{SessionID: "other", Method: "A"}
	}
	c.drop(s, ErrPageClosed)
	got := 0
	for v := range events {
		if int(v[0])|int(v[1])<<8 != got {
			t.Fatalf("event %d is %v", got, v)
		}
		got++
	}
	if got != n {
		t.Errorf("%d events, want %d", got, n)
	}
	cancel()
	cancelUnread()
	for range unread {
	}
	late, cancelLate := s.Subscribe("A")
	defer cancelLate()
	if _, ok := <-late; ok {
		t.Error("an ended session delivers")
	}
}
