package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Find gives the recordings that a path stands for: a bundle directory or a file stands for itself, a directory that is no
// bundle for all bundles in it at any depth, in lexical order, and a pattern of [filepath.Match], where there is no such file,
// for what it matches. Hidden directories and symbolic links are not followed. A path that does not exist is given back, so that
// it is [Load] that says so; the error is for a directory or pattern that holds nothing.
func Find(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case path == "-":
		return []string{path}, nil
	case err == nil && info.IsDir() && !isBundle(path):
		return bundlesBelow(path)
	case err == nil || !strings.ContainsAny(path, `*?[`):
		return []string{path}, nil
	}
	matches, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s: matches nothing: %w", path, fs.ErrNotExist)
	}
	var out []string
	for _, m := range matches {
		info, err := os.Stat(m)
		if err == nil && info.IsDir() && !isBundle(m) {
			found, err := bundlesBelow(m)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
			continue
		}
		out = append(out, m)
	}
	return out, nil
}

// isBundle reports whether dir holds a recording; one that cannot be looked at does, so that reading it says why not.
func isBundle(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, bundleFile))
	return !errors.Is(err, fs.ErrNotExist)
}

// bundlesBelow are the bundle directories below dir.
func bundlesBelow(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case !e.IsDir():
			return nil
		case path != dir && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case isBundle(path):
			out = append(out, path)
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil, fileError(dir, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no %s, and no directory below it does: %w", dir, bundleFile, fs.ErrNotExist)
	}
	return out, nil
}
