package main

import (
	"fmt"
	"os"
	"path/filepath"

	"retrace/replay"
	"retrace/replay/amend"
	"retrace/replay/report"
)

// patch writes the corrections that a run proposes as a diff of the recording: into the directory of the run, or, without a
// report, beside the recording. The recording itself is not touched.
func (out *outputs) patch(a *app, result *replay.Result, run runDir) error {
	masked := out.mask.Result(result)
	if len(masked.Proposals) == 0 {
		return nil
	}
	data, err := os.ReadFile(result.File)
	if err != nil {
		return fmt.Errorf("patch: %w", err)
	}
	changes := make([]amend.Change, len(result.Proposals))
	for i, p := range result.Proposals {
		changes[i] = amend.Change{Step: p.Step, Field: p.Field, From: p.From, To: p.To}
	}
	diff, err := amend.Diff(data, filepath.Base(result.File), changes)
	if err != nil {
		return err
	}
	file := patchFile(result.File, run)
	if err := report.WritePatch(file, out.mask.String(diff), masked.Proposals); err != nil {
		return err
	}
	fmt.Fprintf(out.human, "patch: %s\napply it after review: patch -p1 -d %s < %s\n", report.Clean(file), report.Clean(quote(filepath.Dir(result.File))), report.Clean(quote(file)))
	return nil
}

// patchFile is DIR/trace.patch in the directory of the run, else TRACE.patch beside the directory or file of the recording.
func patchFile(recording string, run runDir) string {
	if run.path != "" {
		return filepath.Join(run.path, "trace.patch")
	}
	dir, name := filepath.Split(recording)
	if name != bundleTrace || dir == "" {
		return recording + ".patch"
	}
	return filepath.Clean(dir) + ".patch"
}
