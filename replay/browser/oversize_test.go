package browser

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"
)

// TestOversize reads messages of which one is too large, in chunks of all sizes.
func TestOversize(t *testing.T) {
	const small = `{"method":"Page.frameNavigated","params":{}}` + "\x00"
	long := strings.Repeat("x", 400)
	tests := []struct {
		name, message string
		cut, ends     bool
	}{
		{"console", `{"method":"Runtime.consoleAPICalled","params":{"x":"` + long + `"}}`, true, false},
		{"exception", `{"method":"Runtime.exceptionThrown","params":{"x":"` + long + `"}}`, true, false},
		{"log", `{"method":"Log.entryAdded","params":{"x":"` + long + `"}}`, true, false},
		{"console that fits", `{"method":"Runtime.consoleAPICalled","params":{}}`, false, false},
		{"another event", `{"method":"Target.targetInfoChanged","params":{"x":"` + long + `"}}`, false, true},
		{"a reply", `{"id":7,"result":{"x":"` + long + `"}}`, false, true},
		{"a reply that fits", `{"id":7,"result":{"x":"` + long[:150] + `"}}`, false, false},
	}
	for _, tt := range tests {
		for how, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "bytes": iotest.OneByteReader} {
			t.Run(tt.name+" in "+how, func(t *testing.T) {
				in := reader(bytes.NewReader([]byte(small + tt.message + "\x00" + small)))
				c := chromedp.NewPipeConn(&bounded{ReadCloser: io.NopCloser(in), maxTalk: 100, maxMessage: 300}, nopWriter{})
				read := func() error { return c.Read(t.Context(), new(cdproto.Message)) }
				first := read()
				if tt.ends {
					for first == nil {
						first = read()
					}
					if !strings.Contains(first.Error(), "a message is larger than") {
						t.Fatalf("error %v, want one about the size", first)
					}
					return
				}
				if first != nil {
					t.Fatal(first)
				}
				var syntax *jsonv2.SyntacticError
				if err := read(); tt.cut != errors.As(err, &syntax) || !tt.cut && err != nil {
					t.Fatalf("error %v, cut off: %v", err, tt.cut)
				}
				if err := read(); err != nil {
					t.Fatalf("the message after it: %v", err)
				}
			})
		}
	}
}

type nopWriter struct{ io.Writer }

func (nopWriter) Close() error { return nil }
