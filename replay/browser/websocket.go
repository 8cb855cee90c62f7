package browser

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"
)

// dialWebSocket connects to the WebSocket of a browser. No proxy is used and no redirect followed. What comes is held to the
// same sizes as from the pipe of a browser of our own.
func dialWebSocket(ctx context.Context, address string) (chromedp.Transport, error) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections() // what a failure left
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1) // bounded knows better
	s := &socket{conn: conn}
	return chromedp.NewPipeConn(&bounded{ReadCloser: s, maxTalk: maxTalk, maxMessage: maxMessage}, s), nil
}

// socket is a WebSocket in the form of the two pipes of a browser: a zero byte ends each message. JSON holds none.
type socket struct {
	conn    *websocket.Conn
	message io.Reader // the one that is being read; nil between two
	ended   bool      // its zero byte is still to be given
}

// Read reads a part of a message. A large one is never held as a whole.
func (s *socket) Read(p []byte) (int, error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case s.message == nil && !s.ended:
		kind, message, err := s.conn.Reader(context.Background())
		if err != nil {
			return 0, err
		}
		if kind != websocket.MessageText {
			return 0, errors.New("the browser sent a message that is no text")
		}
		s.message = message
	}
	n := 0
	if !s.ended {
		var err error
		if n, err = s.message.Read(p); err != nil && !errors.Is(err, io.EOF) {
			return n, err
		} else if err == nil {
			return n, nil
		}
		s.message, s.ended = nil, true
	}
	if n < len(p) {
		p[n], s.ended = 0, false
		n++
	}
	return n, nil
}

// Write sends one message, with the zero byte that ends it.
func (s *socket) Write(p []byte) (int, error) {
	if err := s.conn.Write(context.Background(), websocket.MessageText, p[:len(p)-1]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close cuts the connection. A browser that does not answer cannot hold it up.
func (s *socket) Close() error { return s.conn.CloseNow() }
