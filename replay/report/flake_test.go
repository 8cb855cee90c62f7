package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/replay"
	"retrace/replay/flake"
	"retrace/resolve"
)

// hunt are six plain runs of a step that is covered at times, and one under stress; names are hostile.
func hunt() *flake.Report {
	var runs []*flake.Run
	for i := range 7 {
		v := flake.Variant{Name: "plain", Kind: flake.Plain, Seed: uint64(i + 1)}
		if i == 6 {
			v = flake.Variant{Name: "cpu-4x", Kind: flake.CPU, Seed: 1}
		}
		s := replay.StepResult{
			Index: 1, Steps: []int{1}, Title: `click button "Save </script> ` + "\x1b[2J\u202e\"", Verdict: replay.Passed, URL: "http://localhost/",
			Decision: &resolve.Decision{Outcome: resolve.One, Total: 2, Candidates: []resolve.Candidate{{Role: "button", Name: "Save", Score: 1, Chosen: true}, {Role: "button", Name: "Save", Score: 0.2 * float64(i%3)}}},
			Course:   replay.Course{Found: 20 + float64(i)*10, Ready: 60 + float64(i)*100, Acted: 80 + float64(i)*100, Shown: 120 + float64(i)*100},
		}
		r := &replay.Result{Trace: "cart <b>", File: "cart/trace.json", Verdict: replay.Passed, Started: began, DurationMS: 1500, Environment: replay.Environment{Chrome: "Chrome/156", Width: 1280, Height: 720}}
		if i%3 == 2 {
			s.Verdict, s.Failure = replay.Failed, &replay.Failure{Code: replay.TargetCovered, Text: "covered by div \"Loading\x1b[31m\""}
			s.Course = replay.Course{}
			r.Verdict, r.Failure = replay.Failed, s.Failure
		}
		r.Steps = []replay.StepResult{{Steps: []int{}, Title: "open http://localhost/", Verdict: replay.Passed}, s}
		runs = append(runs, &flake.Run{Variant: v, Result: r})
	}
	r := flake.Analyse(runs, 2*time.Second, 1)
	r.Version = "dev"
	return r
}

func TestFlakeText(t *testing.T) {
	var b bytes.Buffer
	h := NewHunt(&b, Style{})
	r := hunt()
	for i, run := range r.Runs {
		h.Run(run.Variant, &replay.Result{Trace: r.Trace, Verdict: run.Verdict, DurationMS: run.DurationMS, Steps: make([]replay.StepResult, 2)}, i+1, len(r.Runs))
	}
	h.Found(r)
	golden(t, "flake.txt", b.String())
}

func TestFlakePage(t *testing.T) {
	dir := t.TempDir()
	if err := PrepareFlake(dir); err != nil {
		t.Fatal(err)
	}
	if err := WriteFlake(dir, hunt()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, FlakeFile))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, want := range []string{"<svg", "<circle", `class="deadline"`, "covered", "the first step that differs", "cpu-4x", "cart &lt;b&gt;: flaky", "Content-Security-Policy"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, absent := range []string{"<script", "</script", "\x1b", "\u202e", "<b>:", " style=", "http-equiv=\"refresh\""} {
		if strings.Contains(page, absent) {
			t.Errorf("the page has %q", absent)
		}
	}
	if err := PrepareFlake(dir); err != nil {
		t.Errorf("own files are not overwritten: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, FlakeFile), []byte("<h1>mine</h1>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if PrepareFlake(dir) == nil {
		t.Error("a page of others would be overwritten")
	}
}
