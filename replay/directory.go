package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// makeDir makes the directory name below dir, for its owner only, and gives its path. dir is made too. A symbolic link in the
// place of name is refused: what a run leaves stays where it was asked for.
func makeDir(dir, name string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	err := os.Mkdir(path, 0o700)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return path, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is no directory", path)
	}
	return path, nil
}

// home is the directory that the pictures and downloads of a run go to, as it was at the start of the run. A directory that was
// removed since is not made again, and one that took its place, or a link that did, is not written into.
type home struct{ info fs.FileInfo }

// settle remembers the directory, unless one is remembered; then it must still be that one.
func (h *home) settle(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case h.info != nil && (err != nil || !info.IsDir() || !os.SameFile(info, h.info)): // a link can have the number of the directory before it
		return fmt.Errorf("%s was removed or replaced since the run began", dir)
	case h.info != nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if err = os.MkdirAll(dir, 0o700); err == nil {
			info, err = os.Lstat(dir)
		}
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no directory", dir)
	}
	h.info = info
	return nil
}
