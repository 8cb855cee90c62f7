package e2e

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"retrace/e2e/hostile"
	"retrace/e2e/tape"
	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

var updateTape = flag.Bool("update-tape", false, "record the conversation with a real browser anew")

const tapeFile = "testdata/form.tape.gz"

// recordTape replays the form once and saves what was said.
func recordTape(t *testing.T) {
	t.Helper()
	chrome := startChrome(t)
	site := hostile.Serve()
	defer site.Close()
	var recorder *tape.Recorder
	res := replayForm(t, site.URL+"/form", func(ctx context.Context) (chromedp.Transport, error) {
		conn, err := remote.DialContext(ctx, chrome.URL)
		recorder = &tape.Recorder{Transport: conn}
		return recorder, err
	}, nil, nil)
	if res.Failure != nil {
		t.Fatal(res.Failure)
	}
	f, err := os.Create(tapeFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := recorder.Save(f, site.URL+"/form"); err != nil {
		t.Fatal(err)
	}
}

// replayForm replays the form of the hostile site over a connection.
func replayForm(t *testing.T, address string, dial func(context.Context) (chromedp.Transport, error), on func(replay.Event), protocol func(browser.Message)) *replay.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.json")
	if err := hostile.Form(address).Write(file); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	res, err := replay.Run(t.Context(), tr, replay.Options{Dial: dial, Timeout: 1500 * time.Millisecond, OnEvent: on, Protocol: protocol})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestFaultsOfWholeRuns does a whole run without a browser, again and again: with a fault of each command that acts, of a
// sample of the others, and with several faults, chosen by a seed. Whatever goes wrong, the run ends in time, passes only when everything was done once, says why
// it did not pass, and does nothing after its verdict is failed. When the commands of a run have changed too much for what was
// recorded, record it anew: go test ./e2e -run TestFaultsOfWholeRuns -update-tape
func TestFaultsOfWholeRuns(t *testing.T) {
	t.Parallel()
	if *updateTape {
		recordTape(t)
	}
	f, err := os.Open(tapeFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recorded, err := tape.Load(f)
	if err != nil {
		t.Fatal(err)
	}
	run := func(fault func(int, *cdproto.Message) tape.Fault) (b *tape.Browser, res *replay.Result, took time.Duration, late []string) {
		synctest.Test(t, func(t *testing.T) {
			b = tape.Play(recorded, fault)
			var acts lateActs
			began := time.Now()
			res = replayForm(t, recorded.Address, func(context.Context) (chromedp.Transport, error) { return b, nil }, acts.event, acts.message)
			took, late = time.Since(began), acts.acts()
		})
		return b, res, took, late
	}
	whole, res, took, _ := run(func(int, *cdproto.Message) tape.Fault { return tape.None })
	if res.Failure != nil || res.Verdict != replay.Passed {
		t.Fatalf("without a fault: %s, %v, commands without an answer: %.300q; when the engine asks other things now, record anew with -update-tape", res.Verdict, res.Failure, whole.Unknown())
	}
	commands, acts, times := whole.Commands(), len(whole.Acted()), counts(whole.Acted())
	t.Logf("%d commands, %d of them act, %s", commands, acts, took)
	outcomes := map[string]int{}
	check := func(name string, fault func(int, *cdproto.Message) tape.Fault) {
		b, res, took, late := run(fault)
		reason := string(res.Verdict)
		if res.Failure != nil {
			reason = string(res.Failure.Code)
		}
		outcomes[reason]++
		passed := res.Verdict == replay.Passed || res.Verdict == replay.Warned
		switch acted := len(b.Acted()); {
		case passed && (res.Failure != nil || acted != acts):
			t.Errorf("%s: passed with %d of %d acts, %v", name, acted, acts, res.Failure)
		case !passed && (res.Failure == nil || res.Failure.Code == "" || res.Failure.Text == ""):
			t.Errorf("%s: %s without a reason", name, res.Verdict)
		}
		for act, n := range counts(b.Acted()) {
			if n > times[act] {
				t.Errorf("%s: done %d times, want at most %d: %s", name, n, times[act], act)
			}
		}
		if len(late) > 0 {
			t.Errorf("%s: done after the verdict was failed: %q", name, late)
		}
		if took > 90*time.Second { // a browser may take a minute to open a tab
			t.Errorf("%s: took %s", name, took)
		}
	}
	every, seeds := 4*len(tape.Faults), 15 // a sample
	if os.Getenv(thoroughEnv) != "" {
		every, seeds = 1, 2000
	}
	offset := rand.IntN(every)
	for n := range commands {
		for i, kind := range tape.Faults {
			if (n+i+offset)%every != 0 {
				continue
			}
			check(fmt.Sprintf("%s of command %d", kind, n), func(at int, _ *cdproto.Message) tape.Fault {
				if at != n {
					return tape.None
				}
				return kind
			})
		}
	}
	for n := range acts {
		for _, kind := range tape.Faults {
			nth := 0
			check(fmt.Sprintf("%s of act %d", kind, n), func(_ int, m *cdproto.Message) tape.Fault {
				if !tape.Acts(m) {
					return tape.None
				}
				if nth++; nth != n+1 {
					return tape.None
				}
				return kind
			})
		}
	}
	for range seeds {
		seed := rand.Uint64()
		dice := rand.New(rand.NewPCG(seed, 1))
		check(fmt.Sprintf("seed %d", seed), func(at int, _ *cdproto.Message) tape.Fault {
			// The beginning has been tried above: most faults there keep a run from having steps.
			if at < commands/3 || dice.IntN(30) != 0 {
				return tape.None
			}
			return tape.Faults[dice.IntN(len(tape.Faults))]
		})
	}
	t.Logf("outcomes: %v", outcomes)
}

func counts(texts []string) map[string]int {
	n := map[string]int{}
	for _, t := range texts {
		n[t]++
	}
	return n
}
