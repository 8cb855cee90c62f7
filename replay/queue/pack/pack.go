// Package pack puts files into one stream of bytes and takes them out again: a recording on its way to a worker, and the
// pictures of a run on their way back. The same files give the same bytes.
//
// A pack may come from anywhere. What it holds is written below one directory only, as regular files, within [Limits].
package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Limits bound what a pack may hold.
type Limits struct {
	Files int
	Bytes int64 // of all files together
}

// Bounds of what stands in a pack beside the content of its files.
const (
	maxHeaders = 4096 // bytes for each file, in the mean
	maxName    = 1024
)

// ErrPack says that bytes are no pack, or one that holds too much or what it must not hold.
var ErrPack = errors.New("cannot be unpacked")

// File is a file to pack.
type File struct {
	Name string // with slashes
	Data []byte
}

// Files packs files, in the order of their names.
func Files(files []File) ([]byte, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Data)), Mode: 0o600, Format: tar.FormatPAX})
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.Name, err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	return out.Bytes(), nil
}

// Dir packs the regular files below a directory; it is empty when there are none.
func Dir(dir fs.FS) ([]byte, error) {
	var files []File
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(dir, name)
		files = append(files, File{name, data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	if len(files) == 0 {
		return nil, nil
	}
	return Files(files)
}

// Unpack writes the files of a pack below dir, which must exist. Regular files that are there already are replaced.
func Unpack(data []byte, dir string, limits Limits) error {
	if len(data) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	defer root.Close()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPack, err)
	}
	// Headers can be large, and many can stand before a file: they are bounded too.
	r := tar.NewReader(io.LimitReader(z, limits.Bytes+int64(limits.Files)*maxHeaders+1<<20))
	left := limits.Bytes
	for n := 0; ; n++ {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", ErrPack, err)
		case n >= limits.Files || h.Size > left:
			return fmt.Errorf("%w: it holds too much", ErrPack)
		case h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) || h.Name == "." || len(h.Name) > maxName:
			return fmt.Errorf("%w: %.200q is no regular file in it", ErrPack, h.Name)
		}
		left -= h.Size
		if err := unpack(root, h.Name, r); err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
	}
}

func unpack(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
