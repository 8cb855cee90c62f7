package main

import (
	"os"
	"slices"
	"sync"
	"testing"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

// mostCommands is how many commands a step of each kind may send, from its begin to the begin of the next step. In them are the
// search for the target, the checks before the input, the input, the wait for a frame and the check of the effect.
var mostCommands = map[string]int{"click": 10, "fill": 7, "select": 6, "hover": 6, "press": 7}

// TestCommands: a plain step costs no more commands than it did. The cheapest step of each kind counts, since on a busy machine
// looks at the page are repeated.
func TestCommands(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		if os.Getenv("RETRACE_E2E_REQUIRED") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	pages := site()
	defer pages.Close()
	for _, f := range flows() {
		if f.Name != "form" && f.Name != "hover and keys" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			for op, sent := range commands(t, f.make(pages.URL)) {
				var counts []int
				for _, methods := range sent {
					counts = append(counts, len(methods))
				}
				t.Log(op, counts)
				least := slices.Min(counts)
				if most, known := mostCommands[op]; known && least > most {
					t.Errorf("a %s sends %d commands, want at most %d: %q", op, least, most, sent[slices.Index(counts, least)])
				}
			}
		})
	}
}

// commands replays a recording and gives the methods that were called, for each step of each kind.
func commands(t *testing.T, r *recording) map[string][][]string {
	t.Helper()
	dir := t.TempDir()
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex // over both
	op, sent := "", map[string][][]string{}
	res, err := replay.Run(t.Context(), tr, replay.Options{
		OnEvent: func(e replay.Event) {
			if e.Kind == replay.StepStarted {
				mu.Lock()
				defer mu.Unlock()
				op = e.Step.Op
				sent[op] = append(sent[op], nil)
			}
		},
		Protocol: func(m browser.Message) {
			mu.Lock()
			defer mu.Unlock()
			if steps := sent[op]; m.Sent && len(steps) > 0 {
				steps[len(steps)-1] = append(steps[len(steps)-1], m.Method)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Failure != nil {
		t.Fatal(res.Failure)
	}
	return sent
}
