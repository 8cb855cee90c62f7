package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/queue/embedded"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// TestSubmitAndWork has recordings replayed through a real queue, by an engine of the test's own.
func TestSubmitAndWork(t *testing.T) {
	server, err := embedded.Start(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	dir := many(t, 3)
	if err := os.WriteFile(filepath.Join(dir, "t2", "assert.json"), []byte(`{"assertions": [{"after": 4, "text": "TIDE10"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}

	worker := newBench()
	options := map[string]replay.Options{}
	worker.replay = func(_ context.Context, tr *trace.Trace, o replay.Options) (*replay.Result, error) {
		r := *result(replay.Passed, "")
		if tr.Name == "t1" {
			r = *result(replay.Failed, replay.TargetMissing)
		}
		r.Trace, r.File = tr.Name, tr.File
		if err := os.WriteFile(filepath.Join(o.ReportDir, "step-1.png"), []byte(tr.Name), 0o600); err != nil {
			return nil, err
		}
		worker.mu.Lock()
		defer worker.mu.Unlock()
		options[tr.Name] = o
		return &r, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- worker.execute(ctx, []string{"worker", "--nats", server.URL(), "--remote", "ws://127.0.0.1:1", "--workers", "2", "--secret", "Password=env:PW"})
	}()

	out := filepath.Join(t.TempDir(), "report")
	submit := []string{"submit", dir, "--nats", server.URL(), "--batch", "b1", "--wait", "--report", out, "--timeout", "3s", "--locale", "de-AT", "--block-url", "*/a.js", "--block-url", "*/b.js"}
	for range 2 { // the second time only collects again
		b := newBench()
		if code := b.execute(t.Context(), submit); code != exitFailed {
			t.Fatalf("exit code %d\n%s%s", code, &b.out, &b.err)
		}
		for _, want := range []string{"batch b1: 3 traces submitted\n", "3 traces: 2 passed, 1 failed, ", "✗ step 1 type •••: target_missing"} {
			if !strings.Contains(b.out.String(), want) {
				t.Errorf("output lacks %q:\n%s", want, &b.out)
			}
		}
	}
	cancel()
	if code := <-done; code != exitInterrupted {
		t.Errorf("exit code %d of the worker\n%s%s", code, &worker.out, &worker.err)
	}
	if len(options) != 3 {
		t.Errorf("%d recordings were replayed", len(options))
	}
	o := options["t2"]
	got := []any{o.Timeout.String(), o.Emulation.Locale, o.Emulation.BlockURLs, o.Secrets, len(o.Assert.Assertions), options["t0"].Assert == nil}
	if diff := cmp.Diff([]any{"3s", "de-AT", []string{"*/a.js", "*/b.js"}, replay.Secrets{"Password": "harbour-42"}, 1, true}, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	for i, r := range readDocument(t, filepath.Join(out, report.ResultsFile)).Results {
		name := []string{"t0", "t1", "t2"}[i]
		if r.Trace != name || r.File != filepath.ToSlash(filepath.Join(dir, name)) || r.Environment.Worker == "" || strings.Contains(r.Steps[0].Title, "harbour-42") {
			t.Errorf("result %d: %s at %s by %q: %s", i, r.Trace, r.File, r.Environment.Worker, r.Steps[0].Title)
		}
		if data, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(r.Steps[0].Screenshot))); err != nil || string(data) != name {
			t.Errorf("picture %s: %q, %v", r.Steps[0].Screenshot, data, err)
		}
	}

	b := newBench()
	if code := b.execute(t.Context(), []string{"submit", dir, "--nats", server.URL(), "--batch", "b1", "--timeout", "4s"}); code != exitUsage || !strings.Contains(b.err.String(), "batch b1 was submitted before with other recordings or options") {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
	b = newBench()
	if code := b.execute(t.Context(), []string{"submit", "--nats", server.URL(), "--batch", "b1", "--wait", "--json", "-"}); code != exitFailed || strings.Count(b.out.String(), `"event":"run_finished"`) != 3 {
		t.Errorf("exit code %d\n%s%s", code, &b.out, &b.err)
	}
}

// What may be submitted is a closed list, whoever writes the job.
func TestSpecRefuses(t *testing.T) {
	for _, name := range []string{"secrets", "chrome", "report", "file", "proxy", "header", "no-such-flag"} {
		o := &runOptions{}
		flags := newFlags(o)
		if err := (spec{Flags: map[string][]string{name: {"/etc/passwd"}}}).apply(flags); err == nil {
			t.Errorf("--%s was taken from a submission", name)
		}
	}
}
