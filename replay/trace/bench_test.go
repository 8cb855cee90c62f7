package trace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// longBundle writes a bundle of n steps and n states. The page texts are those of a real recording, in turn.
func longBundle(tb testing.TB, n int) string {
	tb.Helper()
	texts, err := filepath.Glob("testdata/bundles/*/states/*.txt")
	if err != nil || len(texts) == 0 {
		tb.Fatalf("no page texts: %v", err)
	}
	bundle := tb.TempDir()
	if err := os.Mkdir(filepath.Join(bundle, "states"), 0o755); err != nil {
		tb.Fatal(err)
	}
	var states, steps []any
	for i := 1; i <= n; i++ {
		text, err := os.ReadFile(texts[i%len(texts)])
		if err != nil {
			tb.Fatal(err)
		}
		id := fmt.Sprintf("s%d", i)
		if err := os.WriteFile(filepath.Join(bundle, "states", id+".txt"), text, 0o644); err != nil {
			tb.Fatal(err)
		}
		states = append(states, map[string]any{"id": id, "url": "http://shop.example/", "title": "Shop", "page": id + ".txt"})
		steps = append(steps, map[string]any{
			"op": "click", "id": i, "state": id, "result": map[string]any{"state": id},
			"target": map[string]any{"ref": "e1", "role": "button", "name": "Save", "ctx": "Address form"},
		})
	}
	data, err := json.MarshalIndent(map[string]any{
		"version": 3, "entry": map[string]any{"start_url": "http://shop.example/"}, "states": states, "steps": steps,
	}, "", "  ")
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bundle, "trace.json"), data, 0o644); err != nil {
		tb.Fatal(err)
	}
	return bundle
}

// BenchmarkLoad1000Steps does what it takes to validate a recording of 1,000 steps with 1,000 page texts.
func BenchmarkLoad1000Steps(b *testing.B) {
	bundle := longBundle(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		t, err := Load(bundle)
		if err != nil {
			b.Fatal(err)
		}
		Review(t)
	}
}

func BenchmarkDecodeSample(b *testing.B) {
	b.SetBytes(int64(len(sample)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode([]byte(sample), "sample.json", sampleTexts); err != nil {
			b.Fatal(err)
		}
	}
}
