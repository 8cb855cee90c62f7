package harness

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
)

// Build compiles the retrace command into dir and gives its path.
func Build(ctx context.Context, dir string) (string, error) {
	bin := filepath.Join(dir, "retrace")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "retrace/cmd/retrace")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build retrace: %w\n%s", err, out)
	}
	return bin, nil
}

// limit is how long a replay may take before it counts as hung.
const limit = 2 * time.Minute

// farewell bounds the wait for the reports of pages that were closed with the browser.
const farewell = time.Second

// Replay replays a recording with the binary on the server's site and judges it. Directories of the run lie below
// work. The error is about the harness; everything that the binary does is an outcome.
func (s *Server) Replay(ctx context.Context, bin, work string, r *Recording, flags ...string) (Outcome, error) {
	args := []string{bin, "run", r.Dir, "--base-url", s.URL, "--report", filepath.Join(work, "report")}
	file, err := r.WriteSecrets(work)
	if err != nil {
		return Outcome{}, err
	}
	if file != "" {
		args = append(args, "--secrets", file)
	}
	return s.Run(ctx, r, append(args, flags...))
}

// WriteSecrets writes the values that the recording does not hold into a file in dir and gives its path; "" when there are
// none.
func (r *Recording) WriteSecrets(dir string) (string, error) {
	if r.Secrets == nil {
		return "", nil
	}
	data, err := json.Marshal(r.Secrets)
	if err != nil {
		return "", fmt.Errorf("secrets of %s: %w", r.Name, err)
	}
	file := filepath.Join(dir, "secrets.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("secrets of %s: %w", r.Name, err)
	}
	return file, nil
}

// Run runs a command line that replays the recording on the server's site, and judges it by its exit code and by what the
// pages saw. The error is about the harness.
func (s *Server) Run(ctx context.Context, r *Recording, line []string) (Outcome, error) {
	s.Begin(r.Check)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 5 * time.Second // a browser that outlives a killed binary holds its output open
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return Outcome{}, fmt.Errorf("start %s: %w", line[0], err)
	}
	s.settle()
	o := Outcome{Code: cmd.ProcessState.ExitCode(), Hung: errors.Is(ctx.Err(), context.DeadlineExceeded), Output: output.String(), Events: s.Seen()}
	r.judge(&o)
	return o, nil
}

// settle waits until every connection is closed. A page that goes away sends its last report on its way out; since the
// browser has gone with the binary, its connections end by themselves when that is read.
func (s *Server) settle() {
	timeout := time.After(farewell)
	for s.open.Load() > 0 {
		select {
		case <-s.closed:
		case <-timeout:
			return
		}
	}
}
