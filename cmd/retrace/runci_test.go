package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/report"
)

// inActions makes the bench run as a step of GitHub Actions, with its job summary in the file that it gives.
func (b *bench) inActions(t *testing.T) string {
	summary := filepath.Join(t.TempDir(), "summary.md")
	env := map[string]string{"PW": "harbour-42", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary}
	b.lookupEnv = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	return summary
}

// leaky is a flaky run whose first attempt failed, with a secret wherever a text can be.
func leaky() (flaky, failed *replay.Result) {
	failed = result(replay.Failed, replay.ValueRejected)
	failed.Failure.Text = "the field holds harbour-42"
	failed.Failure.Evidence = []string{"value harbour-42", "http://localhost/?pw=harbour-42"}
	failed.Failure.Hint = "do not type harbour-42"
	failed.Steps[0].Notes = []string{"typed harbour-42"}
	failed.Steps[0].Console = []string{"harbour-42"}
	failed.Purpose, failed.Attempt = "log in with harbour-42", 1
	flaky = result(replay.Flaky, "")
	flaky.Steps[0].Verdict = replay.Passed
	flaky.Warnings, flaky.Attempt, flaky.Earlier = []string{"harbour-42"}, 2, []*replay.Result{failed}
	return flaky, failed
}

// Whatever the engine lets through, no output for other programs has the value of a secret, also when it comes through a merge.
func TestOutputsMaskSecrets(t *testing.T) {
	for _, unit := range []string{"step", "trace"} {
		t.Run(unit, func(t *testing.T) {
			flaky, failed := leaky()
			b := newBench(flaky, failed)
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name) }
			summary := b.inActions(t)
			args := []string{"run", "--workers", "1", recording, recording, "--secret", "Password=env:PW", "--report", file("shard"), "--junit", file("new/junit.xml"), "--junit-cases", unit, "--ctrf", file("ctrf.json")}
			if code := b.execute(t.Context(), args); code != exitFailed {
				t.Fatalf("exit code %d\n%s", code, &b.err)
			}
			args = []string{"report", file("shard"), "-o", file("merged"), "--junit", file("merged.xml"), "--junit-cases", unit, "--ctrf", file("merged.json")}
			if code := b.execute(t.Context(), args); code != exitFailed {
				t.Fatalf("exit code of the merge %d\n%s", code, &b.err)
			}
			texts := map[string]string{"standard output": b.out.String()}
			for _, name := range []string{file("new/junit.xml"), file("ctrf.json"), summary, file("merged.xml"), file("merged.json"), file("merged/results.json"), file("merged/index.html")} {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				texts[name] = string(data)
			}
			for name, text := range texts {
				if strings.Contains(text, "harbour") {
					t.Errorf("%s has the secret:\n%s", name, text)
				}
				if !strings.Contains(text, report.Masked) {
					t.Errorf("%s has nothing masked:\n%s", name, text)
				}
			}
			if s := b.err.String(); strings.Contains(s, "harbour") {
				t.Errorf("standard error has the secret:\n%s", s)
			}
		})
	}
}

// While texts of a page are written, the runner takes no commands; the annotations stand outside.
func TestRunInActions(t *testing.T) {
	_, failed := leaky()
	failed.Steps[0].Title = "##[add-mask]x"
	b := newBench(failed)
	summary := b.inActions(t)
	if code := b.execute(t.Context(), []string{"run", recording}); code != exitFailed {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	token, held, annotations := "", false, 0
	for line := range strings.Lines(b.out.String()) {
		line = strings.TrimSuffix(line, "\n")
		switch word, isStop := strings.CutPrefix(line, "::stop-commands::"); {
		case isStop:
			token, held = word, true
		case held && line == "::"+token+"::":
			held = false
		case strings.HasPrefix(line, "::error "):
			annotations++
			if held {
				t.Errorf("the runner would not see %q", line)
			}
		case !held:
			t.Errorf("the runner would look for commands in %q", line)
		}
	}
	if held || annotations != 1 || token == "" {
		t.Errorf("commands held at the end: %v, annotations: %d\n%s", held, annotations, &b.out)
	}
	if data, err := os.ReadFile(summary); err != nil || !strings.HasPrefix(string(data), "### retrace: 1 failed\n") {
		t.Errorf("summary %q, %v", data, err)
	}
}

func TestGitHubIsSwitchable(t *testing.T) {
	for _, tt := range []struct {
		name    string
		actions bool
		args    []string
		want    bool
	}{
		{"elsewhere", false, nil, false}, {"elsewhere, asked for", false, []string{"--github"}, true},
		{"in actions", true, nil, true}, {"in actions, not wanted", true, []string{"--github=false"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(result(replay.Failed, replay.TargetMissing))
			if tt.actions {
				b.inActions(t)
			}
			b.execute(t.Context(), append([]string{"run", recording, "--json", "-"}, tt.args...))
			if got := strings.Contains(b.err.String(), "::error "); got != tt.want {
				t.Errorf("annotations: %v, want %v\n%s", got, tt.want, &b.err)
			}
			if strings.Contains(b.out.String(), "::error ") {
				t.Errorf("annotations among the events:\n%s", &b.out)
			}
		})
	}
}

func TestRunRefusesForeignOutputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--junit", "--ctrf"} {
		b := newBench()
		if code := b.execute(t.Context(), []string{"run", recording, flag, file}); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d", flag, code, exitUsage)
		}
		if len(b.options) != 0 || !strings.Contains(b.err.String(), flag) {
			t.Errorf("%s: %d runs, standard error %q", flag, len(b.options), &b.err)
		}
	}
}
