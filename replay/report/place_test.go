package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPlace(t *testing.T) {
	tests := []struct {
		name string
		harm func(dir string) error
		want error
	}{
		{"nothing", func(string) error { return nil }, nil},
		{"files", func(dir string) error { return os.WriteFile(filepath.Join(dir, "x"), nil, 0o600) }, nil},
		{"removed", os.Remove, ErrReplaced},
		{"made anew", func(dir string) error {
			// The old one is kept elsewhere, so that the new one cannot get its number.
			return errors.Join(os.Rename(dir, dir+"-old"), os.Mkdir(dir, 0o700))
		}, ErrReplaced},
		{"link to another", func(dir string) error { return errors.Join(os.Remove(dir), os.Symlink(t.TempDir(), dir)) }, ErrReplaced},
		{"link to itself", func(dir string) error {
			return errors.Join(os.Rename(dir, dir+"-moved"), os.Symlink(dir+"-moved", dir))
		}, ErrReplaced},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "report")
			if err := Prepare(dir); err != nil {
				t.Fatal(err)
			}
			p, err := PlaceAt(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.harm(dir); err != nil {
				t.Fatal(err)
			}
			if err := p.Intact(); !errors.Is(err, tt.want) {
				t.Errorf("Intact: %v, want %v", err, tt.want)
			}
		})
	}
}

func TestDiscardPages(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(WriteHTML(dir, "v1", nil), WriteFlake(dir, hunt()), DiscardPages(dir)); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left: %v (%v)", entries, err)
	}
	if err := DiscardPages(dir); err != nil {
		t.Errorf("without pages: %v", err)
	}
	foreign := filepath.Join(dir, IndexFile)
	if err := os.WriteFile(foreign, []byte("<h1>mine</h1>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := DiscardPages(dir); !errors.Is(err, ErrForeign) {
		t.Errorf("a page of others: %v", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}

// What killed programs left half-written goes, and nothing else does.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ResultsFile)
	old := time.Now().Add(-2 * staleAfter)
	for name, age := range map[string]time.Time{
		".results.json-123": old, ".results.json-7": time.Now(), ".results.json-": old, ".results.json-mine": old, ".index.html-5": old, "results.json": old,
	} {
		if err := errors.Join(os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o600), os.Chtimes(filepath.Join(dir, name), age, age)); err != nil {
			t.Fatal(err)
		}
	}
	linked := filepath.Join(dir, ".results.json-9")
	if err := os.Symlink(file, linked); err != nil {
		t.Fatal(err)
	}
	Sweep(file)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".results.json-123")); err == nil || len(entries) != 6 {
		t.Errorf("left: %v", entries)
	}
}

// A report of many steps and runs of one name takes time in proportion to their number. Where it took the square of it, this test
// would not end.
func TestManyOfOneName(t *testing.T) {
	names, dirs := distinct{}, Dirs{}
	for range 200_000 {
		names.name("click")
		dirs.Name("cart")
	}
	if got := names.name("click"); got != "click (200001)" {
		t.Errorf("the last is %q", got)
	}
	if got := dirs.Name("cart"); got != "cart-200001" {
		t.Errorf("the last is %q", got)
	}
}
