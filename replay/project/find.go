package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"retrace/replay/jsonast"
)

const maxBytes = 1 << 20

// Load reads the project file that the user named.
func Load(file string) (*File, error) { return load(file, true) }

func load(file string, named bool) (*File, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // before it is opened: opening a pipe would wait
		return nil, jsonast.Errors{{File: file, Text: "is not a regular file"}}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("project file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("project file: %w", err)
	}
	if len(data) > maxBytes {
		return nil, jsonast.Errors{{File: file, Text: fmt.Sprintf("is larger than %d bytes", maxBytes)}}
	}
	return Parse(data, file, named)
}

// Find looks for the project file of a recording (a directory, or a file in one): in its directory and in each above it, up to
// the working directory dir or to the root of a repository, which has a .git. A recording that lies in neither is looked for
// in its own directory and the one above only. It is nil, and no error, when there is none.
//
// A file that belongs to somebody else than the recording does is an error: in a directory that others can write to, anyone
// could leave one.
func Find(recording, dir string) (*File, error) {
	start, err := filepath.Abs(recording)
	if err != nil {
		return nil, fmt.Errorf("project file: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("project file: %w", err)
	}
	info, err := os.Stat(start)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // who reads the recording will say so
	}
	if err != nil {
		return nil, fmt.Errorf("project file: %w", err)
	}
	at := start
	if !info.IsDir() {
		at = filepath.Dir(start)
	}
	for _, at := range searched(at, dir) {
		file := filepath.Join(at, FileName)
		there, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("project file: %w", err)
		}
		if there.Mode()&fs.ModeSymlink != 0 {
			return nil, jsonast.Errors{{File: file, Text: "is a symbolic link, which is followed only when the file is named with --config"}}
		}
		if !sameOwner(info, there) {
			return nil, jsonast.Errors{{File: file, Text: "belongs to another user than the recording; name it with --config if it is to be used, or ignore it with --no-config"}}
		}
		return load(file, false)
	}
	return nil, nil
}

// searched are the directories to look into, from a directory upwards.
func searched(from, working string) []string {
	inside := from == working || strings.HasPrefix(from, strings.TrimSuffix(working, string(filepath.Separator))+string(filepath.Separator))
	var out []string
	for at := from; ; at = filepath.Dir(at) {
		out = append(out, at)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == working {
			return out
		}
		if at == filepath.Dir(at) { // the root: neither was met
			if !inside {
				return out[:min(2, len(out))]
			}
			return out
		}
	}
}

// below says why a path does not lead to something below dir; "" when it does. Links are followed.
func below(dir, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsLocal(path) {
		return "does not lie below the directory of the project file"
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return "" // who reads it will say so
	}
	home, err2 := filepath.EvalSymlinks(dir)
	if err := errors.Join(err, err2); err != nil {
		return "cannot be followed"
	}
	if rel, err := filepath.Rel(home, real); err != nil || !filepath.IsLocal(rel) {
		return "leads out of the directory of the project file by a link"
	}
	return ""
}
