package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"retrace/replay"
)

// jumping is added to Go's own clock, in the package time, for the test: from 700 ms after the start of the program on, the time of
// day is a day and an hour later, or earlier. The clock that only measures goes on as ever.
const jumping = `
	if mono > 700e6 {
		sec += testJump
	}
`

const jumpOf = `
var testJump = func() int64 {
	switch v, _ := syscall.Getenv("RETRACE_TEST_JUMP"); v {
	case "forward":
		return 90000
	case "back":
		return -90000
	}
	return 0
}()
`

// TestClockJumps: a clock that is set in the middle of a run, forward or back, changes neither its result nor its times.
func TestClockJumps(t *testing.T) {
	if os.Getenv(thoroughEnv) == "" {
		t.Skip("it builds the program with a changed standard library; " + thoroughEnv + "=1 tries it")
	}
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := string(source)
	for _, c := range [][2]string{{"import (", "import (\n\t\"syscall\""}, {"\tmono -= startNano\n\tsec += unixToInternal", "\tmono -= startNano\n" + jumping + "\tsec += unixToInternal"}} {
		if !strings.Contains(changed, c[0]) {
			t.Skipf("the package time of %s has another form", runtime.Version())
		}
		changed = strings.Replace(changed, c[0], c[1], 1)
	}
	other, overlay, bin := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "retrace")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{other: []byte(changed + jumpOf), overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", bin, "retrace/cmd/retrace").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, jump := range []string{"forward", "back"} {
		t.Run(jump, func(t *testing.T) {
			work := t.TempDir()
			cmd := exec.CommandContext(t.Context(), bin, "demo")
			cmd.Dir, cmd.Env = work, append(os.Environ(), "RETRACE_TEST_JUMP="+jump)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			data, err := os.ReadFile(filepath.Join(work, "report", "results.json"))
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Runs []replay.Result `json:"results"`
			}
			if err := json.Unmarshal(data, &doc); err != nil || len(doc.Runs) != 1 {
				t.Fatalf("%d runs, %v", len(doc.Runs), err)
			}
			run := doc.Runs[0]
			const most = 2 * time.Minute
			if d := time.Duration(run.DurationMS) * time.Millisecond; d <= 0 || d > most {
				t.Errorf("the run took %s", d)
			}
			last := run.Started
			for _, s := range run.Steps {
				if s.Started.Before(last) || s.Started.Sub(run.Started) > most || s.DurationMS < 0 || s.DurationMS > float64(most.Milliseconds()) {
					t.Errorf("step %d began at %s and took %.0f ms; the run began at %s", s.Index, s.Started, s.DurationMS, run.Started)
				}
				last = s.Started
			}
		})
	}
}
