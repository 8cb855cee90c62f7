package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// DialogPolicy is how JavaScript dialogs are answered. They are always answered at once: while one is open, the page answers
// nothing else.
type DialogPolicy string

// Dialog policies. Each lets the page be left: a beforeunload dialog is accepted, except under DialogDismiss and DialogFail,
// where the page stays.
const (
	DialogAccept  DialogPolicy = "accept"  // OK; a prompt gets its default text
	DialogDismiss DialogPolicy = "dismiss" // Cancel
	DialogFail    DialogPolicy = "fail"    // Cancel, and remembered as unexpected
)

func (p DialogPolicy) valid() error {
	switch p {
	case DialogAccept, DialogDismiss, DialogFail:
		return nil
	}
	return fmt.Errorf("dialog policy %q: want accept, dismiss or fail", string(p))
}

// Dialog is a JavaScript dialog that was answered.
type Dialog struct {
	Page *Page
	// Type is alert, confirm, prompt or beforeunload.
	Type string
	// Text is the page's message, clipped at 2000 bytes.
	Text string
	// Answer is accept or dismiss.
	Answer string
	At     time.Time
}

// dialogLog keeps the dialogs until they are taken; a page that opens them without end does not fill our memory.
type dialogLog struct {
	list       []Dialog
	unexpected *Dialog
}

const maxDialogs = 200

func (l *dialogLog) add(d Dialog, policy DialogPolicy) {
	if policy == DialogFail && l.unexpected == nil {
		l.unexpected = &d
	}
	if len(l.list) < maxDialogs {
		l.list = append(l.list, d)
	}
}

func (l *dialogLog) take() []Dialog {
	out := l.list
	l.list = nil
	return out
}

// dialogOpening answers a dialog. It runs in the read loop and leaves the answer to a goroutine.
func (p *Page) dialogOpening(s *session, ev *page.EventJavascriptDialogOpening) {
	policy := p.ctx.opts.Dialogs
	accept := policy == DialogAccept && !p.ctx.held.Load()
	d := Dialog{Page: p, Type: ev.Type.String(), Text: clip(ev.Message, 2000), Answer: "dismiss", At: time.Now()}
	params := page.HandleJavaScriptDialogParams{Accept: accept}
	if accept {
		d.Answer = "accept"
		if ev.Type == page.DialogTypePrompt {
			params.PromptText = ev.DefaultPrompt
		}
	}
	p.ctx.mu.Lock()
	p.ctx.dialogs.add(d, policy)
	p.ctx.mu.Unlock()
	if !accept && ev.Type == page.DialogTypeBeforeunload {
		p.mu.Lock()
		p.refusals++
		p.mu.Unlock()
	}
	p.ctx.b.spawn(func() {
		if _, err := cdp.Call(context.Background(), s, page.HandleJavaScriptDialog, params); err != nil {
			p.ctx.b.log.Debug("answering a dialog", "error", err)
		}
	})
}
