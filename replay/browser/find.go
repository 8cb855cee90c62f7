package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// ChromeEnv names the environment variable that says which browser to use.
const ChromeEnv = "RETRACE_CHROME"

// Found is a browser on this machine.
type Found struct {
	// Path is the executable; How says by which rule it was found, for people ("RETRACE_CHROME", "found on PATH as chromium").
	Path, How string
}

// Find looks for a browser: the given path, else the one in RETRACE_CHROME, else one that was installed with
// `retrace browser install`, else the usual names on PATH and the usual places of the operating system. A path that was asked
// for is never replaced by another browser. The error is a [*NotFoundError].
func Find(path string) (Found, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = ""
	}
	return finder{
		goos: runtime.GOOS, getenv: os.Getenv, cache: cache,
		lookPath: exec.LookPath,
		stat:     os.Stat,
		glob:     func(pattern string) []string { m, _ := filepath.Glob(pattern); return m },
	}.find(path)
}

// InstallDir is where `retrace browser install` puts browsers: retrace/chrome in the user's cache directory.
func InstallDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the user's cache directory: %w", err)
	}
	return filepath.Join(cache, "retrace", "chrome"), nil
}

// finder is Find with the machine as a value.
type finder struct {
	goos, cache string
	getenv      func(string) string
	lookPath    func(string) (string, error)
	stat        func(string) (fs.FileInfo, error)
	glob        func(string) []string
}

func (f finder) find(path string) (Found, error) {
	for _, asked := range []struct{ value, how string }{{path, "--chrome"}, {f.getenv(ChromeEnv), ChromeEnv}} {
		if asked.value == "" {
			continue
		}
		p, err := f.executable(asked.value)
		if err != nil {
			return Found{}, &NotFoundError{Tried: []string{fmt.Sprintf("%s from %s: %s", asked.value, asked.how, short(err))}}
		}
		return Found{Path: p, How: asked.how}, nil
	}
	var tried []string
	if f.cache != "" {
		pattern := filepath.Join(f.cache, "retrace", "chrome", "*", "*", installedName(f.goos))
		tried = append(tried, pattern)
		all := f.glob(pattern)
		slices.SortFunc(all, func(a, b string) int { return compareVersions(versionDir(b), versionDir(a)) })
		for _, p := range all {
			if p, err := f.executable(p); err == nil {
				return Found{Path: p, How: "installed by retrace"}, nil
			}
		}
	}
	for _, name := range names(f.goos) {
		tried = append(tried, name)
		if p, err := f.lookPath(name); err == nil {
			return Found{Path: p, How: "found on PATH as " + name}, nil
		}
	}
	for _, p := range places(f.goos, f.getenv) {
		tried = append(tried, p)
		if p, err := f.executable(p); err == nil {
			return Found{Path: p, How: "found at its usual place"}, nil
		}
	}
	return Found{}, &NotFoundError{Tried: tried}
}

// executable checks that a path or a bare name is a file that can be started. A macOS application bundle stands for the
// executable in it.
func (f finder) executable(path string) (string, error) {
	if f.goos == "darwin" && filepath.Ext(path) == ".app" {
		name := filepath.Base(path)
		path = filepath.Join(path, "Contents", "MacOS", name[:len(name)-len(".app")])
	}
	if filepath.Base(path) == path {
		return f.lookPath(path)
	}
	info, err := f.stat(path)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New("is a directory")
	case f.goos != "windows" && info.Mode().Perm()&0o111 == 0:
		return "", errors.New("is not executable")
	}
	return path, nil
}

func short(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, exec.ErrNotFound):
		return "is not on PATH"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	return err.Error()
}

// names are the browsers on PATH, most wanted first: real Chrome and Chromium before the old headless shell and before Edge,
// whose accessibility trees differ more from the recorded ones.
func names(goos string) []string {
	switch goos {
	case "windows":
		return []string{"chrome", "chromium", "msedge"}
	case "darwin":
		return []string{"chromium", "google-chrome", "chrome"}
	}
	return []string{
		"google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome",
		"google-chrome-beta", "google-chrome-unstable", "chrome-headless-shell", "headless-shell", "headless_shell",
		"microsoft-edge", "microsoft-edge-stable", "msedge",
	}
}

func places(goos string, getenv func(string) string) []string {
	switch goos {
	case "darwin":
		apps := []string{
			"Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium",
			"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
			"Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		}
		var out []string
		for _, root := range []string{"/Applications", filepath.Join(getenv("HOME"), "Applications")} {
			for _, app := range apps {
				out = append(out, filepath.Join(root, app))
			}
		}
		return out
	case "windows":
		var out []string
		for _, app := range []string{`Google\Chrome\Application\chrome.exe`, `Chromium\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
			for _, v := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
				if root := getenv(v); root != "" {
					out = append(out, root+`\`+app)
				}
			}
		}
		return out
	}
	return []string{
		"/opt/google/chrome/chrome", "/usr/bin/google-chrome", "/usr/bin/chromium", "/usr/lib/chromium/chromium",
		"/snap/bin/chromium", "/usr/local/bin/chrome", "/headless-shell/headless-shell",
	}
}

// installedName is the executable of Chrome for Testing inside its unpacked directory.
func installedName(goos string) string {
	switch goos {
	case "windows":
		return "chrome.exe"
	case "darwin":
		return filepath.Join("Google Chrome for Testing.app", "Contents", "MacOS", "Google Chrome for Testing")
	}
	return "chrome"
}

// versionDir is the version in …/retrace/chrome/VERSION/PLATFORM/chrome.
func versionDir(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		if filepath.Base(parent) == "chrome" && filepath.Base(filepath.Dir(parent)) == "retrace" {
			return filepath.Base(dir)
		}
	}
}

// compareVersions orders dotted numbers by number.
func compareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y int
		x, a = nextNumber(a)
		y, b = nextNumber(b)
		if x != y {
			return x - y
		}
	}
	return 0
}

func nextNumber(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && s[i] != '.'; i++ {
		if c := s[i]; c >= '0' && c <= '9' && n < 1<<28 {
			n = n*10 + int(c-'0')
		}
	}
	if i < len(s) {
		i++
	}
	return n, s[i:]
}
