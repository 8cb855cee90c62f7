package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Load reads a recording from a bundle directory, from the trace.json inside one, or from a single JSON file (wire JSON
// with inline page texts, or the v2 form). A file may name page texts in a directory "states" beside it; nothing
// outside of that directory is opened, symbolic links included.
//
// The error is an [Errors] when the recording was read and is not valid; when a file cannot be read it wraps the
// error of package os, so that errors.Is finds fs.ErrNotExist.
func Load(path string) (*Trace, error) {
	file := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		file = filepath.Join(path, bundleFile)
		switch info, err := os.Stat(file); { // before it is opened: opening a pipe would wait
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s holds no %s: %w", path, bundleFile, fs.ErrNotExist)
		case err == nil && !info.Mode().IsRegular():
			return nil, Errors{{File: file, Text: "is not a regular file"}}
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(file, err)
	}
	defer f.Close()
	data, err := readLimited(f, fileSize(f))
	if err != nil {
		return nil, fileError(file, err)
	}
	states, closeStates, err := openStates(filepath.Dir(file))
	if err != nil {
		return nil, fileError(filepath.Join(filepath.Dir(file), statesDir), err)
	}
	defer closeStates()
	t, err := Decode(data, file, states)
	if err != nil {
		return nil, err
	}
	t.Name = baseName(file)
	return t, nil
}

// Read reads a recording from a stream; name stands for it in messages ("-" for standard input). The page texts must be
// inside the JSON: a recording whose texts are files beside it is read with a warning, and without them.
func Read(r io.Reader, name string) (*Trace, error) {
	data, err := readLimited(r, 0)
	if err != nil {
		return nil, fileError(name, err)
	}
	return Decode(data, name, nil)
}

// fileSize is the size of a regular file, else 0.
func fileSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

const (
	bundleFile = "trace.json"
	statesDir  = "states"
)

// openStates opens the directory of page texts of a bundle. It is nil when there is none.
func openStates(bundle string) (fs.FS, func(), error) {
	none := func() {}
	root, err := os.OpenRoot(bundle)
	if err != nil {
		return nil, none, nil // a stream such as /dev/fd/63 has no bundle
	}
	defer root.Close()
	states, err := root.OpenRoot(statesDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, none, nil
	}
	if err != nil {
		return nil, none, err
	}
	return states.FS(), func() { _ = states.Close() }, nil
}

// fileError says of a file why it cannot be read, without the name of the system call.
func fileError(path string, err error) error {
	if errors.Is(err, errTooLarge) {
		return Errors{{File: path, Text: err.Error()}}
	}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// baseName is the name of a recording for people: that of its bundle, or that of its file.
func baseName(file string) string {
	base := filepath.Base(file)
	if base != bundleFile {
		return base
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return base
	}
	return filepath.Base(dir)
}
