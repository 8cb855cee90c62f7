package act

import (
	"context"
	"fmt"
	"runtime"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"retrace/keymap"
)

// onMac says that editing shortcuts need the commands that the system would have made of them.
const onMac = runtime.GOOS == "darwin"

// keys presses one named key in the element's target.
func (h *handle) keys(ctx context.Context, name string) error {
	k, err := keymap.Lookup(name)
	if err != nil {
		return fmt.Errorf("pressing a key: %w", err)
	}
	_, err = send(ctx, h.Session, keymap.Press(k, 0, onMac))
	return err
}

// send sends key events in their order, and tells how many of them the browser took. When the context ends in
// between, the keys that are down are let go all the same.
func send(ctx context.Context, s cdp.Session, events []input.DispatchKeyEventParams) (int, error) {
	for i, e := range events {
		if _, err := cdp.Call(ctx, s, input.DispatchKeyEvent, e); err != nil {
			letGo(ctx, s, events[i:])
			return i, fmt.Errorf("pressing key %q: %w", keyName(e), err)
		}
	}
	return len(events), nil
}

// letGo sends the key-up events of a press that was broken off.
func letGo(ctx context.Context, s cdp.Session, rest []input.DispatchKeyEventParams) {
	if ctx.Err() == nil {
		return // the browser refuses: the target is gone
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lettingGo)
	defer cancel()
	for _, e := range rest {
		if e.Type != input.DispatchKeyEventTypeKeyUp {
			continue
		}
		if _, err := cdp.Call(late, s, input.DispatchKeyEvent, e); err != nil {
			return
		}
	}
}

// keyName is the name of a key that may be shown: a key that types a character may be part of a secret.
func keyName(e input.DispatchKeyEventParams) string {
	if len([]rune(e.Key)) == 1 {
		return "character"
	}
	return e.Key
}

// text types a text into what has the focus: key by key, or as a whole. Characters that no key types are inserted.
func (h *handle) text(ctx context.Context, text string, byKey bool) error {
	if !byKey {
		return h.insert(ctx, text)
	}
	for _, run := range runs(text) {
		if run.key == nil {
			if err := h.insert(ctx, run.text); err != nil {
				return err
			}
			continue
		}
		if _, err := send(ctx, h.Session, keymap.Press(*run.key, 0, onMac)); err != nil {
			return err
		}
	}
	return nil
}

func (h *handle) insert(ctx context.Context, text string) error {
	if _, err := cdp.Call(ctx, h.Session, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		return fmt.Errorf("inserting text: %w", err)
	}
	return nil
}

// stroke is one key, or a run of characters that no key types.
type stroke struct {
	key  *keymap.Key
	text string
}

// runs splits a text into the strokes that type it. A tab is inserted, since its key would leave the field.
func runs(text string) []stroke {
	var out []stroke
	for _, r := range text {
		if k, ok := keymap.Text(r); ok && r != '\t' {
			out = append(out, stroke{key: &k})
			continue
		}
		if n := len(out); n > 0 && out[n-1].key == nil {
			out[n-1].text += string(r)
			continue
		}
		out = append(out, stroke{text: string(r)})
	}
	return out
}
