package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// versionsURL lists the newest builds of Chrome for Testing with their downloads.
const versionsURL = "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json"

// maxArchive bounds a download; builds are about 200 MB.
const maxArchive = 1 << 30

// release is one build for one platform.
type release struct{ version, platform, url string }

// chromeForTesting downloads the stable build and returns its executable. A build that is there already is used.
func (in installer) chromeForTesting(ctx context.Context) (string, error) {
	platform, err := platform(in.goos, in.goarch)
	if err != nil {
		return "", err
	}
	in.say("asking for the newest Chrome for Testing (%s)", platform)
	rel, err := in.newest(ctx, platform)
	if err != nil {
		return "", err
	}
	home := filepath.Join(in.dir, rel.version)
	path := filepath.Join(home, "chrome-"+platform, executable(in.goos))
	if _, err := os.Stat(path); err == nil {
		in.say("Chrome for Testing %s is here already", rel.version)
		return path, in.check(ctx, path)
	}
	if err := os.MkdirAll(in.dir, 0o755); err != nil {
		return "", fmt.Errorf("making %s: %w", in.dir, err)
	}
	// Beside its final place, so that the last step is a rename and a broken download never looks like a browser.
	work, err := os.MkdirTemp(in.dir, ".partial-")
	if err != nil {
		return "", fmt.Errorf("making a directory in %s: %w", in.dir, err)
	}
	defer os.RemoveAll(work)
	archive := filepath.Join(work, "chrome.zip")
	in.say("downloading Chrome for Testing %s from %s", rel.version, rel.url)
	if err := in.download(ctx, rel.url, archive); err != nil {
		return "", err
	}
	in.say("unpacking it to %s", home)
	unpacked := filepath.Join(work, "unpacked")
	if err := unzip(ctx, archive, unpacked); err != nil {
		return "", fmt.Errorf("unpacking %s: %w", rel.url, err)
	}
	if _, err := os.Stat(filepath.Join(unpacked, "chrome-"+platform, executable(in.goos))); err != nil {
		return "", fmt.Errorf("the archive %s holds no %s", rel.url, executable(in.goos))
	}
	if err := os.RemoveAll(home); err != nil {
		return "", fmt.Errorf("removing the old %s: %w", home, err)
	}
	if err := os.Rename(unpacked, home); err != nil {
		return "", fmt.Errorf("moving the browser to its place: %w", err)
	}
	if err := in.check(ctx, path); err != nil {
		os.RemoveAll(home) // it would be found and fail later
		return "", err
	}
	return path, nil
}

// check starts the browser for its version: on Linux its libraries may be missing. Windows has no such switch.
func (in installer) check(ctx context.Context, path string) error {
	if in.goos == "windows" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var out strings.Builder
	if err := in.run(ctx, &out, path, "--version"); err != nil {
		text := strings.TrimSpace(out.String())
		if text == "" {
			return fmt.Errorf("the browser does not start: %w", err)
		}
		line, _, _ := strings.Cut(text, "\n")
		return fmt.Errorf("the browser does not start: %w: %s", err, line)
	}
	return nil
}

// platform is Chrome for Testing's name for the machine.
func platform(goos, goarch string) (string, error) {
	name, ok := map[string]string{
		"linux/amd64": "linux64", "darwin/arm64": "mac-arm64", "darwin/amd64": "mac-x64",
		"windows/amd64": "win64", "windows/386": "win32", "windows/arm64": "win64",
	}[goos+"/"+goarch]
	if !ok {
		return "", fmt.Errorf("there is no build for %s on %s", goos, goarch)
	}
	return name, nil
}

// executable is the browser inside the archive's only directory, which [browser.Find] knows too.
func executable(goos string) string {
	switch goos {
	case "windows":
		return "chrome.exe"
	case "darwin":
		return filepath.Join("Google Chrome for Testing.app", "Contents", "MacOS", "Google Chrome for Testing")
	}
	return "chrome"
}

// newest asks which build is the stable one.
func (in installer) newest(ctx context.Context, platform string) (release, error) {
	// The list is small; a network that swallows packets must not hold up the other way.
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	body, _, err := in.get(ctx, in.endpoint)
	if err != nil {
		return release{}, err
	}
	defer body.Close()
	var list struct {
		Channels map[string]struct {
			Version   string `json:"version"`
			Downloads map[string][]struct {
				Platform string `json:"platform"`
				URL      string `json:"url"`
			} `json:"downloads"`
		} `json:"channels"`
	}
	if err := json.NewDecoder(io.LimitReader(body, 10<<20)).Decode(&list); err != nil {
		return release{}, fmt.Errorf("reading %s: %w", in.endpoint, err)
	}
	stable := list.Channels["Stable"]
	if !dotted.MatchString(stable.Version) {
		return release{}, fmt.Errorf("%s names no stable version", in.endpoint)
	}
	for _, d := range stable.Downloads["chrome"] {
		if d.Platform == platform {
			return release{stable.Version, platform, d.URL}, nil
		}
	}
	return release{}, fmt.Errorf("version %s of Chrome for Testing has no build for %s", stable.Version, platform)
}

// dotted keeps a version, which becomes the name of a directory, from being anything else.
var dotted = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*$`)

func (in installer) get(ctx context.Context, url string) (io.ReadCloser, int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("asking %s: %w", url, err)
	}
	resp, err := in.client.Do(req)
	if err != nil {
		return nil, 0, err // names method and URL itself
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, 0, fmt.Errorf("%s answered %s", url, resp.Status)
	}
	return resp.Body, resp.ContentLength, nil
}

func (in installer) download(ctx context.Context, url, to string) error {
	body, length, err := in.get(ctx, url)
	if err != nil {
		return err
	}
	defer body.Close()
	f, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("downloading %s: %w", url, err)
	}
	n, err := io.Copy(f, io.LimitReader(body, maxArchive+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("downloading %s: %w", url, err)
	}
	switch {
	case n > maxArchive:
		return fmt.Errorf("downloading %s: more than %d MB", url, maxArchive>>20)
	case length >= 0 && n != length:
		return fmt.Errorf("downloading %s: got %d of %d bytes", url, n, length)
	}
	return nil
}
