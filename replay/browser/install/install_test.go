package install

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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

// entry is a member of a test archive.
type entry struct {
	name, body string
	mode       fs.FileMode
}

func archive(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, e.body)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

const versions = `{"channels":{"Stable":{"version":%q,"downloads":{"chrome":[{"platform":"linux64","url":"%s/chrome.zip"},{"platform":"win64","url":"x"}]}}}}`

// server stands for Google's; version and body are what it offers.
func server(t *testing.T, version string, body []byte) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	mux.HandleFunc("/list.json", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, versions, version, srv.URL) })
	mux.HandleFunc("/chrome.zip", func(w http.ResponseWriter, r *http.Request) { w.Write(body) })
	return srv
}

func TestInstall(t *testing.T) {
	good := archive(t, entry{"chrome-linux64/chrome", "#!", 0o755}, entry{"chrome-linux64/lib/a.so", "lib", 0o644})
	boom := errors.New("exit status 100")
	tests := []struct {
		name     string
		goos     string // linux when empty
		arch     string // amd64 when empty
		version  string // 1.2.3.4 when empty
		zip      []byte
		offline  bool
		user     bool     // not root
		programs []string // on PATH
		fail     string   // commands that start with this fail
		want     string   // path; "DIR" stands for the install directory
		runs     []string
		err      []string // parts of the error
	}{
		{name: "Chrome for Testing", zip: good, want: "DIR/1.2.3.4/chrome-linux64/chrome", runs: []string{"DIR/1.2.3.4/chrome-linux64/chrome --version"}},
		{name: "libraries missing, then apt", zip: good, programs: []string{"apt-get"}, fail: "DIR", want: "/usr/bin/chromium",
			runs: []string{"DIR/1.2.3.4/chrome-linux64/chrome --version", "/bin/apt-get update", "/bin/apt-get install -y chromium"}},
		{name: "offline, apt", offline: true, programs: []string{"apt-get"}, want: "/usr/bin/chromium",
			runs: []string{"/bin/apt-get update", "/bin/apt-get install -y chromium"}},
		{name: "offline, sudo", offline: true, user: true, programs: []string{"apt-get", "sudo"}, want: "/usr/bin/chromium",
			runs: []string{"/bin/sudo /bin/apt-get update", "/bin/sudo /bin/apt-get install -y chromium"}},
		{name: "package lists cannot be renewed", offline: true, programs: []string{"apt-get"}, fail: "/bin/apt-get update", want: "/usr/bin/chromium",
			runs: []string{"/bin/apt-get update", "/bin/apt-get install -y chromium"}},
		{name: "offline, no sudo", offline: true, user: true, programs: []string{"apt-get"}, err: []string{"needs root", "apt-get install -y chromium"}},
		{name: "offline, apt fails", offline: true, programs: []string{"apt-get"}, fail: "/bin/apt-get install",
			runs: []string{"/bin/apt-get update", "/bin/apt-get install -y chromium"}, err: []string{"exit status 100", "Chrome for Testing"}},
		{name: "offline, no apt", offline: true, err: []string{"no apt-get"}},
		{name: "offline, macOS", goos: "darwin", offline: true, err: []string{"brew install"}},
		{name: "offline, Windows", goos: "windows", offline: true, err: []string{"winget install"}},
		{name: "no build for the processor", arch: "riscv64", zip: good, programs: []string{"apt-get"}, want: "/usr/bin/chromium",
			runs: []string{"/bin/apt-get update", "/bin/apt-get install -y chromium"}},
		{name: "archive leads out", zip: archive(t, entry{"../evil", "x", 0o644}), err: []string{"leads out of the archive"}},
		{name: "link leads out", zip: archive(t, entry{"chrome-linux64/chrome", "/etc/passwd", fs.ModeSymlink | 0o777}), err: []string{"out of the archive"}},
		{name: "archive without a browser", zip: archive(t, entry{"README", "x", 0o644}), err: []string{"holds no chrome"}},
		{name: "not an archive", zip: []byte("<html>"), err: []string{"unpacking"}},
		{name: "version is a path", version: "../../x", zip: good, err: []string{"names no stable version"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "chrome")
			version := tt.version
			if version == "" {
				version = "1.2.3.4"
			}
			srv := server(t, version, tt.zip)
			if tt.offline {
				srv.Close()
			}
			local := func(s string) string { return strings.ReplaceAll(filepath.ToSlash(s), filepath.ToSlash(dir), "DIR") }
			var runs []string
			var out strings.Builder
			in := installer{
				out: &out, dir: dir, goos: tt.goos, goarch: tt.arch, root: !tt.user,
				endpoint: srv.URL + "/list.json", client: srv.Client(),
				lookPath: func(name string) (string, error) {
					if slices.Contains(tt.programs, name) {
						return "/bin/" + name, nil
					}
					return "", exec.ErrNotFound
				},
				run: func(_ context.Context, _ io.Writer, name string, args ...string) error {
					line := local(strings.Join(append([]string{name}, args...), " "))
					runs = append(runs, line)
					if tt.fail != "" && strings.HasPrefix(line, tt.fail) {
						return boom
					}
					return nil
				},
				find: func() (string, error) { return "/usr/bin/chromium", nil },
			}
			if in.goos == "" {
				in.goos = "linux"
			}
			if in.goarch == "" {
				in.goarch = "amd64"
			}
			path, err := in.install(t.Context())
			if diff := cmp.Diff(tt.runs, runs); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
			if (err != nil) != (tt.err != nil) {
				t.Fatalf("error = %v", err)
			}
			for _, part := range tt.err {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if got := local(path); got != tt.want {
				t.Errorf("path = %q, want %q", got, tt.want)
			}
			if out.Len() == 0 {
				t.Error("no step was told")
			}
			if strings.HasPrefix(tt.want, "DIR") {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o100 == 0 {
					t.Errorf("the browser is not executable: %v, %v", info, err)
				}
				if again, err := in.install(t.Context()); err != nil || again != path || !strings.Contains(out.String(), "here already") {
					t.Errorf("second install = %q, %v", again, err)
				}
			}
			left, _ := os.ReadDir(dir)
			for _, e := range left {
				if strings.HasPrefix(e.Name(), ".") || tt.want == "" || !strings.HasPrefix(tt.want, "DIR") {
					t.Errorf("%s is left behind", e.Name())
				}
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "evil")); err == nil {
				t.Error("the archive wrote outside its directory")
			}
		})
	}
}

func TestInstallEndsWithItsContext(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer srv.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in := installer{
		out: writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil }), // as soon as the first step is told
		dir: t.TempDir(), goos: "linux", goarch: "amd64", root: true, endpoint: srv.URL, client: srv.Client(),
		run:      func(context.Context, io.Writer, string, ...string) error { t.Error("a command ran"); return nil },
		lookPath: func(name string) (string, error) { return "/bin/" + name, nil },
		find:     func() (string, error) { return "", nil },
	}
	if _, err := in.install(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
