package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

var roomy = Limits{Files: 10, Bytes: 1 << 20}

func TestPack(t *testing.T) {
	files := fstest.MapFS{"b/c.txt": {Data: []byte("see")}, "a.json": {Data: []byte("{}")}}
	data, err := Dir(files)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Files([]File{{"b/c.txt", []byte("see")}, {"a.json", []byte("{}")}})
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same files give other bytes, %v", err)
	}
	dir := t.TempDir()
	if err := Unpack(data, dir, roomy); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, f.Data) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := Unpack(data, dir, roomy); err != nil {
		t.Errorf("once more: %v", err)
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "other"), filepath.Join(linked, "a.json")); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(data, linked, roomy); !errors.Is(err, os.ErrExist) {
		t.Errorf("written through a link: %v", err)
	}
	if data, err := Dir(fstest.MapFS{}); len(data) > 0 || err != nil {
		t.Errorf("nothing: %d bytes, %v", len(data), err)
	}
	if err := Unpack(nil, dir, roomy); err != nil {
		t.Error(err)
	}
}

func TestUnpackRefuses(t *testing.T) {
	tarball := func(headers ...tar.Header) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		w := tar.NewWriter(z)
		for _, h := range headers {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(make([]byte, h.Size)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), z.Close()); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	regular := func(name string, size int64) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size}
	}
	for name, data := range map[string][]byte{
		"above":        tarball(regular("../x", 1)),
		"absolute":     tarball(regular("/tmp/x", 1)),
		"not clean":    tarball(regular("a/../x", 1)),
		"link":         tarball(tar.Header{Typeflag: tar.TypeSymlink, Name: "x", Linkname: "/etc/passwd"}),
		"hard link":    tarball(tar.Header{Typeflag: tar.TypeLink, Name: "x", Linkname: "y"}),
		"too large":    tarball(regular("x", 600<<10), regular("y", 600<<10)),
		"too many":     tarball(regular("0", 0), regular("1", 0), regular("2", 0), regular("3", 0), regular("4", 0), regular("5", 0), regular("6", 0), regular("7", 0), regular("8", 0), regular("9", 0), regular("10", 0)),
		"no pack":      []byte("hello"),
		"cut":          tarball(regular("x", 1000))[:40],
		"a half-world": append([]byte{0x1f, 0x8b}, 0, 0),
	} {
		dir := t.TempDir()
		if err := Unpack(data, dir, roomy); !errors.Is(err, ErrPack) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "x")); err == nil {
			t.Errorf("%s: wrote outside", name)
		}
	}
}
