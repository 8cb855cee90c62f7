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

// TestCommands: hovering and pressing keys costs no more commands than it did. The other kinds are counted in TestLongRecording.
func TestCommands(t *testing.T) {
	needBrowser(t)
	pages := site()
	defer pages.Close()
	var each commands
	replayed(t, pointer(pages.URL), each.event, each.message)
	each.check(t)
}

// commands are the methods that a replay has called, for each step of each kind.
type commands struct {
	op   string // of the running step
	sent map[string][][]string
}

func (c *commands) event(e replay.Event) {
	if e.Kind != replay.StepStarted {
		return
	}
	if c.sent == nil {
		c.sent = map[string][][]string{}
	}
	c.op = e.Step.Op
	c.sent[c.op] = append(c.sent[c.op], nil)
}

func (c *commands) message(m browser.Message) {
	if steps := c.sent[c.op]; m.Sent && len(steps) > 0 {
		steps[len(steps)-1] = append(steps[len(steps)-1], m.Method)
	}
}

// check compares the cheapest step of each kind with what it may cost: on a busy machine looks at the page are repeated.
func (c *commands) check(t *testing.T) {
	t.Helper()
	for op, steps := range c.sent {
		least := slices.MinFunc(steps, func(a, b []string) int { return len(a) - len(b) })
		t.Logf("%s: at least %d commands", op, len(least))
		if most, known := mostCommands[op]; known && len(least) > most {
			t.Errorf("a %s sends %d commands, want at most %d: %q", op, len(least), most, least)
		}
	}
}

// replayed replays a recording. Events and messages are told one at a time.
func replayed(t *testing.T, r *recording, event func(replay.Event), message func(browser.Message)) *replay.Result {
	t.Helper()
	dir := t.TempDir()
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	res, err := replay.Run(t.Context(), tr, replay.Options{
		OnEvent:  func(e replay.Event) { mu.Lock(); defer mu.Unlock(); event(e) },
		Protocol: func(m browser.Message) { mu.Lock(); defer mu.Unlock(); message(m) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Failure != nil {
		t.Fatal(res.Failure)
	}
	return res
}

// needBrowser skips a test that cannot run here, unless browsers are required.
func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		if os.Getenv("RETRACE_E2E_REQUIRED") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}
