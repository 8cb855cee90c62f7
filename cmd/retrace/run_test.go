package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/assert"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// bench is an app with an engine of the test's own.
type bench struct {
	app
	mu       sync.Mutex
	out, err strings.Builder
	options  []replay.Options
}

// newBench makes an app whose engine gives the results one after the other, with their events.
func newBench(results ...*replay.Result) *bench {
	b := &bench{}
	b.app = app{stdin: strings.NewReader(""), stdout: &b.out, stderr: &b.err, lookupEnv: func(name string) (string, bool) { return "harbour-42", name == "PW" }}
	b.replay = func(_ context.Context, t *trace.Trace, o replay.Options) (*replay.Result, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		r := *results[len(b.options)]
		b.options = append(b.options, o)
		r.Trace, r.File = t.Name, t.File
		o.OnEvent(replay.Event{Kind: replay.RunStarted, Trace: t.Name, Total: len(r.Steps)})
		for i := range r.Steps {
			o.OnEvent(replay.Event{Kind: replay.StepFinished, Trace: t.Name, Step: &r.Steps[i]})
		}
		o.OnEvent(replay.Event{Kind: replay.RunFinished, Trace: t.Name, Result: &r})
		return &r, nil
	}
	return b
}

func result(verdict replay.Verdict, code replay.Code) *replay.Result {
	r := &replay.Result{Schema: replay.SchemaVersion, Verdict: verdict, Steps: []replay.StepResult{{Steps: []int{1}, Title: "type harbour-42", Verdict: verdict, Screenshot: "step-1.png"}}}
	if code != "" {
		r.Failure = &replay.Failure{Code: code, Text: "no luck"}
		r.Steps[0].Failure = r.Failure
	}
	return r
}

const recording = "../../e2e/traces/cart-voucher"

func TestRunExitCodes(t *testing.T) {
	passed, failed := result(replay.Passed, ""), result(replay.Failed, replay.TargetMissing)
	crashed, missing := result(replay.Error, replay.BrowserCrashed), result(replay.Error, replay.BrowserMissing)
	tests := []struct {
		name    string
		results []*replay.Result
		want    int
		runs    int
	}{
		{"passed", []*replay.Result{passed}, 0, 1},
		{"flaky", []*replay.Result{result(replay.Flaky, "")}, 0, 1},
		{"failed", []*replay.Result{failed}, 1, 1},
		{"error", []*replay.Result{result(replay.Error, replay.SecretMissing)}, 1, 1},
		{"the worst wins", []*replay.Result{passed, crashed, failed}, 3, 3},
		{"no browser at all", []*replay.Result{missing, passed}, 3, 1},
		{"interrupted", []*replay.Result{result(replay.Error, replay.Interrupted), failed}, 130, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(tt.results...)
			args := []string{"run", "--workers", "1"}
			for range tt.results {
				args = append(args, recording)
			}
			if got := b.execute(t.Context(), args); got != tt.want {
				t.Errorf("exit code %d, want %d\n%s%s", got, tt.want, &b.out, &b.err)
			}
			if len(b.options) != tt.runs {
				t.Errorf("%d runs, want %d", len(b.options), tt.runs)
			}
		})
	}
}

func TestRunFailOnFlaky(t *testing.T) {
	for _, tt := range []struct {
		verdict replay.Verdict
		want    int
	}{{replay.Flaky, exitFailed}, {replay.Warned, exitPassed}, {replay.Passed, exitPassed}} {
		b := newBench(result(tt.verdict, ""))
		if got := b.execute(t.Context(), []string{"run", recording, "--fail-on-flaky"}); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", tt.verdict, got, tt.want)
		}
	}
}

func TestRunStopsAfterSignal(t *testing.T) {
	b := newBench(result(replay.Error, replay.Interrupted), result(replay.Passed, ""))
	ctx, cancel := context.WithCancel(t.Context())
	engine := b.replay
	b.replay = func(ctx context.Context, t *trace.Trace, o replay.Options) (*replay.Result, error) {
		cancel()
		return engine(ctx, t, o)
	}
	file := filepath.Join(t.TempDir(), "results.json")
	if got := b.execute(ctx, []string{"run", recording, recording, "--json", file, "--workers", "1"}); got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
	if len(b.options) != 1 {
		t.Errorf("%d runs, want 1", len(b.options))
	}
	if d := readDocument(t, file); len(d.Results) != 1 {
		t.Errorf("%d results written, want 1", len(d.Results))
	}
}

func TestRunMisuse(t *testing.T) {
	b := newBench()
	b.replay = func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error) {
		return nil, errors.New("no trace harbour-42")
	}
	if got := b.execute(t.Context(), []string{"run", recording, "--secret", "x=env:PW"}); got != exitUsage {
		t.Errorf("exit code %d, want %d", got, exitUsage)
	}
	if want := "retrace: no trace •••\n"; b.err.String() != want {
		t.Errorf("standard error %q, want %q", &b.err, want)
	}
}

func TestRunOptions(t *testing.T) {
	b := newBench(result(replay.Passed, ""))
	upload := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(upload, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	checks := filepath.Join(t.TempDir(), "checks.json")
	if err := os.WriteFile(checks, []byte(`{"assertions": [{"after": 4, "text": "TIDE10"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code := b.execute(t.Context(), []string{"run", recording, "--timeout", "3s", "--headed", "--slow", "1s", "--base-url", "http://localhost:1", "--secret", "Password=env:PW",
		"--file", "CV=" + upload, "--dialogs", "fail", "--chrome", "/c", "--no-sandbox", "--verify", "strict", "--match", "tolerant", "--retries", "2", "--cpu-throttle", "6", "--assert", checks})
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	got := b.options[0]
	if got.Pool == nil {
		t.Error("no browsers are lent")
	}
	got.OnEvent, got.Log, got.Pool = nil, nil, nil
	want := replay.Options{Timeout: 3 * time.Second, Headed: true, Slow: time.Second, BaseURL: "http://localhost:1", Secrets: replay.Secrets{"Password": "harbour-42"},
		Files: map[string]string{"CV": upload}, Dialogs: "fail", Chrome: "/c", NoSandbox: true, Verify: "strict",
		Match: "tolerant", Retries: 2, CPUThrottle: 6, Screenshots: "failed", DownloadLimit: 256 << 20, LargePage: replay.DefaultLargePage, Assert: &assert.Set{File: checks, Assertions: []assert.Assertion{{Line: 1, After: 4, Text: "TIDE10"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

// Whatever the engine lets through, no output has the value of a secret.
func TestRunMasksSecretsEverywhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	failed := result(replay.Failed, replay.ValueRejected)
	failed.Failure.Evidence = []string{"the field holds harbour-42"}
	b := newBench(failed)
	if code := b.execute(t.Context(), []string{"run", recording, "--secret", "Password=env:PW", "--report", dir, "--json", "-"}); code != exitFailed {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	texts := map[string]string{"standard output": b.out.String(), "standard error": b.err.String()}
	for _, name := range []string{report.IndexFile, report.ResultsFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	for name, text := range texts {
		if strings.Contains(text, "harbour-42") {
			t.Errorf("%s has the secret:\n%s", name, text)
		}
		if !strings.Contains(text, report.Masked) {
			t.Errorf("%s has nothing masked:\n%s", name, text)
		}
	}
}

func TestRunStreamsEvents(t *testing.T) {
	b := newBench(result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", recording, "--json", "-"}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var kinds []replay.EventKind
	for line := range strings.Lines(b.out.String()) {
		var e replay.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		kinds = append(kinds, e.Kind)
	}
	if diff := cmp.Diff([]replay.EventKind{replay.RunStarted, replay.StepFinished, replay.RunFinished}, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if !strings.Contains(b.err.String(), "passed: 1 of 1 step") {
		t.Errorf("standard error lacks the lines for people:\n%s", &b.err)
	}
}

func TestRunReportDirectories(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	b := newBench(result(replay.Passed, ""), result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", recording, recording, "--report", dir, "--workers", "1"}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	var dirs, shots []string
	for _, o := range b.options {
		dirs = append(dirs, o.ReportDir)
	}
	for _, r := range readDocument(t, filepath.Join(dir, report.ResultsFile)).Results {
		shots = append(shots, r.Steps[0].Screenshot)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "cart-voucher"), filepath.Join(dir, "cart-voucher-2")}, dirs); diff != "" {
		t.Errorf("directories of the runs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"cart-voucher/step-1.png", "cart-voucher-2/step-1.png"}, shots); diff != "" {
		t.Errorf("screenshots (-want +got):\n%s", diff)
	}
}

func readDocument(t *testing.T, file string) report.Document {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var d report.Document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAgainCommand(t *testing.T) {
	b := newBench(result(replay.Failed, replay.TargetMissing))
	b.execute(t.Context(), []string{"run", recording, "--secret", "My password=env:PW", "--no-sandbox", "--timeout", "3s", "--json", filepath.Join(t.TempDir(), "r.json")})
	want := "again: retrace run " + filepath.Join(recording, "trace.json") + " --headed --slow 500ms --secret 'My password=env:PW' --no-sandbox=true --timeout 3s\n"
	if !strings.Contains(b.out.String(), want) {
		t.Errorf("output lacks %q:\n%s", want, &b.out)
	}
}

func TestDemo(t *testing.T) {
	b := newBench(result(replay.Passed, ""))
	dir := filepath.Join(t.TempDir(), "report")
	if code := b.execute(t.Context(), []string{"demo", "--report", dir}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	if !strings.HasPrefix(b.options[0].BaseURL, "http://127.0.0.1:") {
		t.Errorf("base URL %q", b.options[0].BaseURL)
	}
	if want := "report: " + filepath.Join(dir, report.IndexFile); !strings.Contains(b.out.String(), want) {
		t.Errorf("output lacks %q:\n%s", want, &b.out)
	}
}
