package report

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
)

// screen is what a terminal shows that got text: the few controls that we use, and nothing else.
func screen(t *testing.T, text string) []string {
	t.Helper()
	rows, at := []string{""}, 0
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\x1b[A"):
			if at == 0 {
				t.Fatal("moved above the first row")
			}
			at, text = at-1, text[3:]
		case strings.HasPrefix(text, "\x1b[K"):
			rows[at], text = "", text[3:]
		case text[0] == '\r':
			text = text[1:]
		case text[0] == '\n':
			at, text = at+1, text[1:]
			if at == len(rows) {
				rows = append(rows, "")
			}
		case text[0] == '\x1b':
			t.Fatalf("unknown control %q", text[:min(len(text), 8)])
		default:
			rows[at], text = rows[at]+text[:1], text[1:]
		}
	}
	return rows
}

// Events of several traces come mixed; each has its line, and what is printed meanwhile stands above.
func TestLiveShowsSeveralTraces(t *testing.T) {
	var b strings.Builder
	now := began
	l := NewLive(&b, Style{Live: true, Width: 60}, 9)
	l.now = func() time.Time { return now }
	event := func(run int, k replay.EventKind, title string) {
		e := replay.Event{Kind: k, Run: run, Trace: "shop", Total: 4, Attempt: 1}
		if title != "" {
			e.Step = &replay.StepResult{Steps: []int{run}, Title: title}
		}
		if k == replay.RunFinished {
			e.Result = &replay.Result{Verdict: replay.Failed}
		}
		l.Event(e)
	}
	event(1, replay.RunStarted, "")
	event(2, replay.RunStarted, "")
	event(2, replay.StepStarted, "click \x1b[2J\u202e"+strings.Repeat("柠檬", 60))
	now = now.Add(1500 * time.Millisecond)
	event(1, replay.StepStarted, `click button "Save"`)
	fmt.Fprintln(l, "a line of the first")
	now = now.Add(61 * time.Second)
	event(1, replay.StepFinished, "")
	want := []string{
		"a line of the first",
		"… shop 2/4  0.0s",
		`… shop 1/4   2 click \u001b[2J\u202e柠檬柠檬柠檬柠…  1m02s`,
		"0 of 9 traces done, 1m02s",
	}
	if diff := cmp.Diff(want, screen(t, b.String())); diff != "" {
		t.Errorf("screen (-want +got):\n%s", diff)
	}
	for _, row := range want {
		if n := columns(row); n > 59 {
			t.Errorf("%q takes %d columns", row, n)
		}
	}
	for i := 3; i < 9; i++ {
		event(i, replay.RunStarted, "")
	}
	event(1, replay.RunFinished, "")
	rows := screen(t, b.String())
	if len(rows) != 1+mostLive+2 || rows[len(rows)-2] != "… and 1 trace more" || rows[len(rows)-1] != "1 of 9 traces done, 1 failed, 1m02s" {
		t.Errorf("screen %q", rows)
	}
	for i := 2; i < 9; i++ {
		event(i, replay.RunFinished, "")
	}
	for _, row := range screen(t, b.String())[1:] {
		if row != "" {
			t.Errorf("%q is left on the screen", row)
		}
	}
}

// What is no terminal gets what is written, and nothing else.
func TestLivePassesOn(t *testing.T) {
	var b strings.Builder
	l := NewLive(&b, Style{}, 2)
	play(l, failing())
	fmt.Fprint(l, "a\nb")
	if b.String() != "a\nb" {
		t.Errorf("wrote %q", b.String())
	}
}

// The ticker, events and lines of several goroutines do not get into each other's way, and nothing goes on at the end.
func TestLiveTicks(t *testing.T) {
	var b strings.Builder
	l := NewLive(&b, Style{Live: true, Width: 80, Tick: 50 * time.Microsecond}, 4)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			play(viewFunc(func(e replay.Event) {
				e.Run = i
				l.Event(e)
				fmt.Fprintln(l, "line")
			}), flaky())
		})
	}
	all.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil || l.drawn != 0 || len(l.runs) != 0 {
		t.Errorf("something goes on: %d lines, %d traces", l.drawn, len(l.runs))
	}
	lines := 0
	for _, row := range screen(t, strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(b.String())) {
		if row == "line" {
			lines++
		}
	}
	if want := strings.Count(b.String(), "line\n"); lines != want {
		t.Errorf("%d lines are left, want %d", lines, want)
	}
}
