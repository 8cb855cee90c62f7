package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Names of the files of a report directory.
const (
	IndexFile   = "index.html"
	ResultsFile = "results.json"
)

// ErrForeign says that a file which would be overwritten was not written by this program.
var ErrForeign = errors.New("was not written by retrace and will not be overwritten")

// ErrLink says that a file or directory which would be written to is a symbolic link.
var ErrLink = errors.New("is a symbolic link, which is never written through")

// Prepare makes dir ready to take a report: it is created when it is absent, readable by its owner only, and refused
// when it is a symbolic link ([ErrLink]) or holds an index.html or results.json of another origin ([ErrForeign]).
func Prepare(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("report directory: %w", err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("report directory: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("report directory %s: %w", dir, ErrLink)
	case !info.IsDir():
		return fmt.Errorf("report directory %s: is not a directory", dir)
	}
	if err := check(filepath.Join(dir, IndexFile), ownPage); err != nil {
		return err
	}
	return CheckResults(filepath.Join(dir, ResultsFile))
}

// CheckResults refuses a file that [WriteResults] could not write or should not overwrite: a link, a directory or a
// file that holds something else than results. An absent or empty file is fine.
func CheckResults(file string) error { return check(file, ownResults) }

// check applies own to the beginning of a file.
func check(file string, own func([]byte) bool) error {
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s: %w", file, ErrLink)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if len(head) > 0 && !own(head) {
		return fmt.Errorf("%s: %w", file, ErrForeign)
	}
	return nil
}

// generatorMark is how a page of ours is recognised.
const generatorMark = `<meta name="generator" content="retrace`

func ownPage(head []byte) bool { return bytes.Contains(head, []byte(generatorMark)) }

// ownResults looks for the generator among the first members, because the whole file can be large.
func ownResults(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for {
		key, err := d.Token()
		if err != nil {
			return false
		}
		value, err := d.Token()
		if err != nil {
			return false
		}
		if key == "generator" {
			return value == generator
		}
		if _, nested := value.(json.Delim); nested {
			return false
		}
	}
}

// write puts data into file at once: readers see the old content or the new one. The file belongs to its owner only.
func write(file string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", file, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	if _, err = f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
