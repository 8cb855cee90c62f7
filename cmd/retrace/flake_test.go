package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/flake"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// hunted makes runs that pass and fail by turns, or all alike.
func hunted(results ...*replay.Result) func(context.Context, *trace.Trace, flake.Settings) ([]*flake.Run, error) {
	return func(_ context.Context, t *trace.Trace, s flake.Settings) ([]*flake.Run, error) {
		var runs []*flake.Run
		for i := range s.Runs {
			if s.ReportDir != nil {
				if _, err := s.ReportDir(i, flake.Variant{Name: "plain", Kind: flake.Plain}); err != nil {
					return nil, err
				}
			}
			r := *results[i%len(results)]
			r.Trace, r.File = t.Name, t.File
			run := &flake.Run{Variant: flake.Variant{Name: "plain", Kind: flake.Plain, Seed: uint64(i)}, Result: &r}
			runs = append(runs, run)
			s.OnRun(run, i+1, s.Runs)
		}
		return runs, nil
	}
}

func TestFlake(t *testing.T) {
	passed, failed, none := result(replay.Passed, ""), result(replay.Failed, replay.TargetCovered), result(replay.Error, replay.BrowserMissing)
	starved := result(replay.Failed, replay.TargetMissing)
	for i := range starved.Steps {
		starved.Steps[i].Course.Starved = 9000
	}
	for _, tt := range []struct {
		name    string
		results []*replay.Result
		args    []string
		code    int
		want    []string
	}{
		{"stable", []*replay.Result{passed}, nil, exitPassed, []string{"stable: 4 plain runs"}},
		{"flaky", []*replay.Result{passed, failed}, nil, exitFailed, []string{"flaky: covered at step 1 type •••", "cause: covered", "cure: ", "2/4"}},
		{"failing", []*replay.Result{failed}, nil, exitFailed, []string{"failing: ", "fails in each of 4 plain runs"}},
		{"starved", []*replay.Result{passed, starved}, nil, exitBrowser, []string{"starved: environment at step 1", "had no processor for the page", "2/4"}},
		{"no browser", []*replay.Result{none}, nil, exitBrowser, []string{"error: "}},
		{"unknown stress", nil, []string{"--stress", "gpu"}, exitUsage, []string{`--stress: "gpu" is none of cpu, net`}},
		{"nothing to do", nil, []string{"--runs", "0", "--stress", "none"}, exitUsage, []string{"nothing to do"}},
		{"negative", nil, []string{"--runs", "-1"}, exitUsage, []string{"--runs: must not be negative"}},
		{"negative workers", nil, []string{"--workers", "-1"}, exitUsage, []string{"--workers: must not be negative"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench()
			b.hunt = hunted(tt.results...)
			dir := filepath.Join(t.TempDir(), "report")
			file := filepath.Join(t.TempDir(), "flake.json")
			args := append([]string{"flake", recording, "--runs", "4", "--stress", "none", "--secret", "P=env:PW", "--report", dir, "--json", file}, tt.args...)
			if code := b.execute(t.Context(), args); code != tt.code {
				t.Fatalf("exit code %d, want %d\n%s%s", code, tt.code, &b.out, &b.err)
			}
			text := b.out.String() + b.err.String()
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("output lacks %q:\n%s", want, text)
				}
			}
			if tt.code == exitUsage {
				return
			}
			var r flake.Report
			data, err := os.ReadFile(file)
			if err != nil || json.Unmarshal(data, &r) != nil || len(r.Runs) != 4 || r.Version == "" {
				t.Errorf("%v in %s", err, data)
			}
			for _, name := range []string{report.FlakeFile, report.FlakeJSONFile, report.IndexFile, report.ResultsFile} {
				page, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				text += string(page)
			}
			if strings.Contains(text+string(data), "harbour-42") {
				t.Error("an output has the secret")
			}
			// What was written is overwritten by the next hunt, and by no other command's file.
			if code := b.execute(t.Context(), args); code != tt.code {
				t.Errorf("again: exit code %d\n%s", code, &b.err)
			}
		})
	}
	b := newBench()
	b.hunt = hunted(passed)
	foreign := filepath.Join(t.TempDir(), "package.json")
	if err := os.WriteFile(foreign, []byte(`{"name": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := b.execute(t.Context(), []string{"flake", recording, "--json", foreign}); code != exitUsage {
		t.Errorf("a file of others: exit code %d", code)
	}
}
