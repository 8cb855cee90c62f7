package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// many makes n recordings below a directory, named t0, t1 …
func many(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		if err := os.CopyFS(filepath.Join(dir, fmt.Sprintf("t%d", i)), os.DirFS(recording)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Runs end in the opposite order of the arguments, and nothing that is told of them shows it.
func TestRunsAreToldInOrder(t *testing.T) {
	const n = 12 // more than are kept in memory
	dir := many(t, n)
	b := newBench()
	var done [n + 1]chan struct{}
	for i := range done {
		done[i] = make(chan struct{})
	}
	close(done[n])
	b.replay = func(_ context.Context, tr *trace.Trace, o replay.Options) (*replay.Result, error) {
		var i int
		if _, err := fmt.Sscanf(tr.Name, "t%d", &i); err != nil {
			return nil, err
		}
		place := map[int]int{0: 0, 1: 1, 10: 2, 11: 3, 2: 4, 3: 5, 4: 6, 5: 7, 6: 8, 7: 9, 8: 10, 9: 11}[i] // lexical
		defer close(done[place])
		r := *result(replay.Passed, "")
		r.Trace, r.File = tr.Name, tr.File
		o.OnEvent(replay.Event{Kind: replay.RunStarted, Trace: tr.Name, Total: 1})
		<-done[place+1]
		o.OnEvent(replay.Event{Kind: replay.StepFinished, Trace: tr.Name, Step: &r.Steps[0]})
		o.OnEvent(replay.Event{Kind: replay.RunFinished, Trace: tr.Name, Result: &r})
		return &r, nil
	}
	out := t.TempDir()
	if code := b.execute(t.Context(), []string{"run", dir, "--workers", fmt.Sprint(n), "--json", "-", "--report", out, "--junit", filepath.Join(out, "junit.xml")}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	var want, got []string
	for i, name := range []string{"t0", "t1", "t10", "t11", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"} {
		for _, kind := range []replay.EventKind{replay.RunStarted, replay.StepFinished, replay.RunFinished} {
			want = append(want, fmt.Sprint(i+1, name, kind))
		}
	}
	for line := range strings.Lines(b.out.String()) {
		var e replay.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(e.Run, e.Trace, e.Kind))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for i, r := range readDocument(t, filepath.Join(out, report.ResultsFile)).Results {
		if w := want[3*i]; !strings.Contains(w, r.Trace) || r.Steps[0].Screenshot != r.Trace+"/step-1.png" {
			t.Errorf("result %d is of %s, with %s", i, r.Trace, r.Steps[0].Screenshot)
		}
	}
	if !strings.Contains(b.err.String(), "12 traces: 12 passed, ") || !strings.Contains(b.err.String(), " with 12 workers\n") {
		t.Errorf("no total:\n%s", &b.err)
	}
}

func TestRunMaxFailures(t *testing.T) {
	failed, passed := result(replay.Failed, replay.TargetMissing), result(replay.Passed, "")
	for _, tt := range []struct {
		flags []string
		runs  int
		total string
	}{
		{nil, 5, "5 traces: 2 passed, 3 failed, "},
		{[]string{"--fail-fast"}, 2, "5 traces: 1 passed, 1 failed, 3 not run, "},
		{[]string{"--max-failures", "2"}, 3, "5 traces: 1 passed, 2 failed, 2 not run, "},
	} {
		b := newBench(passed, failed, failed, passed, failed)
		code := b.execute(t.Context(), append([]string{"run", "--workers", "1", recording, recording, recording, recording, recording}, tt.flags...))
		if code != exitFailed || len(b.options) != tt.runs || !strings.Contains(b.out.String(), tt.total) {
			t.Errorf("%q: exit code %d, %d runs\n%s", tt.flags, code, len(b.options), &b.out)
		}
	}
}

// The parts of two machines are the whole, and a merge notices when one is not there.
func TestRunShards(t *testing.T) {
	const n = 5
	dir, out := many(t, n), t.TempDir()
	var reports []string
	seen := map[string]int{}
	for i, want := range []int{2, 2, 1} {
		b := newBench(result(replay.Passed, ""), result(replay.Passed, ""))
		reports = append(reports, filepath.Join(out, fmt.Sprint("shard-", i+1)))
		args := []string{"run", dir, "--shard", fmt.Sprintf("%d/3", i+1), "--report", reports[i]}
		if i == 1 { // the CI system says the same
			args[3] = "auto"
			b.lookupEnv = func(name string) (string, bool) {
				v, ok := map[string]string{"JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "3"}[name]
				return v, ok
			}
		}
		if code := b.execute(t.Context(), args); code != 0 {
			t.Fatalf("exit code %d\n%s", code, &b.err)
		}
		if line := fmt.Sprintf("shard %d/3: %d of 5 traces\n", i+1, want); !strings.HasPrefix(b.out.String(), line) {
			t.Errorf("output does not begin with %q:\n%s", line, &b.out)
		}
		for _, r := range readDocument(t, filepath.Join(reports[i], report.ResultsFile)).Results {
			seen[r.Trace]++
		}
	}
	if diff := cmp.Diff(map[string]int{"t0": 1, "t1": 1, "t2": 1, "t3": 1, "t4": 1}, seen); diff != "" {
		t.Errorf("traces (-want +got):\n%s", diff)
	}
	b := newBench()
	if code := b.execute(t.Context(), append([]string{"report", "-o", filepath.Join(out, "all")}, reports...)); code != 0 {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
	if code := b.execute(t.Context(), []string{"report", "-o", filepath.Join(out, "part"), reports[0], reports[2]}); code != exitFailed {
		t.Errorf("exit code %d without one shard\n%s", code, &b.err)
	}
	if want := "retrace: there is no report of 1 shard: 2/3\n"; b.err.String() != want {
		t.Errorf("standard error %q, want %q", &b.err, want)
	}
}

// More machines than recordings: the last has nothing to do, which is no error here nor in the merge.
func TestRunEmptyShard(t *testing.T) {
	out := t.TempDir()
	for i := range 2 {
		b := newBench(result(replay.Passed, ""))
		if code := b.execute(t.Context(), []string{"run", recording, "--shard", fmt.Sprintf("%d/2", i+1), "--report", filepath.Join(out, fmt.Sprint(i))}); code != 0 {
			t.Fatalf("exit code %d\n%s", code, &b.err)
		}
	}
	b := newBench()
	if code := b.execute(t.Context(), []string{"report", "-o", filepath.Join(out, "all"), filepath.Join(out, "0"), filepath.Join(out, "1")}); code != 0 {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
}

func TestRunTimings(t *testing.T) {
	dir, file := many(t, 3), filepath.Join(t.TempDir(), "results.json")
	var earlier []*replay.Result
	for i, ms := range []float64{100, 300, 200} {
		name := fmt.Sprintf("t%d", i)
		earlier = append(earlier, &replay.Result{Schema: 1, Trace: name, File: "/elsewhere/" + name + "/trace.json", Verdict: replay.Passed, DurationMS: ms})
	}
	if err := report.WriteResults(file, "v1", earlier); err != nil {
		t.Fatal(err)
	}
	b := newBench(result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", dir, "--shard", "1/2", "--timings", file}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	if !strings.Contains(b.out.String(), "t1 1 step\n") {
		t.Errorf("the first shard is not the longest trace:\n%s", &b.out)
	}
}
