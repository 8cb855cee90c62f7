package e2e

import (
	"os"
	"syscall"
	"testing"
	"time"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// A signal ends a run in good order in each of its phases.
func TestSignalAtEveryPhase(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	click := func(page, name string) func(*hostile.Site) hostile.Recording {
		return func(s *hostile.Site) hostile.Recording { return hostile.ClickOn(s.URL+page, name) }
	}
	step := func(e replay.Event, index int) bool { return e.Kind == replay.StepStarted && e.Step.Index == index }
	tests := []struct {
		name string
		rec  func(*hostile.Site) hostile.Recording
		// now tells whether the phase begins with the event; asked is a path that the page must have asked for since.
		now   func(e replay.Event) bool
		asked string
		// browser is set when the signal waits for the browser's directory to be there.
		browser bool
	}{
		{name: "before the browser", rec: click("/plain", "Go"), now: func(e replay.Event) bool { return e.Kind == replay.RunStarted }},
		{name: "start of the browser", rec: click("/plain", "Go"), now: func(e replay.Event) bool { return e.Kind == replay.RunStarted }, browser: true},
		{name: "navigation without an answer", rec: click("/hang", "Go"), now: func(e replay.Event) bool { return step(e, 0) }, asked: "/hang"},
		{name: "navigation without a document", rec: click("/hanging-script", "Go"), now: func(e replay.Event) bool { return step(e, 0) }, asked: "/hang"},
		{name: "search", rec: click("/plain", "Stop"), now: func(e replay.Event) bool { return step(e, 1) }},
		{name: "wait for the target", rec: click("/disabled", "Go"), now: func(e replay.Event) bool { return step(e, 1) }},
		{name: "input without an answer", rec: click("/blocked-after", "Go"), now: func(e replay.Event) bool { return step(e, 1) }, asked: "/clicked/blocked-after"},
		{name: "wait for the effect", rec: click("/silent", "Go"), now: func(e replay.Event) bool { return step(e, 1) }, asked: "/clicked/silent"},
		{name: "writing of the report", rec: click("/plain", "Go"), now: func(e replay.Event) bool { return e.Kind == replay.RunFinished }},
	}
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM} // in turn
	for i, tt := range tests {
		sig := signals[i%len(signals)]
		t.Run(tt.name+"/"+sig.String(), func(t *testing.T) {
			oneIn(t, 3, i)
			t.Parallel()
			site := hostile.Serve()
			defer site.Close()
			over := false // the run had ended before
			tr := try(t, tt.rec(site), func(r running, e replay.Event) {
				if !tt.now(e) {
					return
				}
				over = e.Kind == replay.RunFinished
				if tt.browser {
					awaitFiles(t, r.temp)
				}
				if tt.asked != "" {
					select {
					case <-site.Asked(tt.asked):
					case <-t.Context().Done():
					}
				}
				if err := r.cmd.Process.Signal(sig); err != nil && !over {
					t.Error(err)
				}
			}, "--timeout", "1m")
			switch {
			case over && (tr.reason() != "" || tr.code != 0 && tr.code != 130):
				t.Errorf("exit code %d with reason %q\n%s", tr.code, tr.reason(), tr.text())
			case !over && (tr.reason() != replay.Interrupted || tr.code != 130):
				t.Errorf("exit code %d with reason %q, want 130 with %q\n%s", tr.code, tr.reason(), replay.Interrupted, tr.text())
			}
		})
	}
}

// awaitFiles waits until there is something in dir.
func awaitFiles(t *testing.T, dir string) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for giveUp := time.After(30 * time.Second); ; {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-giveUp:
			t.Fatalf("nothing came to %s", dir)
		}
	}
}
