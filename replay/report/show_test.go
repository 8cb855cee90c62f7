package report

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"retrace/keymap"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// TestShowRecordings shows real recordings and their plans.
func TestShowRecordings(t *testing.T) {
	for _, name := range []string{"checkout-full", "checkout-redacted", "keys-desk", "cn-login-account", "cn-search-suggest", "widgets-mouse", "tabs-sign-close", "v2-cn-search-enter"} {
		t.Run(name, func(t *testing.T) {
			recording, err := trace.Load(filepath.Join("../plan/testdata/recordings", name))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := Show(&b, recording, plan.Make(recording)); err != nil {
				t.Fatal(err)
			}
			golden(t, "show-"+name+".txt", b.String())
		})
	}
}

// hostile is a recording in which every text that a page or an attacker controls tries to leave its line, and in which a
// secret stands where no one should print it.
func hostile() *trace.Trace {
	const evil = "a\x1b[2J\nb\u202ec\u2066d\x00\u2028e"
	state := &trace.State{ID: "s1", URL: "http://x.example/" + evil, Tree: &axtree.Tree{}}
	described := &resolve.Descriptor{Role: evil, Name: evil, Ctx: evil}
	t := &trace.Trace{
		Name: evil, Version: 3, Purpose: evil, Recorder: evil, StartURL: "http://x.example/" + evil, States: []*trace.State{state},
		Warnings: []trace.Problem{{File: evil, Step: 2, Field: evil, Text: evil}},
	}
	for i, s := range []*trace.Step{
		{Op: trace.Click, Target: described},
		{Op: trace.Fill, Target: described, Value: evil + strings.Repeat("long ", 100), Commit: trace.CommitBlur},
		{Op: trace.Fill, Target: &resolve.Descriptor{Role: "textbox", Name: "Password"}, Value: "hunter2-secret", Redacted: true, Commit: trace.CommitSuggestion},
		{Op: trace.Select, Target: described, Selection: []trace.Option{{Value: evil}, {Value: "v", Label: evil}}},
		{Op: trace.Select, Target: described},
		{Op: trace.Press, Key: evil, Modifiers: keymap.Ctrl | keymap.Shift, Target: described},
		{Op: trace.Navigate, To: "http://y.example/" + evil, Cause: trace.Cause(evil)},
		{Op: trace.Click, Target: &resolve.Descriptor{Unmatched: true}},
		{Op: trace.Click},
		{Op: trace.SwitchTab},
		{Op: trace.Scroll},
	} {
		s.ID, s.State, s.Result = i+1, state, state
		t.Steps = append(t.Steps, s)
	}
	return t
}

func TestShowHostile(t *testing.T) {
	var b strings.Builder
	recording := hostile()
	if err := Show(&b, recording, plan.Make(recording)); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, r := range got {
		if r != '\n' && unsafe(r) {
			t.Errorf("output holds %U", r)
		}
	}
	if strings.Contains(got, "hunter2") {
		t.Error("output holds the redacted value")
	}
	golden(t, "show-hostile.txt", got)
}

type fullDisk struct{ err error }

func (w fullDisk) Write([]byte) (int, error) { return 0, w.err }

func TestShowWriteError(t *testing.T) {
	broken := errors.New("no space left")
	if err := Show(fullDisk{broken}, hostile(), nil); !errors.Is(err, broken) {
		t.Errorf("Show = %v, want the writer's error", err)
	}
}
