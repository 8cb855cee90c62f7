package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// tempPrefix starts the name of every temporary directory that a browser gets.
const tempPrefix = "retrace-chrome-"

// tempDir is the directory of one browser process. It holds the profile and all that Chrome itself puts into a temporary
// directory, which it leaves behind whenever it does not end in its own way. The names are short: see [tempParent].
type tempDir struct {
	root string
	lock *os.File // held while the directory is in use; nil where the system has no such locks
	// cleaner removes the directory when we are killed; nil where that cannot be. What it misses is removed at a later start.
	cleaner *cleaner
}

// tempParent is where temporary directories of browsers are made: in dir, that of the system, or in /tmp where the path of that is
// too long. Chrome makes a socket in it, and does not start when the address of that, with a zero byte at its end, is longer than
// the system allows: 108 bytes on Linux, 104 on the BSDs. Chrome on macOS and Windows uses other places.
func tempParent(dir string) string {
	longest := map[string]int{"linux": 108, "freebsd": 104, "openbsd": 104, "netbsd": 104}[runtime.GOOS]
	socket := filepath.Join(dir, tempPrefix+"4294967295", "t/org.chromium.Chromium.XXXXXX/SingletonSocket") + "\x00"
	if longest == 0 || len(socket) <= longest {
		return dir
	}
	return "/tmp"
}

func newTempDir(parent string) (tempDir, error) {
	root, err := os.MkdirTemp(parent, tempPrefix)
	if err != nil {
		return tempDir{}, fmt.Errorf("making the browser's temporary directory: %w", err)
	}
	d := tempDir{root: root}
	for _, sub := range []string{d.profile(), d.tmp()} {
		if err := os.Mkdir(sub, 0o700); err != nil {
			os.RemoveAll(root)
			return tempDir{}, fmt.Errorf("making the browser's temporary directory: %w", err)
		}
	}
	// The lock gets its name when it is held: between the two, another program would take the directory for an orphan.
	fresh := d.lockPath() + ".new"
	if d.lock, err = lockFile(fresh); err == nil && d.lock != nil {
		err = os.Rename(fresh, d.lockPath())
	}
	if err != nil {
		os.RemoveAll(root)
		return tempDir{}, fmt.Errorf("locking the browser's temporary directory: %w", err)
	}
	d.cleaner, _ = startCleaner(root) // without one, the next start cleans up
	return d, nil
}

// orphanAfter is the age at which a directory without a lock is no longer just coming into being.
const orphanAfter = time.Hour

// removeOrphans deletes the directories of programs that were killed before they could. Such a directory has a lock file that
// nobody holds; one without a lock file may be just coming into being, and is left alone unless it is old. Links are not
// followed.
func removeOrphans(parent string) {
	dirs, err := filepath.Glob(filepath.Join(parent, tempPrefix+"*"))
	if err != nil {
		return
	}
	for _, root := range dirs {
		d := tempDir{root: root}
		info, err := os.Lstat(root)
		if err != nil || !info.IsDir() {
			continue
		}
		switch lock, err := os.Lstat(d.lockPath()); {
		case err == nil && !lock.Mode().IsRegular():
			continue
		case err == nil:
		case errors.Is(err, fs.ErrNotExist) && locks && time.Since(info.ModTime()) > orphanAfter:
			os.RemoveAll(root)
			continue
		default:
			continue
		}
		if d.lock, err = lockFile(d.lockPath()); err == nil && d.lock != nil {
			os.RemoveAll(root)
			d.lock.Close()
		}
	}
}

func (d tempDir) lockPath() string { return filepath.Join(d.root, "lock") }

func (d tempDir) profile() string { return filepath.Join(d.root, "p") }
func (d tempDir) tmp() string     { return filepath.Join(d.root, "t") }

// env adds the variables that make Chrome use the directory. macOS asks the system and not the environment.
func (d tempDir) env(base []string) []string {
	switch runtime.GOOS {
	case "darwin":
		return base
	case "windows":
		return append(base, "TEMP="+d.tmp(), "TMP="+d.tmp())
	}
	return append(base, "TMPDIR="+d.tmp())
}

// remove deletes the directory. Chrome's children may still write for a moment after the main process has ended, so it tries
// again until ctx ends.
func (d tempDir) remove(ctx context.Context) error {
	if d.lock != nil {
		defer d.lock.Close()
	}
	defer d.cleaner.stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := os.RemoveAll(d.root)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("removing the browser's temporary directory: %w", err)
		case <-tick.C:
		}
	}
}
