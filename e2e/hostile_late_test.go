package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"retrace/e2e/harness"
	"retrace/replay"
	"retrace/replay/browser"
)

// lateActs collects the commands that act on a page after the verdict of an attempt is failed.
type lateActs struct {
	mu     sync.Mutex
	failed bool
	steps  bool // one is being done, or one was
	late   []string
}

// event must be told of each event of the replay, in its goroutine.
func (l *lateActs) event(e replay.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case e.Kind == replay.StepFinished && e.Step.Verdict == replay.Failed:
		l.failed = true
	case e.Kind == replay.RunRetried:
		l.failed, l.steps = false, false
	case e.Kind == replay.StepStarted:
		l.steps = true
	}
}

func (l *lateActs) stepping() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.steps
}

// message must be told of each message of the protocol.
func (l *lateActs) message(m browser.Message) {
	if !m.Sent || !acts(m) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed {
		l.late = append(l.late, fmt.Sprintf("%s %.200s", m.Method, m.Params))
	}
}

func (l *lateActs) acts() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.late
}

// acts reports whether a command does something to a page: it is input, it goes somewhere, it accepts a dialog, or it is an
// operation of a script of ours that changes something.
func acts(m browser.Message) bool {
	var p struct {
		Accept    bool `json:"accept"`
		Arguments []struct {
			Value any `json:"value"`
		} `json:"arguments"`
	}
	switch m.Method {
	case "Page.navigate", "Page.reload", "Page.navigateToHistoryEntry", "DOM.setFileInputFiles", "DOM.focus":
		return true
	case "Page.handleJavaScriptDialog":
		return json.Unmarshal(m.Params, &p) != nil || p.Accept
	case "Runtime.callFunctionOn":
		if json.Unmarshal(m.Params, &p) != nil || len(p.Arguments) == 0 {
			return false
		}
		op, _ := p.Arguments[0].Value.(string)
		return slices.Contains([]string{"edit", "assign", "choose", "focus", "guard"}, op)
	}
	return strings.HasPrefix(m.Method, "Input.")
}

// TestNothingIsDoneAfterFailure replays with several faults in a run, chosen by a seed from all messages, with a retry, which
// may act again. Whatever went wrong, an attempt whose verdict is failed does no more.
func TestNothingIsDoneAfterFailure(t *testing.T) {
	f := begin(t)
	n := 2
	if os.Getenv(thoroughEnv) != "" {
		n = 60
	}
	faults := []harness.Fault{harness.Drop, harness.Mute, harness.Refuse, harness.Garble, harness.Repeat, harness.Delay}
	t.Run("seeds", func(t *testing.T) {
		for range n {
			seed := rand.Uint64()
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				dice := rand.New(rand.NewPCG(seed, 1))
				f.repeat(t, 1, func(c harness.Command) harness.Fault {
					mu.Lock()
					defer mu.Unlock()
					if c.Event || dice.IntN(30) != 0 {
						return harness.None
					}
					return faults[dice.IntN(len(faults))]
				})
			})
		}
	})
	left(t, f.chrome)
}
