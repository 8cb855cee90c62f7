package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/site"
	"retrace/replay"
	"retrace/replay/report"
)

// A signal in the middle of a run ends it with exit code 130, with its results written, without any process of the
// browser left and without a temporary file. After SIGKILL, of which it learns nothing, the same is left: nothing.
func TestSignals(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin := binary(t)
	server := harness.Serve(site.FS)
	t.Cleanup(server.Close)
	tests := []struct {
		name    string
		signals []os.Signal
		orderly bool
		profile bool // the run uses a copy of a profile
	}{
		{"interrupt", []os.Signal{syscall.SIGINT}, true, false},
		{"terminate", []os.Signal{syscall.SIGTERM}, true, false},
		{"interrupt twice", []os.Signal{syscall.SIGINT, syscall.SIGINT}, true, false},
		{"kill", []os.Signal{syscall.SIGKILL}, false, false},
		{"kill with a profile", []os.Signal{syscall.SIGKILL}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			temp, err := os.MkdirTemp("", "r") // a short path: Chrome puts sockets there
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(temp) })
			dir := filepath.Join(t.TempDir(), "report")
			cmd := exec.CommandContext(t.Context(), bin, "run", filepath.Join("traces", "cart-voucher"),
				"--base-url", server.URL, "--slow", "1m", "--timeout", "1m", "--json", "-", "--report", dir)
			if tt.profile {
				cmd.Args = append(cmd.Args, "--profile", bareProfile(t))
			}
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			events := bufio.NewScanner(stdout)
			events.Buffer(nil, 16<<20)
			awaitEvent(t, events, replay.StepFinished)
			if len(processes(t, temp)) == 0 {
				t.Error("no process names the temporary directory while the browser runs: the test cannot see one that stays")
			}
			for _, s := range tt.signals {
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			var last replay.Event
			for events.Scan() {
				if err := json.Unmarshal(events.Bytes(), &last); err != nil && tt.orderly {
					t.Errorf("event line: %v", err)
				}
			}
			err = cmd.Wait()
			if !tt.orderly {
				awaitNoProcesses(t, temp)
				if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
					t.Errorf("temporary files left: %v (%v)", entries, err)
				}
				return
			}
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d (%v), want 130\n%s", code, err, &stderr)
			}
			if left := processes(t, temp); len(left) > 0 {
				t.Errorf("processes left:\n%s", strings.Join(left, "\n"))
			}
			if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
				t.Errorf("temporary files left: %v (%v)", entries, err)
			}
			if last.Kind != replay.RunFinished || last.Result.Failure == nil || last.Result.Failure.Code != replay.Interrupted {
				t.Errorf("last event %+v, want the end of an interrupted run", last)
			}
			var document report.Document
			data, err := os.ReadFile(filepath.Join(dir, report.ResultsFile))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &document); err != nil || len(document.Results) != 1 {
				t.Errorf("results of the interrupted run: %d, %v", len(document.Results), err)
			}
		})
	}
}

// awaitEvent reads event lines until one of a kind.
func awaitEvent(t *testing.T, lines *bufio.Scanner, kind replay.EventKind) {
	t.Helper()
	for lines.Scan() {
		var e replay.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind == kind {
			return
		}
	}
	t.Fatalf("no event %s (%v)", kind, lines.Err())
}

// processes are the command lines of all processes that name mark, which Chrome's do with their profile.
func processes(t *testing.T, mark string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ps", "-A", "-ww", "-o", "pid=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, mark) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// awaitNoProcesses waits for the end of processes that nobody waits for.
func awaitNoProcesses(t *testing.T, mark string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for giveUp := time.After(30 * time.Second); ; {
		left := processes(t, mark)
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-giveUp:
			t.Fatalf("processes left:\n%s", strings.Join(left, "\n"))
		}
	}
}
