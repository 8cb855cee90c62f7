package trace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"shop/cart/trace.json", "shop/pay/trace.json", "shop/pay/inner/trace.json", "desk/trace.json", ".old/trace.json", "shop/notes.txt", "one.json", "empty/notes.txt", "odd[1]/trace.json"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, tt := range []struct {
		path string
		want []string
		err  string
	}{
		{path: "-", want: []string{"-"}},
		{path: "desk", want: []string{"desk"}},
		{path: "one.json", want: []string{"one.json"}},
		{path: "shop", want: []string{"shop/cart", "shop/pay"}},
		{path: ".", want: []string{"desk", "odd[1]", "shop/cart", "shop/pay"}},
		{path: "odd[1]", want: []string{"odd[1]"}},
		{path: "shop/*a*", want: []string{"shop/cart", "shop/pay"}},
		{path: "[s-t]*", want: []string{"shop/cart", "shop/pay"}},
		{path: "nowhere", want: []string{"nowhere"}},
		{path: "x*", err: "x*: matches nothing: file does not exist"},
		{path: "[", err: "[: syntax error in pattern"},
		{path: "empty", err: "empty holds no trace.json, and no directory below it does: file does not exist"},
	} {
		got, err := Find(tt.path)
		if message := ""; err != nil {
			if message = err.Error(); message != tt.err {
				t.Errorf("%s: error %q, want %q", tt.path, message, tt.err)
			}
		} else if tt.err != "" {
			t.Errorf("%s: no error, want %q", tt.path, tt.err)
		}
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}
