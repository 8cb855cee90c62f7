package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// victimEnv makes the test binary a program that starts Chrome and waits to be killed.
const victimEnv = "RETRACE_TEST_VICTIM"

func victim() {
	b, err := Launch(context.Background(), Options{})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("started", b.PID(), b.temp.root)
	<-b.Died()
}

func TestCloseLeavesNothing(t *testing.T) {
	b := launch(t)
	c, err := b.NewContext(testContext(t), ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	openPage(t, c, "")
	pid, dir := b.PID(), b.temp.root
	if len(processesOf(t, dir)) == 0 || !alive(pid) {
		t.Fatal("no process names the profile directory or is of Chrome's group: the checks below would prove nothing")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if left := processesOf(t, dir); len(left) > 0 {
		t.Errorf("processes left: %q", left)
	}
	if alive(pid) {
		t.Error("a process of Chrome's group is left")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("temporary directory is left: %v", err)
	}
	if err := b.Err(); err != ErrBrowserClosed {
		t.Errorf("Err() = %v", err)
	}
}

// processesOf are the command lines that name the directory.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(line), dir) {
			out = append(out, f+": "+strings.ReplaceAll(clip(string(line), 100), "\x00", " "))
		}
	}
	return out
}

func TestKilledProgramTakesChromeWithIt(t *testing.T) {
	if _, err := Find(""); err != nil && os.Getenv("CI") == "" {
		t.Skipf("needs a real Chrome: %v", err)
	}
	cmd := exec.CommandContext(testContext(t), os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	if _, err := fmt.Sscanf(line, "started %d %s", &pid, &dir); err != nil {
		t.Fatalf("the program said %q", line)
	}
	removeOrphans(tempParent(os.TempDir()))
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the directory of a living program was removed: %v", err)
	}
	if len(processesOf(t, dir)) == 0 {
		t.Fatal("Chrome does not run")
	}
	cmd.Process.Kill()
	cmd.Wait()
	until(t, "Chrome is gone", func() bool { return len(processesOf(t, dir)) == 0 && !alive(pid) })
	removeOrphans(tempParent(os.TempDir()))
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the killed program's temporary directory is left: %v", err)
	}
}

// until polls for something outside our process, which no event tells.
func until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	ctx := testContext(t)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-ctx.Done():
			t.Fatalf("still waiting until %s", what)
		case <-tick.C:
		}
	}
}

func TestBrowserDeathEndsCalls(t *testing.T) {
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, "")
	done := make(chan error, 1)
	ctx := testContext(t)
	go func() { done <- p.evaluate(ctx, p.MainFrame(), "new Promise(() => {})", nil) }()
	until(t, "the call runs", func() bool { return len(pendingCalls(c.b.conn)) > 0 })
	c.b.proc.kill()
	if err := <-done; !isErr(err, ErrBrowserDied) {
		t.Errorf("running call: %v", err)
	}
	if _, err := p.Title(ctx); !isErr(err, ErrBrowserDied) {
		t.Errorf("later call: %v", err)
	}
	<-c.b.Died()
	if err := c.b.Err(); !isErr(err, ErrBrowserDied) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("Err() = %v", err)
	}
	if _, err := c.NewPage(ctx); !isErr(err, ErrBrowserDied) {
		t.Errorf("NewPage: %v", err)
	}
}
