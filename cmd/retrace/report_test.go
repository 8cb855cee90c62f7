package main

import (
	"context"
	"path/filepath"
	"testing"
)

// A signal ends a merge whatever it is doing, without a word about what it came to.
func TestReportInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := newBench()
	dir := t.TempDir()
	if code := b.execute(ctx, []string{"report", filepath.Join(dir, "missing"), "-o", filepath.Join(dir, "merged")}); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if b.err.Len() > 0 {
		t.Errorf("standard error: %s", &b.err)
	}
}
