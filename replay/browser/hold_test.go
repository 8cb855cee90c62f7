package browser

import (
	"errors"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// In a context that is held, no command that acts on a page is sent, and every other one is.
func TestHold(t *testing.T) {
	conn, transport := fakeConn(t)
	c := &Context{}
	s := conn.open("S", "page", nil)
	s.held = &c.held
	acts := []string{
		page.CommandNavigate, page.CommandReload, page.CommandNavigateToHistoryEntry, dom.CommandSetFileInputFiles, input.CommandDispatchMouseEvent,
		input.CommandDispatchKeyEvent, input.CommandInsertText, input.CommandDispatchTouchEvent, input.CommandDispatchDragEvent, input.CommandImeSetComposition,
	}
	looks := []string{accessibility.CommandGetFullAXTree, dom.CommandGetContentQuads, runtime.CommandEvaluate, page.CommandCaptureScreenshot, page.CommandHandleJavaScriptDialog}
	refused := func(method string) bool {
		t.Helper()
		call, err := s.start(t.Context(), method, nil)
		if errors.Is(err, ErrHeld) {
			return true
		}
		if err != nil {
			t.Fatal(err)
		}
		m := <-transport.sent
		if string(m.Method) != method {
			t.Fatalf("%s was sent, want %s", m.Method, method)
		}
		transport.in <- &cdproto.Message{ID: m.ID, SessionID: m.SessionID}
		if err := call.wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return false
	}
	for _, held := range []bool{false, true, false} {
		c.Hold(held)
		for _, method := range acts {
			if refused(method) != held {
				t.Errorf("held %t: %s was refused: %t", held, method, !held)
			}
		}
		for _, method := range looks {
			if refused(method) {
				t.Errorf("held %t: %s was refused", held, method)
			}
		}
	}
}
