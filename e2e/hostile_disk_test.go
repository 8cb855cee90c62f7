package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/report"
)

// The report directory is removed or replaced in the middle of a run. The run itself ends as it would have, the command fails
// and says why, and nothing is written to where a link leads.
func TestReportDirectoryTakenAway(t *testing.T) {
	needBrowser(t)
	tests := []struct {
		name string
		harm func(dir, elsewhere string) error
	}{
		{"removed", func(dir, _ string) error { return os.RemoveAll(dir) }},
		{"replaced by a link", func(dir, elsewhere string) error { return errors.Join(os.RemoveAll(dir), os.Symlink(elsewhere, dir)) }},
		{"run directory replaced by a link", func(dir, elsewhere string) error {
			run := filepath.Join(dir, filepath.Base(filepath.Dir(dir))) // it has the name of the recording's directory
			return errors.Join(os.RemoveAll(run), os.Symlink(elsewhere, run))
		}},
		{"replaced by a file", func(dir, _ string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("mine"), 0o600))
		}},
		{"read-only", func(dir, _ string) error { return os.Chmod(dir, 0o500) }},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			oneIn(t, 2, i)
			t.Parallel()
			if tt.name == "read-only" && os.Geteuid() == 0 {
				t.Skip("root writes everywhere")
			}
			site := hostile.Serve()
			defer site.Close()
			work, elsewhere := t.TempDir(), t.TempDir()
			dir, file := filepath.Join(work, "report"), filepath.Join(work, "trace.json")
			if err := hostile.ClickOn(site.URL+"/silent", "Go").Write(file); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), binary(t), "run", file, "--report", dir, "--json", "-", "--screenshots", "all", "--timeout", "2s", "--retries", "1")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			lines.Buffer(nil, 16<<20)
			var last replay.Event
			for harmed := false; lines.Scan(); {
				if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
					t.Fatal(err)
				}
				if last.Kind == replay.StepStarted && last.Step.Index == 1 && !harmed {
					harmed = true
					if err := tt.harm(dir, elsewhere); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = cmd.Wait() // the exit code says all
			if code := cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d\n%s", code, &stderr)
			}
			if last.Kind != replay.RunFinished || last.Result.Failure == nil || last.Result.Failure.Code != replay.ReportUnusable || last.Result.Earlier[0].Failure.Code != replay.EffectNotSeen {
				t.Errorf("the run ended as %+v", last.Result)
			}
			if !strings.Contains(tt.name, "run directory") && !strings.Contains(stderr.String(), "removed or replaced") {
				t.Errorf("it does not say why:\n%s", &stderr)
			}
			if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
				t.Errorf("written to where the link leads: %v (%v)", entries, err)
			}
			if tt.name == "replaced by a file" {
				if data, err := os.ReadFile(dir); err != nil || string(data) != "mine" {
					t.Errorf("the file now holds %q (%v)", data, err)
				}
			}
		})
	}
}

// fullDisk runs a command with a file system of a few kilobytes at a directory, of which it leaves a copy in another. It makes
// its own view of the file systems, which not every system allows.
const fullDisk = `mount -t tmpfs -o size=$1 none "$2" || exit 99; d=$2; to=$3; shift 3; "$@"; code=$?; cp -r "$d" "$to"; exit $code`

// A full disk ends no run early and hangs nothing; Chrome mostly does without the files that it cannot write. Without room for the first results the command does not begin; when the
// room runs out later, it fails, says why, and the results that were written are whole.
func TestDiskFull(t *testing.T) {
	needBrowser(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs file systems of its own")
	}
	if err := exec.CommandContext(t.Context(), "unshare", "-rm", "true").Run(); err != nil {
		t.Skipf("file systems of its own are not allowed here: %v", err)
	}
	site := hostile.Serve()
	t.Cleanup(site.Close)
	tests := []struct {
		name, size string
		temp       bool // the temporary directory is on that disk too
		codes      []int
		says       string
		results    bool
	}{
		{name: "from the start", size: "4k", codes: []int{2}, says: "no space left"},
		{name: "later", size: "36k", codes: []int{1}, says: "no space left", results: true},
		{name: "profile of the browser", size: "24k", temp: true, codes: []int{0, 3}, says: "error"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			oneIn(t, 3, i+2)
			t.Parallel()
			work, err := os.MkdirTemp("", "d") // a short path: Chrome puts sockets there
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(work) })
			disk, kept, file := filepath.Join(work, "disk"), filepath.Join(work, "kept"), filepath.Join(work, "trace.json")
			if err := errors.Join(os.Mkdir(disk, 0o700), hostile.Click(site.URL+"/plain").Write(file)); err != nil {
				t.Fatal(err)
			}
			args := []string{"-rm", "sh", "-c", fullDisk, "sh", tt.size, disk, kept, binary(t), "run", file, "--report", filepath.Join(disk, "report"), "--screenshots", "all", "--timeout", "5s"}
			if tt.name == "from the start" {
				args[4] = "sh"
				args[3] = strings.Replace(fullDisk, `"$@"`, `head -c 4096 /dev/zero >"$d/full"; "$@"`, 1)
			}
			cmd := exec.CommandContext(t.Context(), "unshare", args...)
			if tt.temp {
				cmd.Env = append(os.Environ(), "TMPDIR="+disk)
			}
			output, _ := cmd.CombinedOutput() // the exit code says all
			if code := cmd.ProcessState.ExitCode(); !slices.Contains(tt.codes, code) || code != 0 && !strings.Contains(string(output), tt.says) {
				t.Errorf("exit code %d, want one of %d and %q\n%s", code, tt.codes, tt.says, output)
			}
			data, err := os.ReadFile(filepath.Join(kept, "report", report.ResultsFile))
			if tt.results && err != nil {
				t.Error(err)
			}
			var d report.Document
			if err == nil {
				if err := json.Unmarshal(data, &d); err != nil {
					t.Errorf("results: %v", err)
				}
			}
			t.Logf("%d results, unfinished %v\n%s", len(d.Results), d.Unfinished, output)
			if left, err := filepath.Glob(filepath.Join(kept, "report", ".*")); err != nil || len(left) > 0 {
				t.Errorf("half-written files are left: %q (%v)", left, err)
			}
			if left := processes(t, disk); len(left) > 0 {
				t.Errorf("processes left:\n%s", strings.Join(left, "\n"))
			}
		})
	}
}
