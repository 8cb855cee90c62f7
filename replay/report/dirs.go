package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dirs makes the directories of runs within a report. The zero value is ready to use; two traces of one name get
// directories of two names.
type Dirs struct{ taken map[string]int } // by the name in small letters, the last number tried for it

// Name gives the directory of the trace called name within the report.
func (d *Dirs) Name(name string) string {
	if d.taken == nil {
		d.taken = map[string]int{IndexFile: 1, ResultsFile: 1}
	}
	base := slug(name)
	unique, n := base, max(d.taken[strings.ToLower(base)], 1)
	for d.taken[strings.ToLower(unique)] > 0 {
		n++
		unique = base + "-" + strconv.Itoa(n)
	}
	d.taken[strings.ToLower(base)] = n
	d.taken[strings.ToLower(unique)] = max(d.taken[strings.ToLower(unique)], 1)
	return unique
}

// Make creates the directory for the trace called name below the report directory dir, and gives its name. See [MakeDir].
func (d *Dirs) Make(dir, name string) (string, error) {
	unique := d.Name(name)
	return unique, MakeDir(filepath.Join(dir, unique))
}

// MakeDir creates a directory of a run unless it is there. It exists for its owner only, and is refused when it is a symbolic
// link ([ErrLink]).
func MakeDir(path string) error {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		var info fs.FileInfo
		if info, err = os.Lstat(path); err == nil {
			switch {
			case info.Mode()&fs.ModeSymlink != 0:
				return fmt.Errorf("report directory %s: %w", path, ErrLink)
			case !info.IsDir():
				return fmt.Errorf("report directory %s: is not a directory", path)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("report directory: %w", err)
	}
	return nil
}

// slug makes a file name of the name of a trace: letters and digits of any script, dots, dashes and underscores, and
// no dot at its beginning.
func slug(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r):
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	s := strings.Trim(strings.TrimSuffix(b.String(), ".json"), ".-")
	for len(s) > 80 { // file systems count bytes
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	if s == "" {
		return "trace"
	}
	return s
}
