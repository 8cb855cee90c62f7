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

	"retrace/replay"
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

// Own reports whether dir holds a report of this program.
func Own(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ResultsFile))
	return err == nil && info.Size() > 0 && CheckResults(filepath.Join(dir, ResultsFile)) == nil
}

// CheckRunDir refuses a directory of a run that is a symbolic link ([ErrLink]), or that holds something in a report directory
// which is not our own ([ErrForeign]).
func CheckRunDir(path string, own bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("report directory: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("report directory %s: %w", path, ErrLink)
	case !info.IsDir():
		return fmt.Errorf("report directory %s: is not a directory", path)
	case own:
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("report directory: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("report directory %s: %w", path, ErrForeign)
	}
	return nil
}

// CheckResults refuses a file that [WriteResults] could not write or should not overwrite: a link, a directory or a
// file that holds something else than results. An absent or empty file is fine.
func CheckResults(file string) error { return check(file, ownResults) }

// patchMark is how a patch of ours is recognised. Tools that apply patches skip lines before the first file.
const patchMark = "# Proposed by retrace"

// CheckPatch refuses a file that [WritePatch] could not write or should not overwrite.
func CheckPatch(file string) error {
	return check(file, func(head []byte) bool { return bytes.HasPrefix(head, []byte(patchMark)) })
}

// WritePatch writes a unified diff of a recording to file, atomically, below a line that says where it comes from and lines
// that give the reasons.
func WritePatch(file, diff string, proposals []replay.Proposal) error {
	if err := CheckPatch(file); err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: review it, then apply it in the directory of the recording with patch -p1.\n", patchMark)
	for _, p := range proposals {
		fmt.Fprintf(&b, "# %s\n", Clean(proposal(p)))
	}
	b.WriteString(diff)
	return write(file, b.Bytes())
}

// CheckTree refuses a file that [WriteTree] could not write or should not overwrite.
func CheckTree(file string) error {
	return check(file, func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"nodes":[`))
	})
}

// WriteTree writes a saved accessibility tree to file, atomically. Characters that could control a terminal are escaped.
func WriteTree(file string, data []byte) error {
	if err := CheckTree(file); err != nil {
		return err
	}
	return write(file, PlainJSON(data))
}

// CheckAuth refuses a file that [WriteAuth] could not write or should not overwrite: one that holds no saved state.
func CheckAuth(file string) error {
	return check(file, func(head []byte) bool {
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) && (bytes.Contains(head, []byte(`"cookies"`)) || bytes.Contains(head, []byte(`"origins"`)))
	})
}

// WriteAuth writes a saved state to file, atomically, for its owner only.
func WriteAuth(file string, data []byte) error {
	if err := CheckAuth(file); err != nil {
		return err
	}
	return write(file, data)
}

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
	f, err := os.CreateTemp(filepath.Dir(file), tempPrefix(file)+"*")
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
