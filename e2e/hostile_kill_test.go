package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/report"
)

// kills is how often the program is killed: all over a run, or a few times.
func kills() int {
	if os.Getenv(thoroughEnv) != "" {
		return 60
	}
	return 2
}

// TestKillAtAnyMoment kills the program outright at moments all over two runs at a time, from its first millisecond to the
// writing of its report. Whenever that was, its results are whole and tell of these runs only, if they had begun, and so do the
// other files that are left; no process and no temporary file stays, without a next command that would clean up. A half-written
// file can stay beside the results, which a later command takes away when it is old.
func TestKillAtAnyMoment(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := hostile.Serve()
	defer site.Close()
	temp, err := os.MkdirTemp("", "k") // a short path: Chrome puts sockets there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	work := t.TempDir()
	passes, fails, reports := filepath.Join(work, "passes.json"), filepath.Join(work, "fails.json"), filepath.Join(work, "report")
	for file, rec := range map[string]hostile.Recording{passes: hostile.Form(site.URL + "/form"), fails: hostile.ClickOn(site.URL+"/plain", "Stop")} {
		if err := rec.Write(file); err != nil {
			t.Fatal(err)
		}
	}
	run := func(delay time.Duration, files ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary(t), append([]string{"run", "--report", reports, "--junit", filepath.Join(work, "junit.xml"),
			"--screenshots", "all", "--timeout", "300ms", "--verify", "off", "--workers", "2", "--json", "-"}, files...)...)
		cmd.Env = append(os.Environ(), "TMPDIR="+temp)
		var events bytes.Buffer
		cmd.Stdout = &events
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if delay > 0 {
			defer time.AfterFunc(delay, func() { _ = cmd.Process.Kill() }).Stop() // it may have ended
		}
		_ = cmd.Wait() // its end is what the test is about
		return events.String()
	}
	binary(t) // to be built is not part of a run
	whole := time.Now()
	run(0, passes, fails)
	length := time.Since(whole)
	seed := rand.Uint64()
	t.Logf("seed %d, runs of %s", seed, length.Round(time.Millisecond))
	dice := rand.New(rand.NewPCG(seed, 0))
	n, halves := kills(), 0
	for i := range n {
		halves += len(hidden(t, reports, work))
		if err := os.RemoveAll(reports); err != nil {
			t.Fatal(err)
		}
		leaveSuccess(t, reports, filepath.Join(work, "junit.xml"))
		delay := time.Duration(float64(length) * 1.2 * (float64(i) + dice.Float64()) / float64(n))
		events := run(delay, fails, passes)
		begun := strings.Contains(events, string(replay.RunStarted))
		var d report.Document
		data, err := os.ReadFile(filepath.Join(reports, report.ResultsFile))
		if err == nil {
			err = json.Unmarshal(data, &d)
		}
		if err != nil {
			t.Errorf("killed after %s: %v", delay, err)
		}
		earlier := !d.Unfinished && len(d.Results) == 1
		stale := holding(t, earlierName, reports, work)
		t.Logf("killed after %s: begun %v, unfinished %v, %d results, of the command before: %q", delay.Round(time.Millisecond), begun, d.Unfinished, len(d.Results), stale)
		switch {
		case begun && earlier:
			t.Errorf("killed after %s: the results are of an earlier command", delay)
		case d.Unfinished && d.Verdict != replay.Error:
			t.Errorf("killed after %s: unfinished and %s", delay, d.Verdict)
		case !d.Unfinished && !earlier && len(d.Results) != 2:
			t.Errorf("killed after %s: finished with %d results", delay, len(d.Results))
		case begun && len(stale) > 0:
			t.Errorf("killed after %s: %q are of an earlier command", delay, stale)
		}
		awaitNoProcesses(t, temp)
		if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
			t.Errorf("killed after %s: temporary files left: %v (%v)", delay, entries, err)
		}
	}
	t.Logf("%d half-written files after %d kills", halves, n)
}

// hidden are the files in the directories whose names begin with a dot.
func hidden(t *testing.T, dirs ...string) []string {
	t.Helper()
	var out []string
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(dir, ".*"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return out
}

// earlierName is what the success of an earlier command is called.
const earlierName = "earlier-success"

// leaveSuccess writes the report of an earlier command, of which nothing may be seen when another one has begun.
func leaveSuccess(t *testing.T, dir, junit string) {
	t.Helper()
	results := []*replay.Result{{Schema: replay.SchemaVersion, Trace: earlierName, Verdict: replay.Passed, Steps: []replay.StepResult{}}}
	if err := errors.Join(report.Prepare(dir), report.WriteResults(filepath.Join(dir, report.ResultsFile), "v0", results), report.WriteHTML(dir, "v0", results), report.JUnit{Version: "v0"}.Write(junit, results)); err != nil {
		t.Fatal(err)
	}
}

// holding are the files in the directories that hold a text.
func holding(t *testing.T, text string, dirs ...string) []string {
	t.Helper()
	var out []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !e.Type().IsRegular() {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(text)) {
				out = append(out, e.Name())
			}
		}
	}
	return out
}
