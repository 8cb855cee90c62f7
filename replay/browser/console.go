package browser

import (
	"bytes"
	"fmt"
	"strings"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Bounds of what is kept of a page's console.
const (
	maxLines      = 50
	maxLineLength = 500
)

// lineLog keeps the first lines and counts the others.
type lineLog struct {
	lines   []string
	dropped int
}

// room reports whether one more line is kept, and counts the line when it is not: what is not kept need not be decoded.
func (l *lineLog) room() bool {
	if len(l.lines) >= maxLines {
		l.dropped++
		return false
	}
	return true
}

// add keeps a line that there is room for.
func (l *lineLog) add(s string) { l.lines = append(l.lines, clip(s, maxLineLength)) }

func (l *lineLog) take() []string {
	out := l.lines
	if l.dropped > 0 {
		out = append(out, fmt.Sprintf("(%d more)", l.dropped))
	}
	*l = lineLog{}
	return out
}

// isConsoleError tells console.error and console.assert from other calls by the first bytes of the event, so that the other
// calls, of which a page may make tens of thousands, cost next to nothing.
func isConsoleError(params jsonv2.Value) bool {
	head := params[:min(len(params), 40)]
	return bytes.Contains(head, []byte(`"error"`)) || bytes.Contains(head, []byte(`"assert"`))
}

func (p *Page) consoleCalled(method string, params jsonv2.Value) {
	if !isConsoleError(params) {
		return
	}
	c := p.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.console.room() {
		return
	}
	decode(c.b.log, method, params, func(ev *runtime.EventConsoleAPICalled) { c.console.add(consoleText(ev.Args)) })
}

func (p *Page) exceptionThrown(method string, params jsonv2.Value) {
	c := p.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.console.room() {
		return
	}
	decode(c.b.log, method, params, func(ev *runtime.EventExceptionThrown) { c.console.add(exceptionText(ev.ExceptionDetails)) })
}

func (p *Page) entryAdded(method string, params jsonv2.Value) {
	c := p.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.requests.room() {
		return
	}
	decode(c.b.log, method, params, func(ev *cdplog.EventEntryAdded) {
		if e := ev.Entry; e != nil && e.Source == cdplog.EntrySourceNetwork && e.Level == cdplog.EntryLevelError {
			c.requests.add(strings.TrimSpace(e.Text + " " + e.URL))
		}
	})
}

// consoleText is how a console shows the arguments of a call.
func consoleText(args []*runtime.RemoteObject) string {
	parts := make([]string, 0, len(args))
	for _, a := range args {
		parts = append(parts, objectText(a))
	}
	return strings.Join(parts, " ")
}

func objectText(o *runtime.RemoteObject) string {
	switch {
	case o == nil:
		return ""
	case len(o.Value) > 0:
		var s string
		if jsonv2.Unmarshal(o.Value, &s) == nil {
			return s
		}
		return string(o.Value)
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Description != "":
		line, _, _ := strings.Cut(o.Description, "\n")
		return line
	}
	return string(o.Type)
}

func exceptionText(d *runtime.ExceptionDetails) string {
	if d == nil {
		return "uncaught exception"
	}
	text := d.Text
	if e := objectText(d.Exception); e != "" {
		text = strings.TrimSpace(text + " " + e)
	}
	if d.URL != "" {
		text = fmt.Sprintf("%s (%s:%d)", text, d.URL, d.LineNumber+1)
	}
	return text
}
