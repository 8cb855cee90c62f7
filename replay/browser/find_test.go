package browser

import (
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name      string
		goos      string
		path, env string
		onPath    []string
		files     []string // a trailing "-" makes a file that is not executable
		want      Found
		wantTried string // part of the error
	}{
		{name: "asked for", goos: "linux", path: "/x/chrome", files: []string{"/x/chrome"}, want: Found{"/x/chrome", "--chrome"}},
		{name: "asked for by name", goos: "linux", path: "brave", onPath: []string{"brave", "chromium"}, want: Found{"/bin/brave", "--chrome"}},
		{name: "asked for and missing", goos: "linux", path: "/x/chrome", onPath: []string{"chromium"}, wantTried: "/x/chrome from --chrome: does not exist"},
		{name: "asked for and not executable", goos: "linux", path: "/x/chrome", files: []string{"/x/chrome-"}, wantTried: "is not executable"},
		{name: "asked for by environment", goos: "linux", env: "/x/chrome", files: []string{"/x/chrome"}, onPath: []string{"chromium"}, want: Found{"/x/chrome", "RETRACE_CHROME"}},
		{name: "environment is wrong", goos: "linux", env: "nope", onPath: []string{"chromium"}, wantTried: "nope from RETRACE_CHROME: is not on PATH"},
		{name: "the newest of ours", goos: "linux", onPath: []string{"chromium"}, files: []string{
			"/cache/retrace/chrome/99.0.1.2/chrome-linux64/chrome", "/cache/retrace/chrome/156.0.8078.108/chrome-linux64/chrome",
			"/cache/retrace/chrome/157.0.1.1/chrome-linux64/chrome-",
		}, want: Found{"/cache/retrace/chrome/156.0.8078.108/chrome-linux64/chrome", "installed by retrace"}},
		{name: "on PATH", goos: "linux", onPath: []string{"headless-shell", "chromium"}, want: Found{"/bin/chromium", "found on PATH as chromium"}},
		{name: "Linux place", goos: "linux", files: []string{"/opt/google/chrome/chrome"}, want: Found{"/opt/google/chrome/chrome", "found at its usual place"}},
		{name: "macOS place", goos: "darwin", files: []string{"/home/u/Applications/Chromium.app/Contents/MacOS/Chromium"}, want: Found{"/home/u/Applications/Chromium.app/Contents/MacOS/Chromium", "found at its usual place"}},
		{name: "macOS bundle", goos: "darwin", path: "/A/Chromium.app", files: []string{"/A/Chromium.app/Contents/MacOS/Chromium"}, want: Found{"/A/Chromium.app/Contents/MacOS/Chromium", "--chrome"}},
		{name: "Windows place", goos: "windows", files: []string{`/pf\Microsoft\Edge\Application\msedge.exe`}, want: Found{`/pf\Microsoft\Edge\Application\msedge.exe`, "found at its usual place"}},
		{name: "nothing", goos: "linux", wantTried: "retrace browser install"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for _, f := range tt.files {
				mode := fs.FileMode(0o755)
				if strings.HasSuffix(f, "-") {
					mode = 0o644
				}
				files[strings.TrimPrefix(strings.TrimSuffix(f, "-"), "/")] = &fstest.MapFile{Mode: mode}
			}
			f := finder{
				goos: tt.goos, cache: "/cache",
				getenv: func(k string) string {
					return map[string]string{ChromeEnv: tt.env, "HOME": "/home/u", "ProgramFiles": "/pf"}[k]
				},
				lookPath: func(name string) (string, error) {
					if slices.Contains(tt.onPath, name) {
						return "/bin/" + name, nil
					}
					return "", exec.ErrNotFound
				},
				stat: func(p string) (fs.FileInfo, error) { return files.Stat(strings.TrimPrefix(p, "/")) },
				glob: func(pattern string) []string {
					m, _ := fs.Glob(files, strings.TrimPrefix(pattern, "/"))
					for i := range m {
						m[i] = "/" + m[i]
					}
					return m
				},
			}
			got, err := f.find(tt.path)
			if tt.wantTried != "" {
				var nf *NotFoundError
				if !errors.As(err, &nf) || !strings.Contains(err.Error(), tt.wantTried) {
					t.Fatalf("error = %v, want one with %q", err, tt.wantTried)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompareVersions(t *testing.T) {
	list := []string{"9.0", "156.0.10", "", "156.0.9", "156.0.9.1"}
	slices.SortFunc(list, compareVersions)
	if diff := cmp.Diff([]string{"", "9.0", "156.0.9", "156.0.9.1", "156.0.10"}, list); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
