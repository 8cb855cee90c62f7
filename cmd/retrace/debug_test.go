package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// fakeDebugger has three steps, the last of which fails until another target is used.
type fakeDebugger struct {
	at     int
	used   *resolve.Descriptor
	marked int
	closed bool
}

func (d *fakeDebugger) At() int { return d.at }
func (d *fakeDebugger) Steps() []replay.StepResult {
	last := `click button "Pay"`
	if d.used != nil {
		last = "click " + d.used.Describe()
	}
	return []replay.StepResult{{Title: "open"}, {Index: 1, Steps: []int{1}, Title: "type harbour-42"}, {Index: 2, Steps: []int{2}, Title: last}}
}

func (d *fakeDebugger) Step(context.Context) replay.StepResult {
	s := d.Steps()[d.at]
	s.Verdict = replay.Passed
	if d.at == 2 && d.used == nil {
		s.Verdict, s.Failure = replay.Failed, &replay.Failure{Code: replay.TargetMissing, Text: `no button "Pay"`, Evidence: []string{"evil \x1b[2J"}, Hint: "look"}
		return s
	}
	d.at++
	return s
}
func (d *fakeDebugger) Skip()       { d.at++ }
func (d *fakeDebugger) URL() string { return "http://localhost/harbour-42" }
func (d *fakeDebugger) Look(_ context.Context, o *resolve.Descriptor) (resolve.Decision, error) {
	if d.at == 0 {
		return resolve.Decision{}, errors.New("the next step acts on no element")
	}
	if o == nil {
		return resolve.Decision{Outcome: resolve.Missing, Why: "no such button"}, nil
	}
	return resolve.Decision{Outcome: resolve.One, Why: "the only " + o.Describe()}, nil
}
func (d *fakeDebugger) Use(o resolve.Descriptor) error { d.used = &o; return nil }
func (d *fakeDebugger) Highlight(context.Context, *resolve.Descriptor) (bool, error) {
	d.marked++
	return true, nil
}
func (d *fakeDebugger) Tree(context.Context) (*axtree.Tree, error) {
	n := &axtree.Node{Role: "button", Name: "Pay now"}
	return &axtree.Tree{Layers: []axtree.Layer{{Roots: []*axtree.Node{n, {Role: "link", Name: "Help"}}}}}, nil
}
func (d *fakeDebugger) Screenshot(context.Context) ([]byte, error) {
	return []byte("\xff\xd8\xffpicture"), nil
}
func (d *fakeDebugger) Close() { d.closed = true }

func TestDebug(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "page.jpg")
	mine := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		args   []string
		input  string
		code   int
		want   []string
		absent []string
	}{
		{"all steps fail at the last", nil, "run\n", exitFailed, []string{"next: step - open", "✓   1 type •••", "target_missing: no button", `evil \u001b[2J`, "hint: look", "next: step 2 click button \"Pay\""}, []string{"\x1b"}},
		{"another target", nil, "run\nlook\ntry button \"Pay now\"\nuse\nstep\nstep\n", exitPassed, []string{"decision: missing", "decision: one: the only button \"Pay now\"", `the next step acts on button "Pay now"`, "✓   2 click button", "at the end", "error: the recording is at its end"}, nil},
		{"to a step", []string{"--step", "2"}, "url\n", exitPassed, []string{"http://localhost/•••", "next: step 2"}, nil},
		{"look about", nil, "steps\ntree PAY\nshot " + picture + "\nquit\nrun\n", exitPassed, []string{">   - open", "button \"Pay now\"", "saved "}, []string{"Help", "Pay\" on"}},
		{"mistakes", nil, "jump\nuse\ntry\ntry \"x\nshot\nshot " + mine + "\nrun x\nrun 9\nrun 2\nrun 1\nskip\nskip\nrun\nhelp\n", exitPassed,
			[]string{`"jump" is no command`, "try a target first", "try needs a role and a name", "is no quoted name", "shot needs a file", "was not written by retrace", `"x" is no id`, "has no step 9", "step 1 is behind", "at the end", "try ROLE"}, nil},
		{"empty lines step", nil, "\n\n", exitPassed, []string{"✓   - open", "✓   1"}, nil},
		{"no such step", []string{"--step", "7"}, "", exitUsage, []string{"the recording has no step 7"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, d := newBench(), &fakeDebugger{}
			b.stdin = strings.NewReader(tt.input)
			b.debug = func(context.Context, *trace.Trace, replay.Options) (debugger, error) { return d, nil }
			if code := b.execute(t.Context(), append([]string{"debug", recording, "--secret", "P=env:PW"}, tt.args...)); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			text := b.out.String() + b.err.String()
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("output lacks %q", want)
				}
			}
			for _, absent := range append(tt.absent, "harbour-42") {
				if strings.Contains(text, absent) {
					t.Errorf("output has %q", absent)
				}
			}
			if !d.closed {
				t.Error("the browser was not closed")
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
	if data, err := os.ReadFile(picture); err != nil || !strings.HasSuffix(string(data), "picture") {
		t.Errorf("picture: %q, %v", data, err)
	}
}

// TestDebugWithoutBrowser ends with the reason.
func TestDebugWithoutBrowser(t *testing.T) {
	b := newBench()
	b.debug = func(context.Context, *trace.Trace, replay.Options) (debugger, error) {
		return nil, &replay.Failure{Code: replay.BrowserMissing, Text: "none", Hint: "install one"}
	}
	if code := b.execute(t.Context(), []string{"debug", recording}); code != exitBrowser || !strings.Contains(b.err.String(), "hint: install one") {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
	if code := b.execute(t.Context(), []string{"debug", "-"}); code != exitUsage {
		t.Errorf("recording from standard input: exit code %d", code)
	}
}

// TestDebugMarksInTheWindow looks for targets with and without a window.
func TestDebugMarksInTheWindow(t *testing.T) {
	for _, headed := range []bool{false, true} {
		b, d := newBench(), &fakeDebugger{at: 2}
		b.stdin = strings.NewReader("try button Pay\nlook\n")
		b.debug = func(context.Context, *trace.Trace, replay.Options) (debugger, error) { return d, nil }
		args := []string{"debug", recording}
		if headed {
			args = append(args, "--headed")
		}
		b.execute(t.Context(), args)
		if want := map[bool]int{true: 1}[headed]; d.marked != want {
			t.Errorf("headed %t: %d marks, want %d", headed, d.marked, want)
		}
	}
}

// TestPauseOnFailure refuses to wait for nobody.
func TestPauseOnFailure(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		args     []string
		code     int
		pauses   bool
	}{
		{false, nil, exitUsage, false}, {false, []string{"--headed"}, exitPassed, true}, {true, nil, exitPassed, true}, {true, []string{"--pause-on-failure=false"}, exitPassed, false},
	} {
		b := newBench(result(replay.Passed, ""))
		b.terminal = func() bool { return tt.terminal }
		code := b.execute(t.Context(), append([]string{"run", recording, "--pause-on-failure"}, tt.args...))
		if code != tt.code || len(b.options) > 0 && (b.options[0].OnFailed != nil) != tt.pauses {
			t.Errorf("terminal %t %v: exit code %d\n%s", tt.terminal, tt.args, code, &b.err)
		}
		if code == exitUsage && !strings.Contains(b.err.String(), "it needs a terminal, or --headed") {
			t.Errorf("%s", &b.err)
		}
	}
}

// TestVerbosity counts -v.
func TestVerbosity(t *testing.T) {
	var got []int
	for _, args := range [][]string{nil, {"-v"}, {"-vv"}, {"--verbose"}} {
		b := newBench(result(replay.Passed, ""))
		b.execute(t.Context(), append([]string{"run", recording}, args...))
		level := 0
		for n, l := range []int{-4, -8} { // debug, protocol
			if b.options[0].Log.Enabled(t.Context(), slog.Level(l)) {
				level = n + 1
			}
		}
		got = append(got, level)
	}
	if !slices.Equal(got, []int{0, 1, 2, 1}) {
		t.Errorf("levels %v", got)
	}
}
