package e2e

import (
	"bytes"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/flake"
	"retrace/replay/report"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
)

// The report page does what it promises in a real browser: nothing breaks its own policy, the filter and the keys work,
// and it fits a phone.
func TestReportPage(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	writeReport(t, dir)
	profile, page := reportPage(t, dir, report.IndexFile, 360)
	for _, tt := range []struct{ name, expression, want string }{
		{"fits a phone", `document.documentElement.scrollWidth <= innerWidth`, "true"},
		{"style sheet is applied", `getComputedStyle(document.querySelector('.step summary')).display`, `"grid"`},
		{"only the failed step is open", `[...document.querySelectorAll('.step details')].map(d => d.open).join()`, `"false,false,true,false,false"`},
		{"only the failed trace is open", `[...document.querySelectorAll('.run')].map(d => d.open).join()`, `"true,false"`},
		{"the target is drawn over the picture", `(() => { const i = document.querySelector('.shot img').getBoundingClientRect(), r = document.querySelector('.shot .target').getBoundingClientRect(); return Math.round((r.x - i.x) / i.width * 100) + ',' + Math.round((r.y - i.y) / i.height * 100) })()`, `"25,50"`},
		{"a picture is enlarged", `document.querySelector('.zoom').click(), document.querySelector('.zoom').getAttribute('aria-pressed') + document.querySelector('figure').className`, `"truelarge"`},
		{"and made small again", `document.querySelector('.zoom').click(), document.querySelector('.zoom').getAttribute('aria-pressed') + document.querySelector('figure').className`, `"false"`},
		{"inline scripts are forbidden", `(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1'; document.body.append(s); return typeof window.bad })()`, `"undefined"`},
		{"f goes to the failure", press("f"), `"3"`},
		{"k goes back", press("k"), `"2"`},
		{"k again", press("k"), `"1"`},
		{"k stays at the first", press("k"), `"1"`},
		{"j goes on", press("j"), `"2"`},
		{"filter", `document.querySelector('[data-show=failed]').click(), [...document.querySelectorAll('.step')].filter(s => !s.hidden).length + document.getElementById('count').textContent`, `"11 of 5 steps shown"`},
		{"filter is announced as pressed", `document.querySelectorAll('nav [data-show][aria-pressed=true]').length + document.querySelector('nav [data-show][aria-pressed=true]').dataset.show`, `"1failed"`},
		{"a trace without such a step is hidden", `[...document.querySelectorAll('article')].map(a => a.hidden).join()`, `"false,true"`},
		{"keys keep to the filter", press("j"), `"3"`},
		{"filter of traces", `document.querySelector('[data-show=""]').click(), document.querySelector('[data-runs=passed]').click(), [...document.querySelectorAll('article')].map(a => a.hidden).join() + document.getElementById('count').textContent`, `"true,false1 of 2 traces shown"`},
		{"keys open the trace that they go to", press("j") + ` + document.querySelectorAll('.run')[1].open`, `"7true"`},
		{"f shows all traces again", press("f") + ` + document.querySelectorAll('article[hidden]').length`, `"30"`},
		{"a link opens what it leads to", `document.querySelectorAll('.run')[0].open = false, location.hash = '#t1-s2', new Promise(r => setTimeout(() => r(document.querySelectorAll('.run')[0].open && document.getElementById('t1-s2').open)))`, "true"},
		{"all steps are opened", `document.getElementById('open-all').click(), [...document.querySelectorAll('.step details')].every(d => d.open)`, "true"},
		{"every button has a name", `[...document.querySelectorAll('button,summary')].every(b => b.textContent.trim() !== '' || b.querySelector('img[alt]'))`, "true"},
	} {
		v, err := cdp.Call(t.Context(), page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: tt.expression, ReturnByValue: new(true), AwaitPromise: new(true)})
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

// writeReport writes the report page of a failed and a passed run with everything in them that a page can show.
func writeReport(t *testing.T, dir string) {
	t.Helper()
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 400, 200)), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "step.jpg"), picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	step := func(id int, v replay.Verdict) replay.StepResult {
		s := replay.StepResult{Index: id, Steps: []int{id}, Title: strings.Repeat("click button ", 12), Verdict: v, Started: began.Add(time.Duration(id) * time.Second), DurationMS: 120, Phases: replay.Phases{Gate: 20, Resolve: 10, Act: 60}}
		s.Around = []verify.Line{{Text: "main"}, {Depth: 1, Text: `button "Save"`, Target: true}}
		if v == replay.Failed {
			s.Failure = &replay.Failure{Code: replay.TargetMissing, Text: "nothing like it " + strings.Repeat("x", 300), Evidence: []string{"it is gone"}, Hint: "look again"}
			s.Shots = []replay.Shot{{When: replay.AtFailure, File: "step.jpg", Width: 400, Height: 200, Target: &replay.Box{X: 100, Y: 100, W: 40, H: 20}, Point: &replay.Point{X: 120, Y: 110}}}
			s.Decision = &resolve.Decision{Outcome: resolve.Missing, Why: "none fits", Total: 1, Candidates: []resolve.Candidate{{Role: "button", Name: "Save", Evidence: []resolve.Evidence{{Kind: "row", Text: "another row"}, {Kind: "name", Agrees: true, Text: "same name"}}}}}
			s.Comparison = &replay.Comparison{State: "s1", Was: replay.PageName{URL: "http://shop/"}, Pages: verify.Pages{Appeared: 1, Disappeared: 1, Changed: 1, Rows: []verify.Row{
				{Change: verify.Left, Recorded: "9 lines that are the same"}, {Change: verify.Disappeared, Recorded: "row"}, {Change: verify.Appeared, Live: "alert " + strings.Repeat("y", 200)}, {Change: verify.Altered, Recorded: "a", Live: "b"}, {Change: verify.Same, Recorded: "c", Live: "c"},
			}}}
			s.Effect = &replay.Effect{Verdict: verify.NotSeen, Missing: []string{"appeared: heading"}, Instead: []string{"No"}}
			s.Console, s.Dialogs = []string{"TypeError"}, []replay.Dialog{{Type: "alert", Text: "No", Answer: "accept"}}
		}
		return s
	}
	r := &replay.Result{Trace: "report", Verdict: replay.Failed, Started: began, Warnings: []string{"a warning"}, Steps: []replay.StepResult{step(1, replay.Passed), step(2, replay.Warned), step(3, replay.Failed), step(4, replay.NotRun)}}
	r.Steps[1].Notes = []string{"something unusual"}
	r.Failure = r.Steps[2].Failure
	first := *r
	r.Earlier, r.Attempt, first.Attempt = []*replay.Result{&first}, 2, 1
	passed := &replay.Result{Trace: "other", Verdict: replay.Passed, Started: began, Steps: []replay.StepResult{step(7, replay.Passed)}}
	if err := report.WriteHTML(dir, "test", []*replay.Result{r, passed}); err != nil {
		t.Fatal(err)
	}
}

// writeFlake writes the page of a hunt: a step that is covered at times, and ready at various times.
func writeFlake(t *testing.T, dir string) {
	t.Helper()
	var runs []*flake.Run
	for i := range 8 {
		v := flake.Variant{Name: "plain", Kind: flake.Plain, Seed: uint64(i)}
		if i > 5 {
			v = flake.Variant{Name: "cpu-4x", Kind: flake.CPU, Seed: uint64(i)}
		}
		wait := float64(100 * i)
		s := replay.StepResult{Index: 1, Steps: []int{1}, Title: strings.Repeat("click button ", 12), Verdict: replay.Passed, Course: replay.Course{Found: 10 + wait, Ready: 20 + wait, Acted: 30 + wait, Shown: 40 + wait},
			Decision: &resolve.Decision{Outcome: resolve.One, Tier: resolve.TierExact, Total: 2, Candidates: []resolve.Candidate{{Role: "button", Name: "Save", Chosen: true, Score: 1}, {Role: "button", Name: "Save", Score: 0.1 * float64(i)}}}}
		r := &replay.Result{Trace: "report", Verdict: replay.Passed, Steps: []replay.StepResult{{Steps: []int{}, Title: "open", Verdict: replay.Passed}}}
		if i%3 == 2 {
			s.Verdict, s.Failure = replay.Failed, &replay.Failure{Code: replay.TargetCovered, Text: "covered by " + strings.Repeat("x", 200)}
			r.Verdict, r.Failure = replay.Failed, s.Failure
		}
		r.Steps = append(r.Steps, s)
		runs = append(runs, &flake.Run{Variant: v, Result: r})
	}
	if err := report.WriteFlake(dir, flake.Analyse(runs, 2*time.Second, 1)); err != nil {
		t.Fatal(err)
	}
}

// reportPage opens a page of a report in a browser, in a viewport of the given width.
func reportPage(t *testing.T, dir, name string, width int64) (*browser.Context, *browser.Page) {
	t.Helper()
	b, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	profile, err := b.NewContext(t.Context(), browser.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := profile.NewPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(t.Context(), page.Session(), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 640, DeviceScaleFactor: 1, Mobile: width < 500}); err != nil {
		t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, name))}
	if err := page.Navigate(t.Context(), address.String()); err != nil {
		t.Fatal(err)
	}
	return profile, page
}

// axeFile is where make axe puts the accessibility checker.
const axeFile = "axe/node_modules/axe-core/axe.min.js"

// The accessibility checker finds nothing serious on the report page, light and dark, wide and narrow.
func TestReportAccessibility(t *testing.T) {
	needBrowser(t)
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		t.Skipf("%v: make axe installs the checker", err)
	}
	dir := t.TempDir()
	writeReport(t, dir)
	writeFlake(t, dir)
	for _, name := range []string{report.IndexFile, report.FlakeFile} {
		t.Run(name, func(t *testing.T) { accessible(t, dir, name, string(axe)) })
	}
}

// accessible runs the accessibility checker on a page of a report.
func accessible(t *testing.T, dir, name, axe string) {
	profile, page := reportPage(t, dir, name, 1200)
	run := func(expression string) string {
		v, err := cdp.Call(t.Context(), page.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true), AwaitPromise: new(true)})
		if err != nil {
			t.Fatal(err)
		}
		if v.ExceptionDetails != nil {
			t.Fatalf("%+v", v.ExceptionDetails)
		}
		return string(v.Result.Value)
	}
	run(axe + ";0")
	run(`document.querySelectorAll('details').forEach(d => d.open = true)`)
	for _, width := range []int64{1200, 360} {
		for _, scheme := range []string{"light", "dark"} {
			if _, err := cdp.Call(t.Context(), page.Session(), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 640, DeviceScaleFactor: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := cdp.Call(t.Context(), page.Session(), emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
				t.Fatal(err)
			}
			if got := run(`document.documentElement.scrollWidth <= innerWidth`); got != "true" {
				t.Errorf("%d wide: the page is wider", width)
			}
			got := run(`axe.run({resultTypes: ['violations']}).then(r => r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')).join('\n'))`)
			if got != `""` {
				t.Errorf("%d wide, %s: %s", width, scheme, got)
			}
		}
	}
	for _, line := range profile.TakeConsole() {
		t.Errorf("console: %s", line)
	}
}

// The report can be used with retrace itself: its buttons and disclosures have names, and what they do is seen.
func TestReportReplays(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	writeReport(t, dir)
	site := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer site.Close()
	state := func(more ...string) hostile.State {
		return hostile.State{URL: site.URL + "/", Title: "2 traces: failed", Lines: append([]string{`heading "2 traces: failed"`, `@e1 button "with warnings 1"`, `@e2 button "Open all steps"`, `@e3 link "report"`}, more...)}
	}
	rec := hostile.Recording{Start: site.URL + "/", States: []hostile.State{state(), state("status", `  StaticText "1 of 5 steps shown"`)}, Steps: []hostile.Step{
		{"op": "click", "state": "s1", "result": map[string]any{"state": "s2"}, "target": map[string]any{"ref": "e1", "role": "button", "name": "with warnings 1"}},
	}}
	if err := rec.Write(filepath.Join(dir, "rec")); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(filepath.Join(dir, "rec"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := replay.Run(t.Context(), tr, replay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failure != nil || result.Confirmed != 1 {
		t.Errorf("%s, %d effects confirmed: %+v, %+v", result.Verdict, result.Confirmed, result.Failure, result.Steps[1].Effect)
	}
}
