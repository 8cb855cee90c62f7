package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/plan"
)

// long is the size of a long name in bytes: a megabyte when everything is to be tried, which takes the race detector a minute.
func long() int {
	if os.Getenv("RETRACE_E2E_THOROUGH") != "" {
		return 1 << 20
	}
	return 1 << 17
}

// hostileTexts are what a page or a recording may say anywhere.
var hostileTexts = map[string]string{
	"terminal controls":    "a\x1b[2J\x1b]0;title\x07\x9b31m\r\b\x7fz",
	"the end of a script":  `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'></td></table>` + "<!--",
	"right to left":        "a\u202e\u2066\u200f\u061cz\ufeff\u2028",
	"a long name":          strings.Repeat("long ", long()/5),
	"invalid UTF-8":        "a\xff\xfe\xc3\x28\xed\xa0\x80z",
	"the end of a section": "]]>&#0;&lt;\x00\ufffe\uffff",
	"workflow commands":    "a\n::error file=x::y\n##[add-mask]z\r\n::set-output name=x::y %0A::warning::z",
	"Markdown":             "a | b ](http://x) **b** `c` <b> ![i](http://x/i.png) @you #1\n# h\n| x | y |\n---|---",
}

// outputs are all forms of results, findings and recordings that people or programs read. The bare ones go to a terminal.
func outputs(t *testing.T, s string) (files map[string][]byte) {
	t.Helper()
	places := 0
	put := func(string) string {
		if places++; len(s) > 1<<16 && (places%9 != 3 || places > 40) { // a gigabyte of JSON proves no more
			return "plain"
		}
		return s
	}
	results := mapStrings([]*replay.Result{failing(), passing(), flaky(), missing()}, put)
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	files = map[string][]byte{}
	read := func(name string) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(err)
		files[name] = data
	}
	written := func(name string, write func(w io.Writer)) {
		var b bytes.Buffer
		write(&b)
		files[name] = b.Bytes()
	}
	must(Prepare(dir))
	must(WriteResults(filepath.Join(dir, ResultsFile), "v1", results))
	must(WriteHTML(dir, "v1", results))
	must(JUnit{Version: "v1", ReportDir: "report"}.Write(filepath.Join(dir, "junit.xml"), results))
	must(CTRF{Version: "v1"}.Write(filepath.Join(dir, "ctrf.json"), results))
	must(AppendSummary(filepath.Join(dir, "summary.md"), results))
	places = 0
	found := mapStrings(hunt(), put)
	must(PrepareFlake(dir))
	must(WriteFlake(dir, found))
	for _, name := range []string{ResultsFile, IndexFile, "junit.xml", "ctrf.json", "summary.md", FlakeFile, FlakeJSONFile} {
		read(name)
	}
	protocol, err := OpenProtocol(filepath.Join(dir, "cdp.jsonl"), nil, false)
	must(err)
	said, err := json.Marshal(map[string]string{"text": s})
	must(err)
	protocol.Message(browser.Message{Time: began, Session: "S", Method: "Runtime.consoleAPICalled", Params: said, Error: s})
	must(protocol.Close())
	read("cdp.jsonl")
	written("terminal", func(w io.Writer) {
		term := NewTerminal(w, Style{}, "report", again)
		for _, r := range results {
			play(term, r)
		}
		term.Total(Whole{})
	})
	written("events", func(w io.Writer) {
		play(NewLines(w), results[0])
	})
	written("annotations", func(w io.Writer) { NewGitHub(w, "").Annotate(results) })
	written("flake text", func(w io.Writer) {
		h := NewHunt(w, Style{})
		h.Run(found.Runs[0].Variant, results[0], 1, 1)
		h.Found(found)
	})
	written("explanation", func(w io.Writer) { places = 0; must(Explain(w, Style{}, mapStrings(explanation(), put))) })
	written("plan", func(w io.Writer) {
		places = 0
		rec := mapStrings(hostile(), put)
		must(Show(w, rec, plan.Make(rec)))
	})
	return files
}

// tags are the elements of a page, in their order.
func tags(page []byte) string {
	var b strings.Builder
	for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAll(page, -1) {
		b.Write(regexp.MustCompile(`^</?[A-Za-z0-9!-]*`).Find(tag))
		b.WriteByte('\n')
	}
	return b.String()
}

// No text does harm in any output: each stays what it is, valid and of a bearable size, and no control character is in it.
func TestHostileTextInEveryOutput(t *testing.T) {
	plain := outputs(t, "plain")
	for name, s := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			for output, data := range outputs(t, s) {
				if !utf8.Valid(data) {
					t.Errorf("%s is not UTF-8", output)
				}
				if i := bytes.IndexFunc(data, func(r rune) bool { return r != '\n' && unsafe(r) }); i >= 0 {
					t.Errorf("%s holds %q", output, data[max(0, i-20):i+4])
				}
				if err := intact(output, data, plain[output]); err != nil {
					t.Errorf("%s: %v", output, err)
				}
			}
		})
	}
}

// intact checks that an output has the form that it has with harmless text.
func intact(output string, data, plain []byte) error {
	bearable := 1 << 19
	switch output {
	case IndexFile, FlakeFile:
		if d := cmp.Diff(tags(plain), tags(data)); d != "" {
			return fmt.Errorf("other elements (-plain +got): %.600s", d)
		}
	case "junit.xml":
		return validate(data)
	case ResultsFile, "ctrf.json", FlakeJSONFile:
		bearable = 1 << 30 // programs get it whole
		if !json.Valid(data) {
			return fmt.Errorf("is no JSON")
		}
	case "events", "cdp.jsonl":
		bearable = 1 << 30
		for line := range bytes.Lines(data) {
			if !json.Valid(line) {
				return fmt.Errorf("is no JSON: %.200s", line)
			}
		}
	case "annotations":
		for line := range bytes.Lines(data) {
			if !regexp.MustCompile(`^::(error|warning) file=[^:,]*,title=[^:,]*::[^\r\n]*\n$`).Match(line) {
				return fmt.Errorf("line %.200q", line)
			}
		}
	case "summary.md":
		rendered, before := rendered(data), rendered(plain)
		if d := cmp.Diff(tags([]byte(before)), tags([]byte(rendered))); d != "" {
			return fmt.Errorf("other elements (-plain +got): %.600s", d)
		}
	}
	if len(data) > bearable {
		return fmt.Errorf("%d bytes", len(data))
	}
	return nil
}

// rendered is Markdown as HTML, by the rules of GitHub, with raw HTML let through.
func rendered(markdown []byte) string {
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert(markdown, &b); err != nil {
		return err.Error()
	}
	return b.String()
}

// The summary becomes a table with a row for each run, and lists of what failed.
func TestMarkdownRenders(t *testing.T) {
	results := everything()
	page := rendered([]byte(Markdown(results)))
	for tag, want := range map[string]int{"<table>": 1, "<tr>": len(results) + 1, "<h3": 1} {
		if n := strings.Count(page, tag); n != want {
			t.Errorf("%d %s, want %d:\n%s", n, tag, want, page)
		}
	}
	if !strings.Contains(page, "cart-voucher") || strings.Contains(page, "<a ") {
		t.Errorf("rendered as\n%s", page)
	}
}
