package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plant makes files with their own names as content, and gives their directory.
func plant(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range files {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// listing are the files below a directory, with their hashes, and the links with their targets.
func listing(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.Type()&fs.ModeSymlink != 0 {
			out[rel], err = os.Readlink(path)
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		out[rel] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCopyProfile(t *testing.T) {
	root := plant(t, "Local State", "Default/Preferences", "Default/Network/Cookies", "Default/Network/Cookies-journal", "Default/Local Storage/leveldb/000003.log",
		"Default/Cache/Cache_Data/data_0", "Default/Code Cache/js/index", "Default/Service Worker/CacheStorage/1/x", "Default/Service Worker/Database/1.log",
		"Default/Login Data", "Default/Login Data-journal", "Default/History", "Default/Web Data", "Profile 1/Preferences", "Profile 1/Network/Cookies", "Crashpad/settings.dat")
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "Default", "Link")); err != nil {
		t.Skip(err)
	}
	before := listing(t, root)
	for dir, want := range map[string][]string{
		root:                             {"Default/Local Storage/leveldb/000003.log", "Default/Network/Cookies", "Default/Network/Cookies-journal", "Default/Preferences", "Default/Service Worker/Database/1.log", "Local State"},
		filepath.Join(root, "Profile 1"): {"Default/Network/Cookies", "Default/Preferences", "Local State"},
	} {
		to := t.TempDir()
		notes, err := copyProfile(testContext(t), dir, to)
		if err != nil || len(notes) > 0 {
			t.Fatal(notes, err)
		}
		var got []string
		for f := range listing(t, to) {
			got = append(got, filepath.ToSlash(f))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("copy of %s (-want +got):\n%s", dir, diff)
		}
	}
	if diff := cmp.Diff(before, listing(t, root)); diff != "" {
		t.Errorf("the original has changed (-before +after):\n%s", diff)
	}
	for dir, want := range map[string]string{root + "/Crashpad": "is no profile of Chrome", root + "/none": "no such file"} {
		if err := FindProfile(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestHolder(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for link, want := range map[string]string{
		fmt.Sprintf("%s-%d", host, os.Getpid()): fmt.Sprintf("process %d", os.Getpid()),
		host + "-999999999":                     "", // a browser that crashed left it
		"other.example-12":                      "on other.example",
		"nonsense":                              "",
	} {
		root := plant(t, "Default/Preferences")
		if err := os.Symlink(link, filepath.Join(root, singletonLock)); err != nil {
			t.Skip(err)
		}
		if got := holder(root); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
		notes, err := copyProfile(testContext(t), root, t.TempDir())
		if err != nil || (len(notes) == 1) != (want != "") {
			t.Errorf("%s: notes %q, %v", link, notes, err)
		}
	}
}

// A real profile, made by Chrome itself, is used by way of a copy: the copy knows what the profile knows, and the original stays as
// it is to the byte.
func TestProfile(t *testing.T) {
	found, err := Find("")
	if err != nil {
		launch(t) // skips or fails
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := ""
		if c, err := r.Cookie("seed"); err == nil {
			seen = c.Value
		}
		http.SetCookie(w, &http.Cookie{Name: "seed", Value: "planted", MaxAge: 3600})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%s</title><script>document.title += " " + (localStorage.seed || ""); localStorage.seed = "stored"</script>`, seen)
	}))
	t.Cleanup(site.Close)
	dir := filepath.Join(t.TempDir(), "data")
	args := []string{"--headless=new", "--no-first-run", "--password-store=basic", "--user-data-dir=" + dir, "--dump-dom", site.URL}
	if root() {
		args = append(args, "--no-sandbox")
	}
	if out, err := exec.CommandContext(testContext(t), found.Path, args...).CombinedOutput(); err != nil {
		t.Fatalf("making a profile: %v\n%s", err, out)
	}
	before := listing(t, dir)
	b, err := Launch(testContext(t), Options{Profile: dir})
	if err != nil {
		t.Fatal(err)
	}
	temp := b.temp.root
	c, err := b.NewContext(testContext(t), ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := openPage(t, c, site.URL)
	if got, err := p.Title(testContext(t)); err != nil || got != "planted stored" {
		t.Errorf("the copy knows %q, %v", got, err)
	}
	eval[any](t, p, `(localStorage.seed = "changed", document.cookie = "more=1; max-age=3600", 0)`)
	mark := p.Mark()
	eval[any](t, p, `window.open("/popup"), 0`)
	if res, err := p.Settle(testContext(t), mark); err != nil || len(res.NewPages) != 1 {
		t.Errorf("popup: %+v, %v", res, err)
	}
	if _, err := b.NewContext(testContext(t), ContextOptions{Emulation: Emulation{Proxy: "http://127.0.0.1:1"}}); err == nil {
		t.Error("a proxy that has no effect was taken")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("the copy is still there")
	}
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("the original has changed (-before +after):\n%s", diff)
	}
}
