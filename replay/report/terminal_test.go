package report

import (
	"strings"
	"testing"
	"time"

	"retrace/replay"
)

func again(r *replay.Result) string { return "retrace run " + r.File + " --headed" }

func TestTerminal(t *testing.T) {
	tests := []struct {
		golden string
		style  Style
	}{
		{"plain.txt", Style{}},
		{"live.txt", Style{Color: true, Live: true, Width: 100}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			var b strings.Builder
			live := NewLive(&b, tt.style, 3)
			live.now = func() time.Time { return began }
			term := NewTerminal(live, tt.style, "report", again)
			for _, r := range []*replay.Result{failing(), passing(), flaky()} {
				play(viewFunc(func(e replay.Event) { live.Event(e); term.Event(e) }), r)
			}
			term.Total(Whole{})
			// Escape characters are spelled out, so that the golden file can be read and compared.
			golden(t, tt.golden, strings.NewReplacer("\x1b", "␛", "\r", "␍").Replace(b.String()))
		})
	}
}

func TestPlainTerminalHasNoControls(t *testing.T) {
	var b strings.Builder
	play(NewTerminal(&b, Style{}, "report\u202e", again), failing())
	for i, line := range strings.Split(b.String(), "\n") {
		if strings.IndexFunc(line, unsafe) >= 0 {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
}

func TestSummary(t *testing.T) {
	tests := []struct {
		result *replay.Result
		want   string
	}{
		{failing(), "failed: 2 of 4 steps passed, 1 with warnings, 1 of 3 recorded effects confirmed, 12.3 s"},
		{passing(), "passed: 1 of 1 step, nothing could be verified, 0.6 s"},
		{&replay.Result{Verdict: replay.Warned, Steps: []replay.StepResult{{Verdict: replay.Warned}}, Expected: 2, Confirmed: 1}, "passed with warnings: 1 of 1 step, 1 with warnings, 1 of 2 recorded effects confirmed, 0.0 s"},
		{flaky(), "flaky: passed only at attempt 2, 1 of 1 step, 1 of 2 assertions held, 0.6 s"},
		{&replay.Result{Verdict: replay.Failed, Failure: &replay.Failure{}, Earlier: []*replay.Result{{}, {}}}, "failed: at each of 3 attempts, 0 of 0 steps passed, 0.0 s"},
		{&replay.Result{Verdict: replay.Error, Failure: &replay.Failure{Code: replay.BrowserMissing}}, "error: 0 of 0 steps passed, 0.0 s"},
	}
	for _, tt := range tests {
		if got := Summary(tt.result); got != tt.want {
			t.Errorf("Summary = %q, want %q", got, tt.want)
		}
	}
}

// What the failure has told is not told again as the effect.
func TestTerminalTellsOnce(t *testing.T) {
	r := failing()
	s := &r.Steps[2]
	s.Decision, r.Failure.Evidence = nil, []string{"not seen: appeared: heading \"Thanks\""}
	r.Failure.Text = `the page says "Out of stock" instead`
	s.Effect = &replay.Effect{Missing: []string{`appeared: heading "Thanks"`, "vanished: dialog"}, Instead: []string{"Out of stock", "Sorry"}}
	var b strings.Builder
	play(NewTerminal(&b, Style{}, "report", nil), r)
	for want, n := range map[string]int{`appeared: heading "Thanks"`: 1, "vanished: dialog": 1, "instead: Sorry": 1, "instead: Out of stock": 0} {
		_, last, _ := strings.Cut(b.String(), "\n✗ step")
		if got := strings.Count(last, want); got != n {
			t.Errorf("%q is there %d times, want %d:\n%s", want, got, n, last)
		}
	}
}

func TestExplain(t *testing.T) {
	missing := explanation()
	missing.Decision, missing.Certain, missing.Failure = nil, nil, &replay.Failure{Code: replay.PageMismatch, Text: "the page is not the recorded one", Evidence: []string{"20% are there"}}
	missing.URL, missing.Notes, missing.Before = "", nil, failing().Steps[:3]
	for name, e := range map[string]*replay.Explanation{"explain.txt": explanation(), "explain-mismatch.txt": missing} {
		var b strings.Builder
		if err := Explain(&b, Style{}, e); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

func TestStepIDs(t *testing.T) {
	tests := []struct {
		ids  []int
		want string
	}{{nil, "-"}, {[]int{3}, "3"}, {[]int{3, 4}, "3-4"}, {[]int{3, 4, 5, 8, 10, 11}, "3-5,8,10-11"}}
	for _, tt := range tests {
		if got := stepIDs(tt.ids); got != tt.want {
			t.Errorf("stepIDs(%v) = %q, want %q", tt.ids, got, tt.want)
		}
	}
}

func TestDetectWithoutTerminal(t *testing.T) {
	if got := Detect(nil, func(string) string { return "" }); got != (Style{}) {
		t.Errorf("Detect(nil) = %+v", got)
	}
}

func TestWorst(t *testing.T) {
	of := func(vs ...replay.Verdict) (out []*replay.Result) {
		for _, v := range vs {
			out = append(out, &replay.Result{Verdict: v})
		}
		return out
	}
	tests := []struct {
		in   []*replay.Result
		want replay.Verdict
	}{
		{nil, replay.Passed}, {of(replay.Passed, replay.Warned), replay.Warned}, {of(replay.Flaky, replay.Warned), replay.Flaky},
		{of(replay.Failed, replay.Passed), replay.Failed}, {of(replay.Error, replay.Failed), replay.Error},
	}
	for _, tt := range tests {
		if got := Worst(tt.in); got != tt.want {
			t.Errorf("Worst(%v) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

// That Chrome has no sandbox is said once, and is no warning; what a remote one has is not known.
func TestNoSandboxIsSaidOnce(t *testing.T) {
	var b strings.Builder
	term := NewTerminal(&b, Style{}, "", nil)
	for _, remote := range []bool{true, false, false} {
		r := passing()
		r.Environment.Chrome, r.Environment.Sandbox, r.Environment.Remote = "Chromium", false, remote
		term.Event(replay.Event{Kind: replay.RunFinished, Result: r})
		if remote && strings.Contains(b.String(), "sandbox") {
			t.Error(b.String())
		}
	}
	if n := strings.Count(b.String(), noSandbox+"\n"); n != 1 || strings.Contains(b.String(), "warning") {
		t.Errorf("%d times in\n%s", n, b.String())
	}
}

// What only says how it went is no warning of a step that passed.
func TestRemarks(t *testing.T) {
	s := replay.StepResult{Verdict: replay.Passed, Planned: []string{"three fills become one"}, Notes: []string{"redirected"}}
	if plain, grave := remarks(&s); len(plain) != 2 || len(grave) != 0 {
		t.Errorf("passed: %q, %q", plain, grave)
	}
	s.Verdict = replay.Warned
	if plain, grave := remarks(&s); len(plain) != 1 || len(grave) != 1 {
		t.Errorf("with warnings: %q, %q", plain, grave)
	}
	if all := warnings(&s); len(all) != 2 {
		t.Errorf("all: %q", all)
	}
}
