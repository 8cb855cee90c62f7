package replay

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMakeDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report", "run")
	for range 2 { // new, and there already
		path, err := makeDir(dir, "screenshots")
		if err != nil || path != filepath.Join(dir, "screenshots") {
			t.Fatalf("%q, %v", path, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(dir, "downloads")); err != nil {
		t.Skip(err)
	}
	if _, err := makeDir(dir, "downloads"); err == nil {
		t.Error("a symbolic link is taken for a directory")
	}
	if err := writeShot(filepath.Join(dir, "downloads"), "step-1.jpg", []byte("x")); err == nil {
		t.Error("a picture was written through a symbolic link")
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("written elsewhere: %v, %v", entries, err)
	}
}
