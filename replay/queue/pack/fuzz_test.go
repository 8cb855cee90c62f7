package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzUnpack checks that whatever the bytes are, there are no more files and bytes than the limits allow, all of them regular
// files below the directory. The bytes are those of the archive within, so that the fuzzer need not learn to compress.
func FuzzUnpack(f *testing.F) {
	pack := func(headers ...tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range headers {
			h.Size = int64(len(h.Name))
			if h.Typeflag != tar.TypeReg {
				h.Size = 0
			}
			if err := w.WriteHeader(&h); err != nil {
				f.Fatal(err)
			}
			if h.Size > 0 {
				if _, err := w.Write([]byte(h.Name)); err != nil {
					f.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	f.Add(pack(tar.Header{Typeflag: tar.TypeReg, Name: "a/b.txt", Mode: 0o600}))
	f.Add(pack(tar.Header{Typeflag: tar.TypeReg, Name: "../up.txt", Mode: 0o600}))
	f.Add(pack(tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}, tar.Header{Typeflag: tar.TypeReg, Name: "a/passwd", Mode: 0o600}))
	f.Add([]byte("no archive"))
	limits := Limits{Files: 4, Bytes: 4096}
	f.Fuzz(func(t *testing.T, archive []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(archive); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		parent := t.TempDir()
		dir := filepath.Join(parent, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = Unpack(b.Bytes(), dir, limits)
		files, size := 0, int64(0)
		err := filepath.WalkDir(parent, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			if !info.Mode().IsRegular() || !strings.HasPrefix(path, dir+string(filepath.Separator)) {
				t.Errorf("%s: %s", path, info.Mode())
			}
			files, size = files+1, size+info.Size()
			return nil
		})
		if err != nil || files > limits.Files || size > limits.Bytes {
			t.Errorf("%d files, %d bytes (%v)", files, size, err)
		}
	})
}

// TestUnpackBoundsHeaders unpacks headers without an end: each is a megabyte that compresses to a thousandth.
func TestUnpackBoundsHeaders(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	long := strings.Repeat("x", 900_000)
	for range 60 {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a", PAXRecords: map[string]string{"RETRACE.x": long}, Format: tar.FormatPAX}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(b.Bytes(), t.TempDir(), Limits{Files: 1000, Bytes: 1 << 20}); err == nil {
		t.Error("54 MB of headers were read")
	}
}
