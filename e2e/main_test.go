// Package e2e tests the retrace command with real browsers on real recordings.
package e2e

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"retrace/e2e/harness"
	"retrace/e2e/hostile"
	"retrace/replay/browser"
)

// requiredEnv, when set, turns a missing browser into a failure instead of a skipped test.
const requiredEnv = "RETRACE_E2E_REQUIRED"

// thoroughEnv, when set, has the large tables of cases tried whole, and some tests at their full size.
const thoroughEnv = "RETRACE_E2E_THOROUGH"

// oneIn skips all but every nth case of a large table, unless everything is to be tried.
func oneIn(t *testing.T, n, place int) {
	t.Helper()
	if place%n != 0 && os.Getenv(thoroughEnv) == "" {
		t.Skipf("one in %d is tried; %s=1 tries all", n, thoroughEnv)
	}
}

var binaryDir string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "retrace-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	binaryDir = dir
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	if code = m.Run(); code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// build compiles the command once.
var build = sync.OnceValues(func() (string, error) {
	return harness.Build(context.Background(), binaryDir)
})

// binary gives the path of the command under test.
func binary(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// sharedBrowser starts one browser for all replays of a test, each of which gets a context of its own there, and gives the flags
// by which they attach to it. Starting a browser costs more than most replays.
func sharedBrowser(t *testing.T) []string {
	t.Helper()
	return []string{"--remote", startChrome(t).URL}
}

// startChrome starts a browser that runs until the end of the test.
func startChrome(t *testing.T) *hostile.Chrome {
	t.Helper()
	found, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	chrome, err := hostile.StartChrome(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chrome.Stop(); err != nil {
			t.Error(err)
		}
	})
	return chrome
}

// needBrowser skips a test that cannot run here, unless browsers are required.
func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		if os.Getenv(requiredEnv) != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}
