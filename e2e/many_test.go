package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/browser"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// guest is one of many traces in a browser that they share.
type guest struct {
	name      string
	recording func(url string) hostile.Recording
	want      ends
	options   replay.Options
}

// host replays guests side by side in the browsers of a pool and checks how they end, and that each clicked once at most.
func host(t *testing.T, pool *browser.Pool, workers int, guests []guest) []*replay.Result {
	t.Helper()
	dir := t.TempDir()
	results := make([]*replay.Result, len(guests))
	sites := make([]*hostile.Site, len(guests))
	traces := make([]*trace.Trace, len(guests))
	for i, g := range guests {
		sites[i] = hostile.Serve()
		defer sites[i].Close()
		traces[i] = load(t, g.recording(sites[i].URL), filepath.Join(dir, fmt.Sprintf("%d-%s.json", i, g.name)))
	}
	batch.Run(t.Context(), len(guests), workers, func(i int) bool {
		o := guests[i].options
		o.Pool = pool
		if o.Timeout == 0 {
			o.Timeout = patientTimeout
		}
		res, err := replay.Run(t.Context(), traces[i], o)
		if err != nil {
			t.Error(err)
			return false
		}
		results[i] = res
		return true
	})
	for i, g := range guests {
		if results[i] == nil {
			continue
		}
		var reason replay.Code
		if f := results[i].Failure; f != nil {
			reason = f.Code
		}
		clicks := 0
		for _, path := range []string{"/form", "/tabs", "/plain", "/blocked-forever", "/blocked-after"} {
			clicks += sites[i].Clicks(path)
		}
		ok := false
		for _, w := range g.want {
			ok = ok || w == reason
		}
		if !ok || reason == "" && clicks != 1 || clicks > 1 {
			t.Errorf("%s (trace %d) ended with %q and %d clicks, want %q: %v", g.name, i, reason, clicks, []replay.Code(g.want), results[i].Failure)
		}
	}
	return results
}

func form(url string) hostile.Recording { return hostile.Form(url + "/form") }

func click(path string) func(string) hostile.Recording {
	return func(url string) hostile.Recording { return hostile.Click(url + path) }
}

// TestTroublemakersDisturbNobody replays ordinary traces beside one whose renderer crashes, one whose page never answers
// again, and one that opens a hundred tabs, all in one browser.
func TestTroublemakersDisturbNobody(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	pool := browser.NewPool(browser.PoolOptions{})
	good := guest{name: "good", recording: form, want: ends{""}}
	crash := guest{name: "crash", recording: click("/plain"), want: ends{replay.PageCrashed}}
	crash.options.OnResolved = func(f replay.Resolved) {
		if err := f.Node.Live.Session.Call(t.Context(), page.CommandCrash, nil, nil); !errors.Is(err, browser.ErrPageCrashed) {
			t.Errorf("the page did not crash: %v", err)
		}
	}
	stuck := guest{name: "stuck", recording: click("/blocked-forever"), want: ends{replay.NavigationFailed}, options: replay.Options{Timeout: trialTimeout}}
	tabs := guest{name: "tabs", recording: click("/tabs"), want: ends{"", replay.Timeout, replay.EffectNotSeen}}
	results := host(t, pool, 4, []guest{good, crash, stuck, tabs, good, good, good, good})
	for i, r := range results {
		if r != nil && len(r.Earlier) > 0 {
			t.Errorf("trace %d was repeated", i)
		}
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// once makes a function that does something at its first call only.
func once(f func()) func() {
	var o sync.Once
	return func() { o.Do(f) }
}

// TestBrowserLost kills one of two remote browsers at different moments of a replay there.
func TestBrowserLost(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	found, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	lasting, err := hostile.StartChrome(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lasting.Stop() })
	for _, tt := range []struct {
		name     string
		kill     func(replay.Event) bool
		retries  int
		want     replay.Code
		attempts int
	}{
		{"before anything was done", func(e replay.Event) bool { return e.Kind == replay.StepFinished && e.Step.Index == 0 }, 0, "", 2},
		{"after something was done", func(e replay.Event) bool { return e.Kind == replay.StepFinished && e.Step.Index == 1 }, 0, replay.BrowserCrashed, 1},
		{"and retries are allowed", func(e replay.Event) bool { return e.Kind == replay.StepFinished && e.Step.Index == 1 }, 1, "", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			chrome, err := hostile.StartChrome(found.Path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = chrome.Stop() })
			pool := browser.NewPool(browser.PoolOptions{Remotes: []string{chrome.URL, lasting.URL}})
			kill := once(func() {
				if err := chrome.Kill(); err != nil {
					t.Error(err)
				}
			})
			g := guest{name: "form", recording: form, want: ends{tt.want}, options: replay.Options{Retries: tt.retries}}
			g.options.OnEvent = func(e replay.Event) {
				if tt.kill(e) {
					kill()
				}
			}
			r := host(t, pool, 1, []guest{g})[0]
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
			if r == nil {
				t.FailNow()
			}
			if r.Attempt != tt.attempts {
				t.Errorf("%d attempts, want %d", r.Attempt, tt.attempts)
			}
			if tt.want != "" {
				if !r.Infrastructure || !strings.Contains(r.Failure.Hint, "--retries") {
					t.Errorf("infrastructure %t, hint %q", r.Infrastructure, r.Failure.Hint)
				}
				return
			}
			if r.Verdict == replay.Flaky {
				t.Error("a lost browser made the trace flaky")
			}
			first := r.Earlier[0]
			if !first.Infrastructure || first.Environment.Endpoint != browser.Redact(chrome.URL) || r.Environment.Endpoint != browser.Redact(lasting.URL) {
				t.Errorf("first on %s (infrastructure %t), then on %s", first.Environment.Endpoint, first.Infrastructure, r.Environment.Endpoint)
			}
			if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[len(r.Warnings)-1], "repeated since the browser was lost, on "+browser.Redact(chrome.URL)) {
				t.Errorf("warnings %q", r.Warnings)
			}
		})
	}
}

// TestSharedBrowserLost kills the browser that several traces share. Those that had done nothing are replayed again, each in
// a browser that nobody shares.
func TestSharedBrowserLost(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	pool := browser.NewPool(browser.PoolOptions{})
	crash := guest{name: "crash", recording: form, want: ends{replay.BrowserCrashed}}
	var here sync.WaitGroup // all are on their page
	here.Add(3)
	arrive := func() func() { return once(func() { here.Done(); here.Wait() }) }
	bystander := func() guest {
		g, wait := guest{name: "bystander", recording: form, want: ends{""}}, arrive()
		g.options.OnEvent = func(e replay.Event) {
			if e.Kind == replay.StepFinished && e.Step.Index == 0 {
				wait()
			}
		}
		return g
	}
	wait := arrive()
	crash.options.OnResolved = func(replay.Resolved) {
		wait()
		l, err := pool.Lease(t.Context(), false) // the same browser
		if err != nil {
			t.Error(err)
			return
		}
		if chrome, err := os.FindProcess(l.Browser.PID()); err != nil || chrome.Kill() != nil {
			t.Error("the browser was not killed")
		}
		<-l.Browser.Died()
		_ = l.Release()
	}
	results := host(t, pool, 3, []guest{crash, bystander(), bystander()})
	for i, r := range results[1:] {
		if r != nil && (len(r.Earlier) != 1 || !r.Earlier[0].Infrastructure || r.Verdict == replay.Flaky) {
			t.Errorf("bystander %d: %d earlier attempts, %s", i, len(r.Earlier), r.Verdict)
		}
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// TestManyInterrupted sends a signal while several traces are on pages that never come. All of them end, and nothing is left.
func TestManyInterrupted(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	temp, err := os.MkdirTemp("", "r") // a short path: Chrome puts sockets there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	site := hostile.Serve()
	defer site.Close()
	work := t.TempDir()
	reports := filepath.Join(work, "report")
	args := []string{"run", "--workers", "3", "--timeout", "60s", "--report", reports}
	for i := range 5 {
		file := filepath.Join(work, fmt.Sprintf("t%d.json", i))
		if err := hostile.Click(site.URL + "/hang").Write(file); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	ctx, cancel := context.WithTimeout(t.Context(), trialLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary(t), args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-site.Asked("/hang"):
	case <-ctx.Done():
		t.Fatalf("no page was opened\n%s", &output)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code says all
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &output)
	}
	d, err := report.ReadResults(filepath.Join(reports, report.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Results {
		if r.Failure == nil || r.Failure.Code != replay.Interrupted {
			t.Errorf("%s ended with %v", r.Trace, r.Failure)
		}
	}
	if n := len(d.Results); n < 1 || n > 3 {
		t.Errorf("%d results of 3 traces that were begun", n)
	}
	if left := processes(t, temp); len(left) > 0 {
		t.Errorf("processes left:\n%s", strings.Join(left, "\n"))
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("temporary files left: %v (%v)", entries, err)
	}
}
