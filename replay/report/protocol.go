package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"retrace/replay/browser"
)

// mostOfMessage are the bytes of the body of a message that the protocol log holds.
const mostOfMessage = 8 << 10

// protocolMark is how a protocol log of ours is recognised.
const protocolMark = `{"generator":"retrace-protocol"`

// Protocol writes the messages of the DevTools protocol as JSON, one in a line. What was typed and the values of secrets are
// replaced. Its methods may be called from several goroutines.
type Protocol struct {
	mu       sync.Mutex
	w        *bufio.Writer
	close    io.Closer
	mask     *Masker
	withhold bool
	err      error
}

// CheckProtocol refuses a file that [OpenProtocol] could not write or should not overwrite.
func CheckProtocol(file string) error {
	return check(file, func(head []byte) bool { return bytes.HasPrefix(head, []byte(protocolMark)) })
}

// OpenProtocol writes to file, which its owner alone can read. Typed are further texts to replace. With withhold, what pages
// contain is left out: a page may show a part of a secret, which no masking recognises.
func OpenProtocol(file string, mask *Masker, withhold bool) (*Protocol, error) {
	if err := CheckProtocol(file); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("protocol log: %w", err)
	}
	p := &Protocol{w: bufio.NewWriter(f), close: f, mask: mask, withhold: withhold}
	p.line(map[string]any{"generator": "retrace-protocol"})
	return p, nil
}

// protocolLine is one message.
type protocolLine struct {
	Time    string          `json:"time"`
	To      string          `json:"to"` // "browser", "retrace"
	Session string          `json:"session,omitempty"`
	ID      int64           `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   string          `json:"error,omitempty"`
	// Size is that of a body that was cut to a text, or withheld, in bytes.
	Size     int  `json:"size,omitempty"`
	Withheld bool `json:"withheld,omitempty"`
}

// Message writes one message.
func (p *Protocol) Message(m browser.Message) {
	l := protocolLine{Time: m.Time.UTC().Format("2006-01-02T15:04:05.000000Z"), To: "retrace", Session: string(m.Session), ID: m.ID, Method: m.Method, Error: m.Error}
	if m.Sent {
		l.To = "browser"
	}
	l.Params, l.Result = p.body(m.Params, &l), p.body(m.Result, &l)
	p.line(l)
}

// contents are the domains whose messages hold what pages contain.
var contents = []string{"Runtime.", "Accessibility.", "DOM.", "DOMSnapshot.", "Log.", "Page.captureScreenshot", "Page.addScriptToEvaluate"}

func (p *Protocol) body(raw []byte, l *protocolLine) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if p.withhold {
		for _, c := range contents {
			if strings.HasPrefix(l.Method, c) && len(raw) > len("{}") {
				l.Size, l.Withheld = len(raw), true
				return nil
			}
		}
	}
	masked := []byte(p.mask.String(string(raw)))
	if len(masked) <= mostOfMessage && json.Valid(masked) {
		return masked
	}
	l.Size = len(raw)
	head, err := json.Marshal(strings.ToValidUTF8(string(masked[:min(len(masked), mostOfMessage)]), ""))
	if err != nil { // a string can always be encoded
		panic(err)
	}
	return head
}

// line writes one line. After an error nothing more is written.
func (p *Protocol) line(v any) {
	data, err := json.Marshal(v)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.err == nil {
		_, err = p.w.Write(append(PlainJSON(data), '\n'))
	}
	if p.err == nil {
		p.err = err
	}
}

// Close writes what is left. The nil Protocol has nothing left.
func (p *Protocol) Close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := errors.Join(p.err, p.w.Flush(), p.close.Close()); err != nil {
		return fmt.Errorf("protocol log: %w", err)
	}
	return nil
}
