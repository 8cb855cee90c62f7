package report

import (
	"strings"
	"testing"

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
			term := NewTerminal(&b, tt.style, "report", again)
			play(term, failing())
			play(term, passing())
			term.Total()
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
		{failing(), "failed: 2 of 4 steps, 1 with warnings, 1 of 3 recorded effects confirmed, 12.3 s"},
		{passing(), "passed: 1 of 1 step, nothing could be verified, 0.6 s"},
		{&replay.Result{Verdict: replay.Warned, Steps: []replay.StepResult{{Verdict: replay.Warned}}, Expected: 2, Confirmed: 1}, "passed with warnings: 1 of 1 step, 1 with warnings, 1 of 2 recorded effects confirmed, 0.0 s"},
		{&replay.Result{Verdict: replay.Error, Failure: &replay.Failure{Code: replay.BrowserMissing}}, "error: 0 of 0 steps, 0.0 s"},
	}
	for _, tt := range tests {
		if got := Summary(tt.result); got != tt.want {
			t.Errorf("Summary = %q, want %q", got, tt.want)
		}
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
