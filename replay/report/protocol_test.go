package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/replay/browser"
)

func TestProtocol(t *testing.T) {
	for _, withhold := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "cdp.jsonl")
		p, err := OpenProtocol(file, Mask(nil, "harbour-42", "Ada Lovelace"), withhold)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []browser.Message{
			{Time: began, Sent: true, ID: 1, Method: "Page.navigate", Params: []byte(`{"url":"http://x/?q=harbour-42"}`)},
			{Time: began, ID: 1, Method: "Page.navigate", Result: []byte(`{"frameId":"F"}`)},
			{Time: began, Session: "S", Method: "Runtime.consoleAPICalled", Params: []byte("{\"text\":\"Ada Lovelace \u202e\"}")},
			{Time: began, ID: 2, Method: "Accessibility.getFullAXTree", Result: []byte(`{"nodes":"` + strings.Repeat("x", 1<<20) + `"}`)},
			{Time: began, ID: 3, Method: "DOM.resolveNode", Error: "no node harbour-4"},
		} {
			p.Message(m)
		}
		if err := errors.Join(p.Close(), (*Protocol)(nil).Close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		if len(lines) != 6 || len(data) > 64<<10 {
			t.Fatalf("%d lines, %d bytes", len(lines), len(data))
		}
		for _, l := range lines {
			var v map[string]any
			if err := json.Unmarshal(l, &v); err != nil {
				t.Errorf("%v in %.200s", err, l)
			}
		}
		for _, absent := range []string{"harbour-42", "Ada", "\u202e"} {
			if bytes.Contains(data, []byte(absent)) {
				t.Errorf("the log has %q", absent)
			}
		}
		if got := bytes.Contains(data, []byte("xxx")); got == withhold {
			t.Errorf("withhold %t, and the page is told: %t", withhold, got)
		}
		if !bytes.Contains(lines[1], []byte(`"to":"browser"`)) || !bytes.Contains(lines[2], []byte(`"frameId":"F"`)) {
			t.Errorf("%s", data)
		}
		if p, err = OpenProtocol(file, nil, false); err != nil {
			t.Errorf("an own file is not overwritten: %v", err)
		} else if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	foreign := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenProtocol(foreign, nil, false); !errors.Is(err, ErrForeign) {
		t.Errorf("a file of others: %v", err)
	}
}
