package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrace/e2e/harness"
	"retrace/replay"
	"retrace/replay/report"
)

// TestFaults replays recordings on pages that have drifted since, or that are difficult by themselves: covers, delays, twins,
// lost clicks, frames that come late, fields that fight back. Each has a folder in live and one in traces, with an
// expect.json that says which verdicts a good engine may get. SILENT and WRONG are allowed by nothing.
func TestFaults(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	for _, dir := range []string{"given", "own"} {
		site := os.DirFS(filepath.Join("faults", dir, "live"))
		recordings, err := harness.Recordings(filepath.Join("faults", dir, "traces"))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range recordings {
			t.Run(dir+"/"+r.Name, func(t *testing.T) {
				if dir == "own" {
					oneIn(t, 4, i)
				} else {
					oneIn(t, 2, i)
				}
				t.Parallel()
				want := readFault(t, r)
				server := harness.Serve(site)
				defer server.Close()
				work := t.TempDir()
				o, err := server.Replay(t.Context(), bin, work, r, append(attach, "--timeout", want.Timeout)...)
				if err != nil {
					t.Fatal(err)
				}
				result := readResult(t, work)
				t.Logf("verdict %s, want %v", o.Verdict, r.Want)
				if !r.AsWanted(o) {
					t.Fatalf("%s with exit code %d, touched %q, want %v: %s\n%s\nevents: %+v", o.Verdict, o.Code, o.Strays, r.Want, r.Reason, o.Output, o.Events)
				}
				if o.Verdict == harness.Stop {
					want.compare(t, result, o.Output)
				}
			})
		}
	}
}

// fault is what an expect.json says beside the verdict.
type fault struct {
	// Timeout is the deadline of a step, as the command line takes it.
	Timeout string `json:"timeout"`
	// Code are the reasons that a stop may have, apart by |; empty for any.
	Code string `json:"code"`
	// Step is the recorded step that a stop has to be blamed on; 0 for any.
	Step int `json:"step"`
}

// stopTimeout is the deadline of a step where only a stop will do: nothing comes of waiting longer.
const stopTimeout = 2500 * time.Millisecond

func readFault(t *testing.T, r *harness.Recording) fault {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := fault{Timeout: replay.DefaultTimeout.String()}
	if len(r.Want) == 1 && r.Want[0] == harness.Stop {
		f.Timeout = stopTimeout.String()
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatalf("%s: %v", r.Dir, err)
	}
	return f
}

// compare checks that a stop was blamed on the right step, for the right reason.
func (f fault) compare(t *testing.T, result *replay.Result, output string) {
	t.Helper()
	if result.Failure == nil {
		t.Fatalf("stopped without a reason\n%s", output)
	}
	if f.Code != "" && !slices.Contains(strings.Split(f.Code, "|"), string(result.Failure.Code)) {
		t.Errorf("stopped with %s, want %s\n%s", result.Failure.Code, f.Code, output)
	}
	if f.Step == 0 {
		return
	}
	for _, s := range result.Steps {
		if s.Verdict == replay.Failed && !slices.Contains(s.Steps, f.Step) {
			t.Errorf("step %v failed, want recorded step %d\n%s", s.Steps, f.Step, output)
		}
	}
}

// readResult reads what the program wrote about its only trace into the report below work.
func readResult(t *testing.T, work string) *replay.Result {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(work, "report", report.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	var document report.Document
	if err := json.Unmarshal(data, &document); err != nil || len(document.Results) != 1 {
		t.Fatalf("%d results, %v\n%s", len(document.Results), err, data)
	}
	return document.Results[0]
}
