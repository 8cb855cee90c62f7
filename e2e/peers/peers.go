// Package peers runs the tools that retrace is measured against: Playwright and @puppeteer/replay, driven from the same
// recordings by small scripts.
//
// A script translates a recording to what a person would write who has it before them: the address to begin at, then an
// action for each step, with its target by role and exact name, the place among its equals where the recorded page text has
// several of them (Playwright's nth; @puppeteer/replay has nothing of the kind), and the frame. The npm packages are
// installed by `make peers` and are no part of the project.
package peers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Tool is one of the tools.
type Tool struct {
	// Name is how tables call it, Script the file that drives it.
	Name, Script string
	// Package is the npm package that it comes from.
	Package string
}

// Playwright and Replay are the tools.
var (
	Playwright = Tool{Name: "Playwright", Script: "playwright.mjs", Package: "playwright-core"}
	Replay     = Tool{Name: "@puppeteer/replay", Script: "replay.mjs", Package: "@puppeteer/replay"}
)

// dir is where the scripts and their packages are: this directory.
func dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// Ready says what is missing to run the tools; nil when nothing is.
func Ready() error {
	if _, err := exec.LookPath("node"); err != nil {
		return fmt.Errorf("peers: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir(), "node_modules", "@playwright", "test")); err != nil {
		return errors.New("peers: the npm packages are not there; run `make peers`")
	}
	return nil
}

// TestLine is the command line of Playwright Test for many recordings at once; many.config.mjs tells which environment it wants.
func TestLine(workers int) []string {
	return []string{"node", filepath.Join(dir(), "node_modules", "@playwright", "test", "cli.js"), "test", "--config", filepath.Join(dir(), "many.config.mjs"), "--workers", fmt.Sprint(workers)}
}

// Version is the installed version of the tool's package.
func (t Tool) Version() (string, error) {
	data, err := os.ReadFile(filepath.Join(dir(), "node_modules", filepath.FromSlash(t.Package), "package.json"))
	if err != nil {
		return "", fmt.Errorf("version of %s: %w", t.Name, err)
	}
	var p struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return "", fmt.Errorf("version of %s: %w", t.Name, err)
	}
	return p.Version, nil
}

// NodeVersion is what `node --version` says.
func NodeVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("version of node: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Line is the command line that replays the recording in trace with the tool. The flags are those of the scripts, in pairs.
func (t Tool) Line(trace string, flags ...string) []string {
	return append([]string{"node", filepath.Join(dir(), t.Script), trace}, flags...)
}

// Times are when things happened in a replay, as its script wrote them with --out. All times are in milliseconds since 1970,
// with fractions.
type Times struct {
	// Launched is when the script asked for a browser, Began when the first page was open.
	Launched float64 `json:"launched"`
	Began    float64 `json:"began"`
	Steps    []Step  `json:"steps"`
	Failure  string  `json:"failure"`
}

// Step is one recorded step in a replay.
type Step struct {
	ID    int     `json:"id"`
	Op    string  `json:"op"`
	Began float64 `json:"began"`
	Ended float64 `json:"ended"`
}

// ReadTimes reads the file of --out.
func ReadTimes(file string) (*Times, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("times: %w", err)
	}
	t := new(Times)
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("times in %s: %w", file, err)
	}
	return t, nil
}

// Milliseconds is t as [Times] has it.
func Milliseconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1000 }
