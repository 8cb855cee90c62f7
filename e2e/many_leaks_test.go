package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

// TestManyReplaysLeaveNothing replays again and again in this process, two at a time and in browsers that are replaced
// meanwhile, and compares what is left with what was there before. It replays a thousand times when it is to be thorough.
func TestManyReplaysLeaveNothing(t *testing.T) {
	needBrowser(t)
	runs, uses := 12, 8
	if os.Getenv(thoroughEnv) != "" {
		runs, uses = 1000, 100
	}
	work := t.TempDir()
	temp, err := os.MkdirTemp("", "l") // a short path: Chrome puts sockets there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	t.Setenv("TMPDIR", temp)
	site := hostile.Serve()
	defer site.Close()
	traces := []*trace.Trace{
		load(t, hostile.Form(site.URL+"/form"), filepath.Join(work, "form.json")),
		load(t, hostile.Click(site.URL+"/plain"), filepath.Join(work, "click.json")),
	}
	repeat := func(n, most int) (chromes int) {
		pool := browser.NewPool(browser.PoolOptions{MaxUses: uses})
		batch.Run(t.Context(), n, 2, func(i int) bool {
			res, err := replay.Run(t.Context(), traces[i%2], replay.Options{Timeout: patientTimeout, Pool: pool})
			if err != nil || res.Failure != nil {
				t.Errorf("run %d: %v, %v", i, err, res.Failure)
			}
			return err == nil
		})
		chromes = processesOfChrome(t, temp, most)
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		return chromes
	}
	const idle = 1           // a renderer that Chrome keeps ready
	first := repeat(2, 1000) // what the first runs start for good is not a leak
	goroutines, files, heap := goleak.IgnoreCurrent(), openFiles(t), liveHeap()
	last := repeat(runs, first+idle)
	if last > first+idle {
		t.Errorf("%d processes of Chrome after %d replays, %d after 2", last, runs, first)
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
	const slack = 2 << 20 // pools of the libraries
	now := liveHeap()
	t.Logf("%d replays: %d kB of live heap, %d kB before%s; %d processes of Chrome, %d at first", runs, now>>10, heap>>10, peak(), last, first)
	if now > heap+slack {
		t.Errorf("%d kB of live heap after %d replays, %d kB before", now>>10, runs, heap>>10)
	}
}

// processesOfChrome counts the processes of all browsers whose command line has a mark. Renderers end a little after their pages:
// it waits until there are at most so many, for ten seconds.
func processesOfChrome(t *testing.T, mark string, most int) int {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for giveUp := time.After(10 * time.Second); ; {
		out, err := exec.CommandContext(t.Context(), "ps", "-A", "-ww", "-o", "pgid=,args=").Output()
		if err != nil {
			t.Fatal(err)
		}
		groups, n := map[string]bool{}, 0
		for _, count := range []bool{false, true} { // a browser and its processes are one group
			for line := range strings.Lines(string(out)) {
				group, args, _ := strings.Cut(strings.TrimSpace(line), " ")
				if groups[group] = groups[group] || strings.Contains(args, mark); count && groups[group] {
					n++
				}
			}
		}
		if n <= most {
			return n
		}
		select {
		case <-tick.C:
		case <-giveUp:
			return n
		}
	}
}

// liveHeap is the memory in bytes that is in use after a collection.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// peak is the most memory that this process ever had, for people, where the system tells.
func peak() string {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return fmt.Sprintf(", at most %s resident", strings.TrimSpace(kb))
		}
	}
	return ""
}
