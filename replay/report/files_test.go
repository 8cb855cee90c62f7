package report

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
)

func TestPrepare(t *testing.T) {
	put := func(t *testing.T, dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
		want error // nil for success
	}{
		{"empty", func(*testing.T, string) {}, nil},
		{"other files", func(t *testing.T, dir string) { put(t, dir, "notes.txt", "mine") }, nil},
		{"foreign page", func(t *testing.T, dir string) { put(t, dir, IndexFile, "<h1>My site</h1>") }, ErrForeign},
		{"foreign results", func(t *testing.T, dir string) { put(t, dir, ResultsFile, `{"tests": [], "generator": "retrace"}`) }, ErrForeign},
		{"results of another program", func(t *testing.T, dir string) { put(t, dir, ResultsFile, `{"schema":1,"generator":"jest"}`) }, ErrForeign},
		{"recording in its place", func(t *testing.T, dir string) { put(t, dir, ResultsFile, `{"version":3,"states":[]}`) }, ErrForeign},
		{"empty page", func(t *testing.T, dir string) { put(t, dir, IndexFile, "") }, nil},
		{"linked page", func(t *testing.T, dir string) {
			if err := os.Symlink(filepath.Join(t.TempDir(), "x"), filepath.Join(dir, IndexFile)); err != nil {
				t.Fatal(err)
			}
		}, ErrLink},
		{"own report", func(t *testing.T, dir string) {
			if err := errors.Join(WriteResults(filepath.Join(dir, ResultsFile), "v1", nil), WriteHTML(dir, "v1", nil)); err != nil {
				t.Fatal(err)
			}
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.make(t, dir)
			if err := Prepare(dir); !errors.Is(err, tt.want) {
				t.Errorf("Prepare: %v, want %v", err, tt.want)
			}
		})
	}
}

func TestPrepareCreatesPrivately(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "report")
	if err := Prepare(dir); err != nil {
		t.Fatal(err)
	}
	if err := WriteResults(filepath.Join(dir, ResultsFile), "v1", []*replay.Result{failing()}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, ResultsFile): 0o600} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %04o, want %04o", file, got, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("directory holds %v (%v), want the results only", entries, err)
	}
}

func TestPrepareRefusesLinkedDirectory(t *testing.T) {
	link := filepath.Join(t.TempDir(), "report")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(link); !errors.Is(err, ErrLink) {
		t.Errorf("Prepare: %v, want %v", err, ErrLink)
	}
}

func TestWriteResultsGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), ResultsFile)
	for range 2 { // the second time over the first
		if err := WriteResults(file, "v1.2.3", []*replay.Result{failing(), passing()}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "results.json", string(data))
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*replay.Result{failing(), passing()}, d.Results); diff != "" {
		t.Errorf("results after a round trip (-want +got):\n%s", diff)
	}
}

func TestLines(t *testing.T) {
	var b strings.Builder
	l := NewLines(&b)
	play(l, failing())
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2+3+4 {
		t.Fatalf("%d lines, want 9", len(lines))
	}
	for i, line := range lines {
		var e replay.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Errorf("line %d: %v", i+1, err)
		}
		if strings.IndexFunc(line, unsafe) >= 0 {
			t.Errorf("line %d has a control character: %q", i+1, line)
		}
	}
	var last replay.Event
	if err := json.Unmarshal([]byte(lines[8]), &last); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(failing(), last.Result); diff != "" {
		t.Errorf("result of the last line (-want +got):\n%s", diff)
	}
}

type brokenWriter struct{ writes int }

func (w *brokenWriter) Write([]byte) (int, error) { w.writes++; return 0, os.ErrClosed }

func TestLinesStopAfterError(t *testing.T) {
	w := &brokenWriter{}
	l := NewLines(w)
	play(l, passing())
	if !errors.Is(l.Err(), os.ErrClosed) || w.writes != 1 {
		t.Errorf("error %v after %d writes", l.Err(), w.writes)
	}
}

func TestTee(t *testing.T) {
	var got []replay.Event
	send := Tee(Mask(replay.Secrets{"x": "Deck lamp"}), "cart", viewFunc(func(e replay.Event) { got = append(got, e) }))
	send(replay.Event{Kind: replay.StepFinished, Step: &replay.StepResult{Title: "click Deck lamp", Screenshot: "step-1.png", Shots: []replay.Shot{{File: "step-1.png"}}, Downloads: []string{"a.csv"}}})
	send(replay.Event{Kind: replay.RunFinished, Result: &replay.Result{Steps: []replay.StepResult{{Screenshot: "step-1.png"}, {}}}})
	want := []replay.Event{
		{Kind: replay.StepFinished, Step: &replay.StepResult{Title: "click •••", Screenshot: "cart/step-1.png", Shots: []replay.Shot{{File: "cart/step-1.png"}}, Downloads: []string{"cart/a.csv"}}},
		{Kind: replay.RunFinished, Result: &replay.Result{Steps: []replay.StepResult{{Screenshot: "cart/step-1.png"}, {}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

type viewFunc func(replay.Event)

func (f viewFunc) Event(e replay.Event) { f(e) }

func TestWritePatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.patch")
	for range 2 { // our own may be overwritten
		if err := WritePatch(file, "--- a/x\n", []replay.Proposal{{Step: 1, Field: "name", From: "a", To: "b\n--- c", Why: "w"}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Proposed by retrace: review it, then apply it in the directory of the recording with patch -p1.\n# step 1: name \"a\" → \"b\\n--- c\" (w)\n--- a/x\n"
	if string(data) != want {
		t.Errorf("got %q, want %q", data, want)
	}
	if err := os.WriteFile(file, []byte("diff of somebody else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WritePatch(file, "", nil); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want %v", err, ErrForeign)
	}
}
