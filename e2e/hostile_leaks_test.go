package e2e

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/trace"
)

// TestNothingIsLeft replays again and again in this process, with runs that pass, that fail, and that are interrupted at any
// moment, and compares what is left with what was there before.
func TestNothingIsLeft(t *testing.T) {
	needBrowser(t)
	temp, err := os.MkdirTemp("", "l") // a short path: Chrome puts sockets there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	work := t.TempDir()
	t.Setenv("TMPDIR", temp)
	site := hostile.Serve()
	defer site.Close()
	passes := load(t, hostile.Form(site.URL+"/form"), filepath.Join(work, "passes.json"))
	fails := load(t, hostile.ClickOn(site.URL+"/plain", "Stop"), filepath.Join(work, "fails.json"))
	dice := rand.New(rand.NewPCG(3, 4))

	once := func(tr *trace.Trace, limit time.Duration, want replay.Code) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if limit > 0 {
			defer time.AfterFunc(limit, cancel).Stop()
		}
		res, err := replay.Run(ctx, tr, replay.Options{Timeout: trialTimeout, ReportDir: filepath.Join(work, "report")})
		if err != nil {
			t.Fatal(err)
		}
		var got replay.Code
		if res.Failure != nil {
			got = res.Failure.Code
		}
		if got != want && (limit == 0 || got != "" && got != missing) {
			t.Errorf("the run ended with %q, want %q", got, want)
		}
	}
	once(passes, 0, "") // what the first run starts for good is not a leak
	goroutines, files := goleak.IgnoreCurrent(), openFiles(t)
	once(passes, 0, "")
	once(fails, 0, missing)
	for range 10 {
		once([]*trace.Trace{passes, fails}[dice.IntN(2)], time.Duration(1+dice.IntN(2000))*time.Millisecond, replay.Interrupted)
	}
	if err := goleak.Find(goroutines); err != nil {
		t.Error(err)
	}
	if left := processes(t, temp); len(left) > 0 {
		t.Errorf("processes left:\n%s", strings.Join(left, "\n"))
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("temporary files left: %v (%v)", entries, err)
	}
	if now := openFiles(t); len(now) > len(files) {
		t.Errorf("%d open files, %d before:\n%s", len(now), len(files), strings.Join(now, "\n"))
	}
}

// missing is how the run ends whose button is not there.
const missing = replay.TargetMissing

func load(t *testing.T, rec hostile.Recording, file string) *trace.Trace {
	t.Helper()
	if err := rec.Write(file); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// openFiles are the files that this process has open, where the system tells; connections of the site's server are not of
// the replay.
func openFiles(t *testing.T) []string {
	t.Helper()
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Logf("open files are not counted: %v", err)
		return nil
	}
	var out []string
	for _, e := range entries {
		name, err := os.Readlink(filepath.Join(dir, e.Name()))
		if err == nil && !strings.HasPrefix(name, "socket:") {
			out = append(out, name)
		}
	}
	return out
}
