package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDirs(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var d Dirs
	for _, tt := range []struct{ name, want string }{
		{"cart", "cart"}, {"cart", "cart-2"}, {"Cart", "Cart-3"}, {"cart.json", "cart-4"}, {"购物车", "购物车"}, {"-", "trace"}, {"../../etc", "etc"},
		{"a/b c", "a-b-c"}, {"index.html", "index.html-2"}, {strings.Repeat("柠", 50), strings.Repeat("柠", 26)},
	} {
		got, err := d.Make(dir, tt.name)
		if err != nil || got != tt.want {
			t.Errorf("Make(%q) = %q, %v, want %q", tt.name, got, err, tt.want)
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, got)); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", got, info, err)
		}
	}
	if _, err := d.Make(dir, "linked"); !errors.Is(err, ErrLink) {
		t.Errorf("a link gives %v", err)
	}
	if _, err := d.Make(dir, "file"); err == nil {
		t.Error("a file is taken for a directory")
	}
	var again Dirs
	if got, err := again.Make(dir, "cart"); err != nil || got != "cart" {
		t.Errorf("a second report gives %q, %v", got, err)
	}
}
