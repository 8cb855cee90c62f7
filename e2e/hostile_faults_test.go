package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

// faultRun is a replay through a proxy.
type faultRun struct {
	chrome *hostile.Chrome
}

// begin starts what the runs of a test share.
func begin(t *testing.T) faultRun {
	t.Helper()
	needBrowser(t)
	found, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	chrome, err := hostile.StartChrome(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chrome.Stop(); err != nil {
			t.Error(err)
		}
	})
	return faultRun{chrome}
}

// do replays the recording once and checks what must hold whatever happens: the run ends, a success has had its effect, and
// anything else has a reason. It returns the messages that went through the proxy.
func (f faultRun) do(t *testing.T, fault func(harness.Command) harness.Fault) (*replay.Result, []harness.Command) {
	t.Helper()
	return f.repeat(t, 0, fault)
}

// repeat is do with retries, and with faults in the steps only.
func (f faultRun) repeat(t *testing.T, retries int, fault func(harness.Command) harness.Fault) (*replay.Result, []harness.Command) {
	t.Helper()
	site := hostile.Serve()
	defer site.Close()
	file := filepath.Join(t.TempDir(), "trace.json")
	if err := hostile.Form(site.URL + "/form").Write(file); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	var late lateActs
	proxy, err := harness.NewProxy(f.chrome.URL, func(c harness.Command) harness.Fault {
		if retries > 0 && !late.stepping() { // a browser may take a minute to open a tab
			return harness.None
		}
		return fault(c)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	// A browser may take a minute to open a tab. Who waits less must interrupt.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opened := time.AfterFunc(5*time.Second, cancel)
	defer opened.Stop()
	done := make(chan *replay.Result, 1)
	go func() {
		res, err := replay.Run(ctx, tr, replay.Options{Remote: proxy.URL, Timeout: 1500 * time.Millisecond, Retries: retries, Protocol: late.message, OnEvent: func(e replay.Event) {
			late.event(e)
			if e.Kind == replay.StepStarted {
				opened.Stop()
			}
		}})
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	var res *replay.Result
	select {
	case res = <-done:
	case <-time.After(trialLimit):
		t.Fatalf("still running after %s", trialLimit)
	}
	clicks := site.Clicks("/form")
	reason := "passed"
	if res.Failure != nil {
		reason = res.Failure.Error()
	}
	t.Logf("%s, %d clicks, %.1f s", reason, clicks, res.DurationMS/1000)
	switch passed := res.Verdict == replay.Passed || res.Verdict == replay.Warned || res.Verdict == replay.Flaky; {
	case passed && (res.Failure != nil || clicks < 1), passed && retries == 0 && clicks != 1:
		t.Errorf("passed with %d clicks, %v", clicks, res.Failure)
	case !passed && (res.Failure == nil || res.Failure.Code == "" || res.Failure.Text == ""):
		t.Errorf("%s without a reason: %v", res.Verdict, res.Failure)
	case clicks > 1+len(res.Earlier):
		t.Errorf("%d clicks", clicks)
	}
	if acts := late.acts(); len(acts) > 0 {
		t.Errorf("done after the verdict was failed: %q", acts)
	}
	return res, proxy.Commands()
}

// only makes a fault of one message.
func only(c harness.Command, f harness.Fault) func(harness.Command) harness.Fault {
	return func(now harness.Command) harness.Fault {
		if now.Method == c.Method && now.Nth == c.Nth && now.Event == c.Event {
			return f
		}
		return harness.None
	}
}

// TestProtocolFaults does harm to single messages between the replay and the browser. Unless all are asked for, one of each
// method is taken, with faults that differ from seed to seed.
func TestProtocolFaults(t *testing.T) {
	t.Parallel()
	f := begin(t)
	res, commands := f.do(t, func(harness.Command) harness.Fault { return harness.None })
	if res.Failure != nil {
		t.Fatal(res.Failure)
	}
	last := map[harness.Command]int{} // by method
	for _, c := range commands {
		kind := harness.Command{Method: c.Method, Event: c.Event}
		last[kind] = max(last[kind], c.Nth)
	}
	kinds := make([]harness.Command, 0, len(last))
	for k := range last {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b harness.Command) int { return compareKinds(a, b) })
	dice := rand.New(rand.NewPCG(1, 2))
	ofCommand := []harness.Fault{harness.Drop, harness.Mute, harness.Refuse, harness.Garble, harness.Babble, harness.Repeat, harness.Delay, harness.Cut, harness.Lose}
	ofEvent := []harness.Fault{harness.Drop, harness.Repeat, harness.Cut}
	t.Run("messages", func(t *testing.T) {
		for i, k := range kinds {
			faults := ofCommand
			if k.Event {
				faults = ofEvent
			}
			nths := []int{0}
			if last[k] > 0 {
				nths = append(nths, last[k], last[k]/2)
			}
			if os.Getenv(thoroughEnv) == "" {
				faults = []harness.Fault{faults[(i+dice.IntN(len(faults)))%len(faults)]}
				nths = []int{nths[dice.IntN(len(nths))]}
			}
			for _, fault := range faults {
				for _, nth := range slices.Compact(nths) {
					k.Nth = nth
					t.Run(fmt.Sprintf("%s/%s/%d", fault, k.Method, nth), func(t *testing.T) {
						oneIn(t, 4, i)
						t.Parallel()
						f.do(t, only(k, fault))
					})
				}
			}
		}
	})
	left(t, f.chrome)
}

func compareKinds(a, b harness.Command) int {
	switch {
	case a.Event != b.Event && a.Event:
		return 1
	case a.Event != b.Event:
		return -1
	case a.Method < b.Method:
		return -1
	case a.Method > b.Method:
		return 1
	}
	return 0
}

// TestConnectionCut cuts the connection at places all over a run. The browser is lost then, whatever was under way.
func TestConnectionCut(t *testing.T) {
	t.Parallel()
	f := begin(t)
	_, commands := f.do(t, func(harness.Command) harness.Fault { return harness.None })
	n := 0
	for _, c := range commands {
		if !c.Event {
			n++
		}
	}
	step := max(1, n/12)
	if os.Getenv(thoroughEnv) != "" {
		step = 1
	}
	for at := 0; at < n; at += step {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			cut := false
			res, _ := f.do(t, func(c harness.Command) harness.Fault {
				if !c.Event && c.Index == at {
					cut = true
					return harness.Cut
				}
				return harness.None
			})
			if cut && res.Failure != nil && res.Failure.Code != replay.BrowserCrashed {
				t.Errorf("reason %s, want %s", res.Failure.Code, replay.BrowserCrashed)
			}
		})
	}
	left(t, f.chrome)
}

// left waits until the browser has disposed of the contexts of the connections that ended.
func left(t *testing.T, c *hostile.Chrome) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for giveUp := time.After(30 * time.Second); ; {
		n, err := c.Contexts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-giveUp:
			t.Fatalf("%d browser contexts are left", n)
		}
	}
}
