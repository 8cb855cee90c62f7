package browser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestOrphansOfOthers makes directories while another program removes orphans all the time: none of them is one.
func TestOrphansOfOthers(t *testing.T) {
	temp := t.TempDir()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					removeOrphans(temp)
				}
			}
		})
	}
	for range 200 {
		d, err := newTempDir(temp)
		if err != nil {
			t.Error(err)
			break
		}
		if _, err := os.Stat(d.profile()); err != nil {
			t.Errorf("taken for an orphan: %v", err)
			break
		}
		if err := d.remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

// A program that was killed before it had its lock leaves a directory that is old some day; nothing else is taken for one.
func TestOldOrphans(t *testing.T) {
	temp := t.TempDir()
	mine := filepath.Join(t.TempDir(), "mine")
	old := time.Now().Add(-2 * orphanAfter)
	name := func(s string) string { return filepath.Join(temp, tempPrefix+s) }
	errs := []error{os.Mkdir(mine, 0o700), os.Mkdir(name("old"), 0o700), os.Mkdir(name("new"), 0o700), os.Mkdir(name("odd"), 0o700), os.Symlink(mine, name("link")), os.WriteFile(name("file"), nil, 0o600)}
	errs = append(errs, os.Symlink(filepath.Join(mine, "lock"), filepath.Join(name("odd"), "lock")), os.WriteFile(filepath.Join(mine, "lock"), nil, 0o600))
	for _, path := range []string{name("old"), name("odd"), mine, name("file")} {
		errs = append(errs, os.Chtimes(path, old, old))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	removeOrphans(temp)
	if _, err := os.Lstat(name("old")); err == nil {
		t.Error("the old directory without a lock is left")
	}
	for _, path := range []string{name("new"), name("odd"), name("link"), name("file"), filepath.Join(mine, "lock")} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("taken for an orphan: %v", err)
		}
	}
}

// A browser starts also where the path of the temporary directory is too long for its socket.
func TestLongTempDir(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	b := launch(t)
	if notes := strings.Join(b.Notes(), "\n"); tempParent(long) != long && !strings.Contains(notes, "too long for Chrome's sockets") {
		t.Errorf("notes %q", notes)
	}
	if left, err := os.ReadDir(long); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
