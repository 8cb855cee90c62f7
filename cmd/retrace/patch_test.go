package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/replay"
)

// copyRecording copies the trace of a recording into a bundle directory of its own.
func copyRecording(t *testing.T) string {
	t.Helper()
	bundle := filepath.Join(t.TempDir(), "cart")
	if err := os.CopyFS(bundle, os.DirFS(recording)); err != nil {
		t.Fatal(err)
	}
	return bundle
}

// The patch is written beside the recording, or into the report, and the recording stays as it is.
func TestRunWritesPatch(t *testing.T) {
	bundle := copyRecording(t)
	before, err := os.ReadFile(filepath.Join(bundle, "trace.json"))
	if err != nil {
		t.Fatal(err)
	}
	reports := filepath.Join(t.TempDir(), "report")
	for _, tt := range []struct {
		flags []string
		file  string
	}{
		{nil, bundle + ".patch"},
		{[]string{"--report", reports}, filepath.Join(reports, "cart", "trace.patch")},
	} {
		r := result(replay.Failed, replay.TargetMissing)
		r.Proposals = []replay.Proposal{{Step: 4, Field: "name", From: "Apply voucher", To: "Use harbour-42", Why: "the only button"}}
		b := newBench(r)
		if code := b.execute(t.Context(), append([]string{"run", bundle, "--propose", "--secret", "x=env:PW"}, tt.flags...)); code != exitFailed {
			t.Fatalf("exit code %d\n%s", code, &b.err)
		}
		if !b.options[0].Propose {
			t.Error("the engine was not asked for proposals")
		}
		data, err := os.ReadFile(tt.file)
		if err != nil {
			t.Fatalf("%v\n%s", err, &b.out)
		}
		for _, want := range []string{"--- a/trace.json\n+++ b/trace.json\n", "-        \"name\": \"Apply voucher\"\n+        \"name\": \"Use •••\"\n", `# step 4: name "Apply voucher" → "Use •••" (the only button)`} {
			if !strings.Contains(string(data), want) {
				t.Errorf("patch lacks %q:\n%s", want, data)
			}
		}
		if want := "patch: " + tt.file + "\n"; !strings.Contains(b.out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, &b.out)
		}
	}
	after, err := os.ReadFile(filepath.Join(bundle, "trace.json"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the recording was changed (%v)", err)
	}
}

func TestPatchFile(t *testing.T) {
	tests := []struct {
		recording string
		run       runDir
		want      string
	}{
		{"a/b/trace.json", runDir{}, filepath.FromSlash("a/b.patch")},
		{"trace.json", runDir{}, "trace.json.patch"},
		{"a/one.json", runDir{}, "a/one.json.patch"},
		{"a/one.json", runDir{"one", "r/one"}, filepath.FromSlash("r/one/trace.patch")},
	}
	for _, tt := range tests {
		if got := patchFile(tt.recording, tt.run); got != tt.want {
			t.Errorf("patchFile(%q, %v) = %q, want %q", tt.recording, tt.run, got, tt.want)
		}
	}
}
