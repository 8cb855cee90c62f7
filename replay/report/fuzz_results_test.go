package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"retrace/replay"
)

// FuzzResults reads results of any origin, as a report that is merged brings them, and writes every form of them. Those that
// are refused have a reason; a picture outside of the directory is never shown.
func FuzzResults(f *testing.F) {
	for _, r := range []*replay.Result{everywhere("x"), {Verdict: replay.Passed, Steps: []replay.StepResult{}}} {
		data, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"verdict": "passed", "steps": [{"verdict": "passed", "screenshot": "../../secret.png", "shots": [{"when": "after", "file": "/etc/passwd"}]}]}`))
	f.Add([]byte(`{"verdict": "failed", "failure": {}, "earlier": [{"verdict": "failed", "failure": {"code": "\u001b"}}], "steps": [{"verdict": "failed", "failure": {}, "decision": {"candidates": [{}]}, "effect": {}, "comparison": {}}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeResult(data)
		if err != nil {
			return
		}
		dir := t.TempDir()
		secret := []byte("not a picture 4711")
		if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "secret.png"), secret, 0o600); err != nil {
			t.Fatal(err)
		}
		results := []*replay.Result{r}
		if err := WriteHTML(dir, "v", results); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, IndexFile))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(page, []byte("bm90IGEgcGljdHVyZSA0NzEx")) { // in base64
			t.Error("a file outside of the directory is in the page")
		}
		if _, err := (JUnit{}).encode(results); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		v := NewTerminal(&b, Style{}, "", nil)
		v.Event(replay.Event{Kind: replay.RunStarted, Total: len(r.Steps)})
		v.Event(replay.Event{Kind: replay.RunFinished, Result: r})
	})
}
