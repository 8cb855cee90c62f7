package browser

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/coder/websocket"
)

// talker is a server that says what it is given over a WebSocket, and hands on what it hears.
func talker(t *testing.T, kind websocket.MessageType, say ...string) (address string, heard chan string) {
	t.Helper()
	heard = make(chan string, 10)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		for _, message := range say {
			if conn.Write(r.Context(), kind, []byte(message)) != nil {
				return // it had enough
			}
		}
		for {
			_, message, err := conn.Read(r.Context())
			if err != nil {
				return
			}
			heard <- string(message)
		}
	}))
	t.Cleanup(srv.Close)
	return "ws" + strings.TrimPrefix(srv.URL, "http"), heard
}

// TestOversizeRemote has a remote browser send what is too large.
func TestOversizeRemote(t *testing.T) {
	const small = `{"method":"Page.frameNavigated","params":{}}`
	large := strings.Repeat("x", maxTalk+100)
	address, heard := talker(t, websocket.MessageText, small, `{"method":"Runtime.consoleAPICalled","params":{"x":"`+large+`"}}`, small)
	conn, err := dialWebSocket(testContext(t), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	read := func() (string, error) {
		msg := new(cdproto.Message)
		err := conn.Read(t.Context(), msg)
		return string(msg.Method), err
	}
	if method, err := read(); method != "Page.frameNavigated" || err != nil {
		t.Fatal(method, err)
	}
	if _, err := read(); !errors.As(err, new(*jsonv2.SyntacticError)) {
		t.Fatalf("the large line of the console: %v, want it cut off", err)
	}
	if method, err := read(); method != "Page.frameNavigated" || err != nil {
		t.Fatal("the message after it:", method, err)
	}
	if err := conn.Write(t.Context(), &cdproto.Message{ID: 7, Method: "Browser.getVersion"}); err != nil {
		t.Fatal(err)
	}
	if got := <-heard; got != `{"id":7,"method":"Browser.getVersion"}` {
		t.Errorf("sent %q", got)
	}
}

// TestSocket reads messages through buffers of all sizes.
func TestSocket(t *testing.T) {
	say := []string{`{"id":1}`, `{}`, strings.Repeat("long ", 3000)}
	want := strings.Join(say, "\x00") + "\x00"
	for how, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "bytes": iotest.OneByteReader} {
		address, _ := talker(t, websocket.MessageText, say...)
		conn, _, err := websocket.Dial(testContext(t), address, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if _, err := io.ReadFull(reader(&socket{conn: conn}), got); err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("%s: %.60q, %v", how, got, err)
		}
		conn.CloseNow()
	}
	address, _ := talker(t, websocket.MessageBinary, "{}")
	conn, err := dialWebSocket(testContext(t), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Read(t.Context(), new(cdproto.Message)); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Errorf("binary message: %v", err)
	}
}
