package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/report"
)

// trialLimit is how long a replay with trialTimeout may take before it counts as hung. It measures nothing: it is several
// times what the deadlines of a step allow.
const (
	trialTimeout   = 3 * time.Second
	patientTimeout = 20 * time.Second // on pages that are heavy, and no worse
	trialLimit     = 2 * time.Minute
)

// trial is a replay of a made-up recording as it was seen from outside.
type trial struct {
	code   int
	result replay.Result
	// output is what the program wrote to the terminal, files what it wrote into its report, by name.
	output string
	files  map[string][]byte
}

// reason is the code of the run's failure; "" when it has none.
func (tr trial) reason() replay.Code {
	if tr.result.Failure == nil {
		return ""
	}
	return tr.result.Failure.Code
}

func (tr trial) text() string {
	data, err := json.MarshalIndent(tr.result, "", " ")
	if err != nil {
		return err.Error()
	}
	return tr.output + string(data[:min(len(data), 4000)])
}

// running is a replay under way.
type running struct {
	cmd *exec.Cmd
	// temp is its temporary directory, which its browser's processes name.
	temp string
}

// try replays a recording in temporary directories of its own, and checks what must hold however it ends: it ends by itself,
// its results can be read, and neither a process nor a temporary file is left. on, if it is not nil, is told of its events.
func try(t *testing.T, rec hostile.Recording, on func(r running, e replay.Event), flags ...string) trial {
	t.Helper()
	temp, err := os.MkdirTemp("", "r") // a short path: Chrome puts sockets there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	work := t.TempDir()
	file, reports := filepath.Join(work, "trace.json"), filepath.Join(work, "report")
	if err := rec.Write(file); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), trialLimit)
	defer cancel()
	args := append([]string{"run", file, "--timeout", trialTimeout.String(), "--report", reports, "--json", "-"}, flags...)
	cmd := exec.CommandContext(ctx, binary(t), args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var output bytes.Buffer
	cmd.Stderr = &output
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tr := trial{files: map[string][]byte{}}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e replay.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Errorf("event line: %v", err)
		}
		conforms(t, "events", lines.Bytes())
		if e.Kind == replay.RunFinished {
			tr.files["events"] = bytes.Clone(lines.Bytes())
		}
		if on != nil {
			on(running{cmd, temp}, e)
		}
	}
	_ = cmd.Wait() // the exit code says all
	tr.code, tr.output = cmd.ProcessState.ExitCode(), output.String()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatalf("still running after %s\n%s", trialLimit, &output)
	}
	t.Logf("exit code %d after %.1f s", tr.code, time.Since(began).Seconds())
	for _, name := range []string{report.ResultsFile, report.IndexFile} {
		if tr.files[name], err = os.ReadFile(filepath.Join(reports, name)); err != nil {
			t.Fatalf("%v\n%s", err, tr.output)
		}
	}
	conforms(t, "results", tr.files[report.ResultsFile])
	var document report.Document
	if err := json.Unmarshal(tr.files[report.ResultsFile], &document); err != nil || len(document.Results) != 1 {
		t.Fatalf("%d results, %v\n%s", len(document.Results), err, tr.output)
	}
	tr.result = *document.Results[0]
	if left := processes(t, temp); len(left) > 0 {
		t.Errorf("processes left:\n%s", strings.Join(left, "\n"))
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("temporary files left: %v (%v)", entries, err)
	}
	return tr
}

// ends are the reasons that a run may end with, "" for a success.
type ends []replay.Code

// check compares a trial with what it may end as, and with the clicks that really came: a success has exactly one, and
// nothing ever has more.
func (e ends) check(t *testing.T, tr trial, clicks int) {
	t.Helper()
	passed := tr.code == 0
	if passed != (tr.reason() == "") || !slices.Contains(e, tr.reason()) {
		t.Errorf("exit code %d with reason %q, want one of %q\n%s", tr.code, tr.reason(), []replay.Code(e), tr.text())
	}
	if passed && clicks != 1 || clicks > 1 {
		t.Errorf("%d clicks came, exit code %d\n%s", clicks, tr.code, tr.text())
	}
}

// TestHostilePages replays one click on pages that do all they can against it.
func TestHostilePages(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	tests := []struct {
		page, query string
		want        ends
		flags       []string
	}{
		{page: "plain", want: ends{""}},
		{page: "console-6000", want: ends{""}},
		{page: "console-60000", want: ends{""}},
		{page: "hanging-image", want: ends{""}},
		{page: "hanging-script", want: ends{replay.NavigationFailed}},
		{page: "hang", want: ends{replay.NavigationFailed}},
		{page: "loop", want: ends{replay.NavigationFailed}},
		{page: "error", want: ends{replay.PageMismatch}},
		{page: "nothing", want: ends{replay.NavigationFailed}},
		{page: "file", want: ends{replay.NavigationFailed}},
		{page: "missing", want: ends{replay.PageMismatch}},
		{page: "reload", want: ends{"", replay.TargetMissing, replay.Timeout, replay.EffectNotSeen}},
		{page: "alert-load", want: ends{""}},
		{page: "alert-load", want: ends{replay.DialogUnexpected}, flags: []string{"--dialogs", "fail"}},
		{page: "alert-interval", want: ends{"", replay.EffectNotSeen, replay.Timeout}},
		{page: "alert-loop", want: ends{replay.Timeout, replay.EffectNotSeen}},
		{page: "questions", want: ends{""}},
		{page: "questions", want: ends{replay.EffectNotSeen}, flags: []string{"--dialogs", "dismiss"}},
		{page: "beforeunload", want: ends{replay.EffectNotSeen}}, // the page is left, and with it what the click did
		{page: "beforeunload", want: ends{""}, flags: []string{"--dialogs", "dismiss"}},
		{page: "popups", want: ends{"", replay.Timeout}},
		{page: "close", want: ends{""}}, // Chrome lets a page close only what a page opened
		{page: "no-content", want: ends{""}},
		{page: "download", want: ends{""}},
		{page: "to-loop", want: ends{replay.EffectNotSeen, replay.NavigationFailed}},
		{page: "blocked-load", want: ends{"", replay.Timeout}},
		{page: "blocked-click", want: ends{"", replay.Timeout, replay.EffectNotSeen}},
		{page: "blocked-forever", want: ends{replay.NavigationFailed}},
		{page: "blocked-after", want: ends{replay.Timeout, replay.EffectNotSeen}},
		{page: "frames", want: ends{"", replay.Timeout, replay.NavigationFailed}}, // 3000 of them
		{page: "frames", query: "?50", want: ends{""}},
		{page: "nodes", want: ends{"", replay.Timeout, replay.NavigationFailed}},
		{page: "replaced", query: "?50", want: ends{"", replay.EffectNotSeen, replay.Timeout}},
		{page: "replaced", query: "?400", want: ends{""}},
		{page: "focus", want: ends{""}},
		{page: "history", want: ends{""}},
		{page: "huge-names", want: ends{""}},
		{page: "worker", want: ends{""}},
		{page: "polluted", want: ends{""}},
		{page: "asks", want: ends{""}},
	}
	for i, tt := range tests {
		t.Run(strings.Join(append([]string{tt.page + tt.query}, tt.flags...), " "), func(t *testing.T) {
			oneIn(t, 3, i)
			t.Parallel()
			site := hostile.Serve()
			defer site.Close()
			path := "/" + tt.page
			flags := tt.flags
			if slices.Equal(tt.want, ends{""}) {
				flags = append([]string{"--timeout", patientTimeout.String()}, flags...) // which a success does not use up
			}
			tr := try(t, hostile.Click(site.URL+path+tt.query), nil, flags...)
			tt.want.check(t, tr, site.Clicks(path))
			if n := site.Clicks("/granted"); n > 0 {
				t.Errorf("%d permissions were granted that nobody gave", n)
			}
		})
	}
}
