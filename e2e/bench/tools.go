package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"retrace/e2e/peers"
	"retrace/replay"
	"retrace/replay/report"
)

// tool is a way to replay a recording.
type tool struct {
	name string
	// line is the command line; remote is the browser to attach to, or "".
	line func(trace, remote, out string) []string
	// read reads the times that a replay left in out.
	read func(out string) (*peers.Times, error)
}

// limit is how long one replay may take.
const limit = 5 * time.Minute

// toolset are the tools: retrace first, with the binary at bin.
func toolset(bin, chrome string) []tool {
	all := []tool{retrace("retrace", bin, chrome)}
	for _, p := range []peers.Tool{peers.Playwright, peers.Replay} {
		all = append(all, tool{name: p.Name, line: func(trace, remote, out string) []string {
			where := []string{"--chrome", chrome}
			if remote != "" {
				where = []string{"--remote", remote}
			}
			return p.Line(trace, append(where, "--timeout", "30000", "--out", filepath.Join(out, "times.json"))...)
		}, read: func(out string) (*peers.Times, error) { return peers.ReadTimes(filepath.Join(out, "times.json")) }})
	}
	return all
}

// retrace is a binary of ours.
func retrace(name, bin, chrome string) tool {
	return tool{name: name, read: readOurs, line: func(trace, remote, out string) []string {
		line := []string{bin, "run", trace, "--report", out}
		if remote != "" {
			return append(line, "--remote", remote)
		}
		return append(line, "--chrome", chrome)
	}}
}

// readOurs reads the times from results.json.
func readOurs(out string) (*peers.Times, error) {
	data, err := os.ReadFile(filepath.Join(out, report.ResultsFile))
	if err != nil {
		return nil, fmt.Errorf("times: %w", err)
	}
	var doc report.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("times: %w", err)
	}
	if len(doc.Results) != 1 {
		return nil, fmt.Errorf("times: %d results", len(doc.Results))
	}
	t := new(peers.Times)
	for _, s := range doc.Results[0].Steps {
		if len(s.Steps) == 0 {
			continue // opening the first page
		}
		began := float64(s.Started.UnixMicro()) / 1000
		if t.Began == 0 {
			t.Began = began
		}
		t.Steps = append(t.Steps, peers.Step{ID: s.Steps[0], Op: s.Op, Began: began, Ended: began + s.DurationMS})
		if s.Verdict == replay.Failed {
			t.Failure = s.Failure.Error()
		}
	}
	return t, nil
}

// sample is one replay. Times are in milliseconds.
type sample struct {
	// PerStep is the time from the begin of the first step to the end of the last, for each step.
	PerStep float64
	// Start is the time from the start of the process to the begin of the first step, Launch that from the call that starts the
	// browser; 0 when it is not known.
	Start, Launch float64
	// Whole is the time of the whole command.
	Whole float64
	times *peers.Times
}

// replay runs a tool on a recording, and leaves what it wrote in keep, unless that is empty. watch, when it is not nil, is given the process once it runs, and its result is called
// at the end.
func (t tool) replay(ctx context.Context, trace, remote, keep string, watch func(pid int) (stop func())) (*sample, error) {
	out, err := os.MkdirTemp(keep, "retrace-bench-")
	if err != nil {
		return nil, err
	}
	if keep == "" {
		defer os.RemoveAll(out)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	line := t.line(trace, remote, out)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &output, &output, 5*time.Second
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {}
	if watch != nil {
		stop = watch(cmd.Process.Pid)
	}
	err = cmd.Wait()
	whole := time.Since(start)
	stop()
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%s on %s: %w", t.name, trace, ctx.Err())
	}
	times, readErr := t.read(out)
	if err != nil || readErr != nil {
		return nil, fmt.Errorf("%s on %s: %w\n%s", t.name, trace, errors.Join(err, readErr), output.String())
	}
	n := len(times.Steps)
	if n == 0 || times.Failure != "" {
		return nil, fmt.Errorf("%s on %s: %d steps, %s", t.name, trace, n, times.Failure)
	}
	began := peers.Milliseconds(start)
	s := &sample{
		PerStep: (times.Steps[n-1].Ended - times.Steps[0].Began) / float64(n), Start: times.Began - began,
		Whole: float64(whole.Microseconds()) / 1000, times: times,
	}
	if times.Launched > 0 {
		s.Launch = times.Began - times.Launched
	}
	return s, nil
}
