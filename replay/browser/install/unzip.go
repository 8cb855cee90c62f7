package install

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxUnpacked bounds what an archive may become; builds are about 500 MB.
const maxUnpacked = 4 << 30

// unzip unpacks an archive into dir, which it makes. Entries and links that lead out of it are refused: writing goes through an
// [os.Root].
func unzip(ctx context.Context, archive, dir string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := int64(maxUnpacked)
	for _, f := range z.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := unzipFile(root, f, left)
		if err != nil {
			return fmt.Errorf("entry %q: %w", f.Name, err)
		}
		left -= n
	}
	return nil
}

func unzipFile(root *os.Root, f *zip.File, left int64) (int64, error) {
	name := filepath.FromSlash(strings.TrimSuffix(f.Name, "/"))
	if !filepath.IsLocal(name) {
		return 0, fmt.Errorf("leads out of the archive")
	}
	mode := f.Mode()
	if mode.IsDir() {
		return 0, root.MkdirAll(name, 0o755)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return 0, err
	}
	r, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	switch {
	case mode&fs.ModeSymlink != 0:
		target, err := io.ReadAll(io.LimitReader(r, 4096))
		if err != nil {
			return 0, err
		}
		if !filepath.IsLocal(filepath.Join(filepath.Dir(name), string(target))) || filepath.IsAbs(string(target)) {
			return 0, fmt.Errorf("links to %q, out of the archive", target)
		}
		return 0, root.Symlink(string(target), name)
	case !mode.IsRegular():
		return 0, fmt.Errorf("is neither a file, a directory nor a link")
	}
	w, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode.Perm()|0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(w, io.LimitReader(r, left+1))
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err == nil && n > left {
		err = fmt.Errorf("makes the archive larger than %d GB", maxUnpacked>>30)
	}
	return n, err
}
