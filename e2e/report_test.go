package e2e

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/report"
)

// The report page does what it promises in a real browser: nothing breaks its own policy, the filter and the keys work,
// and it fits a phone.
func TestReportPage(t *testing.T) {
	needBrowser(t)
	dir := t.TempDir()
	step := func(id int, v replay.Verdict) replay.StepResult {
		s := replay.StepResult{Index: id, Steps: []int{id}, Title: strings.Repeat("click button ", 12), Verdict: v, DurationMS: 120, Phases: replay.Phases{Gate: 20, Act: 100}}
		if v == replay.Failed {
			s.Failure = &replay.Failure{Code: replay.TargetMissing, Text: "nothing like it " + strings.Repeat("x", 300)}
		}
		return s
	}
	r := &replay.Result{Trace: "report", Verdict: replay.Failed, Steps: []replay.StepResult{step(1, replay.Passed), step(2, replay.Warned), step(3, replay.Failed), step(4, replay.NotRun)}}
	r.Failure = r.Steps[2].Failure
	if err := report.WriteHTML(dir, "test", []*replay.Result{r}); err != nil {
		t.Fatal(err)
	}

	b, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	profile, err := b.NewContext(t.Context(), browser.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := profile.NewPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(t.Context(), page.Session(), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 640, DeviceScaleFactor: 1, Mobile: true}); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, report.IndexFile))}
	if err := page.Navigate(t.Context(), address.String()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, expression, want string }{
		{"fits a phone", `document.documentElement.scrollWidth <= innerWidth`, "true"},
		{"style sheet is applied", `getComputedStyle(document.querySelector('.step summary')).display`, `"grid"`},
		{"only the failed step is open", `[...document.querySelectorAll('.step details')].map(d => d.open).join()`, `"false,false,true,false"`},
		{"inline scripts are forbidden", `(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1'; document.body.append(s); return typeof window.bad })()`, `"undefined"`},
		{"f goes to the failure", press("f"), `"3"`},
		{"k goes back", press("k"), `"2"`},
		{"k again", press("k"), `"1"`},
		{"k stays at the first", press("k"), `"1"`},
		{"j goes on", press("j"), `"2"`},
		{"filter", `document.querySelector('[data-show=failed]').click(), [...document.querySelectorAll('.step')].filter(s => !s.hidden).length + document.getElementById('count').textContent`, `"11 of 4 steps shown"`},
		{"filter is announced as pressed", `document.querySelectorAll('nav [aria-pressed=true]').length + document.querySelector('nav [aria-pressed=true]').dataset.show`, `"1failed"`},
		{"keys keep to the filter", press("j"), `"3"`},
		{"every button has a name", `[...document.querySelectorAll('button,summary')].every(b => b.innerText.trim() !== '')`, "true"},
	} {
		v, err := cdp.Call(t.Context(), page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: tt.expression, ReturnByValue: new(true)})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if v.ExceptionDetails != nil {
			t.Fatalf("%s: %s", tt.name, v.ExceptionDetails.Text)
		}
		if got := string(v.Result.Value); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for _, line := range profile.TakeConsole() {
		if !strings.Contains(line, "inline script") { // the one that the test itself tried
			t.Errorf("console: %s", line)
		}
	}
}

// press is an expression that presses a key and gives the id of the step that has the focus.
func press(key string) string {
	return `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '` + key + `', bubbles: true})), document.activeElement.querySelector('.id').textContent`
}
