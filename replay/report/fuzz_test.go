package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/resolve"
)

// FuzzReports puts one text into every place of a result that a page or a recording fills, and writes every form of it: the
// page has no element and no attribute that it would not have with a harmless text, XML stays well-formed, and no control
// character reaches a terminal.
func FuzzReports(f *testing.F) {
	for _, s := range []string{
		"plain", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "</style></script><!--", "]]>&amp;&#0;", "\x1b[31m\x07\u202e", "{{.Title}}", "a\nb\r::error::x", "\xff\xfe\x00",
		"javascript:alert(1)", "%s%n", "`|[x](javascript:y)", strings.Repeat("<", 3000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shape := func(text string) string {
			var b bytes.Buffer
			dir := t.TempDir()
			if err := WriteHTML(dir, "v", []*replay.Result{everywhere(text)}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(dir, IndexFile))
			if err != nil {
				t.Fatal(err)
			}
			for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAll(data, -1) {
				name := regexp.MustCompile(`^</?[A-Za-z0-9!-]*`).Find(tag)
				b.Write(name)
				b.WriteByte('\n')
			}
			return b.String()
		}
		if len(s) > 0 && strings.TrimSpace(Clean(s)) != "" && shape(s) != shape("plain") {
			t.Fatalf("%q changes the page", s)
		}
		junit, err := JUnit{}.encode([]*replay.Result{everywhere(s)})
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(junit)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
		}
		var terminal bytes.Buffer
		v := NewTerminal(&terminal, Style{}, "", nil)
		r := everywhere(s)
		v.Event(replay.Event{Kind: replay.RunStarted, Trace: s, Total: 1})
		v.Event(replay.Event{Kind: replay.StepFinished, Trace: s, Step: &r.Steps[0]})
		v.Event(replay.Event{Kind: replay.RunFinished, Trace: s, Result: r})
		if i := strings.IndexFunc(terminal.String(), func(c rune) bool { return c != '\n' && unsafe(c) }); i >= 0 {
			t.Fatalf("%q: the terminal gets %q", s, terminal.String()[i:i+1])
		}
	})
}

// everywhere is a result with the text in every place.
func everywhere(s string) *replay.Result {
	fail := &replay.Failure{Code: replay.TargetMissing, Text: s, Hint: s, Evidence: []string{s}}
	return &replay.Result{
		Schema: replay.SchemaVersion, Trace: s, File: s, Purpose: s, Verdict: replay.Failed, Failure: fail, Warnings: []string{s}, Attempt: 1,
		Steps: []replay.StepResult{{
			Op: "click", Title: s, Verdict: replay.Failed, Failure: fail, Notes: []string{s}, Planned: []string{s}, URL: s, Console: []string{s}, Requests: []string{s}, Traffic: &replay.Traffic{Sent: 1, List: []replay.Request{{Method: s, URL: s, Kind: s, Failed: s}}},
			Downloads: []string{s}, Dialogs: []replay.Dialog{{Type: s, Text: s, Answer: s}}, Steps: []int{1},
			Decision: &resolve.Decision{Outcome: resolve.Missing, Why: s, Warnings: []string{s}, Total: 1, Candidates: []resolve.Candidate{{Role: s, Name: s, Where: s}}},
		}},
		Assertions: []replay.Assertion{{Text: s, Line: 1, Verdict: replay.Failed, Instead: []string{s}}},
	}
}
