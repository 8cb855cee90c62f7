package e2e

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/browser"
)

// moment is a point of a run at which harm is done: while the target is missing, while it is not ready, or while the recorded
// effect is awaited.
type moment struct {
	name, page, target string
	// clicked is set when the click comes before the harm.
	clicked bool
}

var moments = []moment{
	{name: "searching", page: "plain", target: "Stop"},
	{name: "not ready", page: "disabled", target: "Go"},
	{name: "awaiting the effect", page: "silent", target: "Go", clicked: true},
}

// do replays the recording of the moment and does harm in the course of each attempt.
func (m moment) do(t *testing.T, site *hostile.Site, harm func(r running), flags ...string) trial {
	t.Helper()
	path := "/" + m.page
	done := false
	return try(t, hostile.ClickOn(site.URL+path, m.target), func(r running, e replay.Event) {
		if e.Kind == replay.RunRetried {
			done = false
		}
		if e.Kind != replay.StepStarted || e.Step.Index != 1 || done {
			return
		}
		done = true
		if m.clicked {
			select {
			case <-site.Asked("/clicked" + path):
			case <-t.Context().Done():
			}
		}
		harm(r)
	}, flags...)
}

// What happens to the tab or to the browser in the middle of a step ends the run at once, with the reason.
func TestHarm(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	found, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		harm func(ctx context.Context, c *hostile.Chrome, url string) error
		want replay.Code
		code int
	}{
		{"renderer crashes", func(ctx context.Context, c *hostile.Chrome, url string) error { return c.CrashTab(ctx, url) }, replay.PageCrashed, 1},
		{"tab is closed", func(ctx context.Context, c *hostile.Chrome, url string) error { return c.CloseTab(ctx, url) }, replay.TabMissing, 1},
		{"browser is killed", func(_ context.Context, c *hostile.Chrome, _ string) error { return c.Kill() }, replay.BrowserCrashed, 3},
	}
	for i, m := range moments {
		for j, tt := range tests {
			t.Run(tt.name+"/"+m.name, func(t *testing.T) {
				oneIn(t, 3, i+j)
				t.Parallel()
				site := hostile.Serve()
				defer site.Close()
				chrome, err := hostile.StartChrome(found.Path)
				if err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := chrome.Stop(); err != nil {
						t.Error(err)
					}
				}()
				tr := m.do(t, site, func(running) {
					if err := tt.harm(t.Context(), chrome, site.URL+"/"+m.page); err != nil {
						t.Error(err)
					}
				}, "--remote", chrome.URL, "--timeout", "1m")
				if tr.reason() != tt.want || tr.code != tt.code {
					t.Errorf("exit code %d with reason %q, want %d with %q\n%s", tr.code, tr.reason(), tt.code, tt.want, tr.text())
				}
				if tt.want == replay.BrowserCrashed {
					return
				}
				if n, err := chrome.Contexts(t.Context()); err != nil || n != 0 {
					t.Errorf("%d browser contexts are left (%v)", n, err)
				}
			})
		}
	}
}

// The browser that the run itself started is killed, and so are those with which a run is repeated that had touched nothing.
func TestOwnBrowserIsKilled(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			site := hostile.Serve()
			defer site.Close()
			tr := m.do(t, site, func(r running) {
				if err := ownBrowser(t, r).Kill(); err != nil {
					t.Error(err)
				}
			}, "--timeout", "1m")
			if tr.reason() != replay.BrowserCrashed || tr.code != 3 {
				t.Errorf("exit code %d with reason %q\n%s", tr.code, tr.reason(), tr.text())
			}
		})
	}
}

// ownBrowser is the main process of the browser that a run has started: it has the profile and is no helper of a type.
func ownBrowser(t *testing.T, r running) *os.Process {
	t.Helper()
	for _, line := range processes(t, r.temp) {
		if !strings.Contains(line, "--user-data-dir=") || strings.Contains(line, "--type=") || strings.Contains(line, "crashpad") {
			continue
		}
		pid, err := strconv.Atoi(strings.Fields(line)[0])
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Fatal("the run has no browser")
	return nil
}
