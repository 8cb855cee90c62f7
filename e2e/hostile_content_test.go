package e2e

import (
	"strings"
	"testing"
	"unicode"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/report"
)

// strangeName is the name of both buttons of the page strange-names: it could turn a terminal red, link to elsewhere, turn the
// direction of text and leave a script element.
const strangeName = "Go \x1b[31m\x1b]8;;http://evil\a\u202e\u2066</script><img src=x onerror=alert(1)>\x01\u009b31m\u0085\u2028&amp;\\\"\x7f"

// Names that a page makes up reach neither the terminal nor a file as anything but text.
func TestHostileNames(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := hostile.Serve()
	defer site.Close()
	tr := try(t, hostile.ClickOn(site.URL+"/strange-names", strangeName), nil)
	ends{"", replay.TargetAmbiguous}.check(t, tr, site.Clicks("/strange-names"))
	if !strings.Contains(tr.output, `1b[31m`) {
		t.Errorf("the output does not show the name:\n%s", tr.text())
	}
	for what, text := range map[string]string{"terminal": tr.output, "events": string(tr.files["events"]), report.ResultsFile: string(tr.files[report.ResultsFile])} {
		if i := strings.IndexFunc(text, dangerous); i >= 0 {
			t.Errorf("%s holds a character that can control a terminal: %q", what, text[max(0, i-40):min(len(text), i+40)])
		}
	}
	page := string(tr.files[report.IndexFile])
	for _, raw := range []string{"<img src=x", "\x1b", "\x01", "\u202e"} {
		if strings.Contains(page, raw) {
			t.Errorf("the report page holds %q as it is", raw)
		}
	}
	if !strings.Contains(page, "&lt;img src=x") {
		t.Error("the report page does not show the name")
	}
}

// dangerous tells whether a character may stand in no output.
func dangerous(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// Names of a megabyte are cut before anybody has to read them.
func TestHugeNames(t *testing.T) {
	needBrowser(t)
	site := hostile.Serve()
	defer site.Close()
	tr := try(t, hostile.ClickOn(site.URL+"/huge-names", "xxx"), nil)
	ends{replay.TargetMissing}.check(t, tr, site.Clicks("/huge-names"))
	const enough = 256 << 10
	if len(tr.output) > enough {
		t.Errorf("%d bytes of output", len(tr.output))
	}
	for name, data := range tr.files {
		if len(data) > enough {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
}

// A recording must not make the browser open anything but web pages; no browser is started to find that out.
func TestBlockedAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"javascript:alert(1)", "file:///etc/passwd", "data:text/html,<h1>x</h1>", "chrome://settings/", "view-source:http://127.0.0.1/",
		"JaVaScRiPt:alert(1)", "blob:http://127.0.0.1/1", "about:blank#x", "ftp://127.0.0.1/", "//127.0.0.1/", "/etc/passwd", "\x01http://127.0.0.1/",
	} {
		t.Run(address, func(t *testing.T) {
			start := try(t, hostile.Click(address), nil, "--chrome", "/bin/true")
			ends{replay.BlockedURL}.check(t, start, 0)
			rec := hostile.Click("http://127.0.0.1:1/")
			rec.Steps = append(rec.Steps, hostile.Step{"op": "navigate", "state": "s2", "result": map[string]any{"state": "s1"}, "to": address, "cause": "user_typed"})
			ends{replay.BlockedURL}.check(t, try(t, rec, nil, "--chrome", "/bin/true"), 0)
		})
	}
}

// A recording that was begun on an empty tab replays.
func TestBlankStart(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := hostile.Serve()
	defer site.Close()
	rec := hostile.Click(site.URL + "/plain")
	rec.Start = "about:blank"
	rec.States = append(rec.States, hostile.State{URL: "about:blank"})
	rec.Steps = append([]hostile.Step{{"op": "navigate", "state": "s3", "result": map[string]any{"state": "s1"}, "to": site.URL + "/plain", "cause": "user_typed"}}, rec.Steps...)
	ends{""}.check(t, try(t, rec, nil), site.Clicks("/plain"))
}

// A tab that closes itself when it is clicked leads back to the one that opened it.
func TestTabClosesItself(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := hostile.Serve()
	defer site.Close()
	opener := hostile.State{URL: site.URL + "/opener", Title: "Trial", Lines: []string{`heading "Trial"`, `@e1 button "Open"`}}
	popup := hostile.Click(site.URL + "/close").States[0]
	rec := hostile.Recording{Start: opener.URL, States: []hostile.State{opener, popup}, Steps: []hostile.Step{
		{"op": "click", "state": "s1", "result": map[string]any{"state": "s1"}, "target": map[string]any{"ref": "e1", "role": "button", "name": "Open"}},
		{"op": "switch_tab", "state": "s1", "result": map[string]any{"state": "s2"}},
		{"op": "click", "state": "s2", "result": map[string]any{"state": "s1"}, "target": map[string]any{"ref": "e1", "role": "button", "name": "Go"}},
		{"op": "click", "state": "s1", "result": map[string]any{"state": "s1"}, "target": map[string]any{"ref": "e1", "role": "button", "name": "Open"}},
	}}
	ends{""}.check(t, try(t, rec, nil), site.Clicks("/close"))
}
