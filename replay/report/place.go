package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrReplaced says that a directory is no longer the one that was prepared.
var ErrReplaced = errors.New("was removed or replaced in the meantime")

// Place is a directory as it was found first. Who writes into it over a longer time asks again whether it still is that one:
// another program may have removed it, or put a link in its place.
type Place struct {
	dir  string
	info fs.FileInfo
}

// PlaceAt remembers a directory, which must be there and be no link.
func PlaceAt(dir string) (Place, error) {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("is not a directory")
	}
	if err != nil {
		return Place{}, fmt.Errorf("report directory %s: %w", dir, err)
	}
	return Place{dir, info}, nil
}

// Intact is nil while the directory is the one that was remembered; else it wraps [ErrReplaced]. That of an empty Place is nil.
func (p Place) Intact() error {
	if p.info == nil {
		return nil
	}
	if now, err := os.Lstat(p.dir); err != nil || !now.IsDir() || !os.SameFile(now, p.info) { // a link can have the number of the directory before it
		return fmt.Errorf("report directory %s: %w", p.dir, ErrReplaced)
	}
	return nil
}

// Discard takes away a file that an earlier command wrote, so that one which is killed leaves nothing that tells of another. check
// refuses what is not ours; see [CheckJUnit] and its like. An absent file is fine.
func Discard(file string, check func(string) error) error {
	if err := check(file); err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// DiscardPages takes away the pages of an earlier command in a report directory.
func DiscardPages(dir string) error {
	page := func(file string) error { return check(file, ownPage) }
	return errors.Join(Discard(filepath.Join(dir, IndexFile), page), Discard(filepath.Join(dir, FlakeFile), page), Discard(filepath.Join(dir, FlakeJSONFile), CheckFlake))
}

// staleAfter is the age at which a half-written file has no writer any more, who needs milliseconds.
const staleAfter = 10 * time.Minute

// Sweep removes what programs that were killed in the middle of writing file left beside it: regular files of the names that
// write gives, which nobody has touched for a while.
func Sweep(file string) {
	dir, prefix := filepath.Dir(file), tempPrefix(file)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // who writes there will say so
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it is not in the way
		}
	}
}

// tempPrefix begins the names of files that are to become file.
func tempPrefix(file string) string { return "." + filepath.Base(file) + "-" }
