// Package install gets a browser onto this machine for a replay to use.
//
// It first tries Chrome for Testing, the build that Google publishes for automation: it goes into the user's cache directory,
// next to whatever is installed, where [browser.Find] looks before anywhere else. When that cannot be had (no network, no
// build for the processor, libraries missing), it asks the system's package manager where it can do so without a dialogue,
// and else says what to type. Every step is told while it happens.
package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"retrace/replay/browser"
)

// Install gets a browser and returns the path of its executable. It writes a line for each step to out. An installed browser
// is not looked for first: that is the caller's decision. The error says what was tried and what to do by hand.
func Install(ctx context.Context, out io.Writer) (path string, err error) {
	dir, err := browser.InstallDir()
	if err != nil {
		return "", err
	}
	return installer{
		out: out, dir: dir, goos: runtime.GOOS, goarch: runtime.GOARCH, root: os.Geteuid() == 0,
		endpoint: versionsURL,
		// The answer must begin soon; the download itself takes what it takes, within ctx.
		client: &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 15 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
			DisableKeepAlives: true,
		}},
		lookPath: exec.LookPath,
		run:      run,
		find:     func() (string, error) { f, err := browser.Find(""); return f.Path, err },
	}.install(ctx)
}

// installer is Install with the machine as a value.
type installer struct {
	out          io.Writer
	dir          string
	goos, goarch string
	root         bool
	endpoint     string
	client       *http.Client
	lookPath     func(name string) (string, error)
	// run runs a command with its output going to out.
	run  func(ctx context.Context, out io.Writer, name string, args ...string) error
	find func() (string, error)
}

func run(ctx context.Context, out io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}

func (in installer) say(format string, args ...any) { fmt.Fprintf(in.out, format+"\n", args...) }

func (in installer) install(ctx context.Context) (string, error) {
	path, testingErr := in.chromeForTesting(ctx)
	if testingErr == nil {
		in.say("installed %s", path)
		return path, nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("installing a browser: %w", ctx.Err())
	}
	in.say("Chrome for Testing could not be had: %v", testingErr)
	path, packageErr := in.systemPackage(ctx)
	if packageErr == nil {
		in.say("installed %s", path)
		return path, nil
	}
	return "", fmt.Errorf("installing a browser: %w", errors.Join(
		fmt.Errorf("downloading Chrome for Testing: %w", testingErr), fmt.Errorf("using the system's packages: %w", packageErr)))
}

// systemPackage installs Chromium with apt, where it is, and elsewhere says what to type.
func (in installer) systemPackage(ctx context.Context) (string, error) {
	switch in.goos {
	case "darwin":
		return "", errors.New("install one with: brew install --cask google-chrome")
	case "windows":
		return "", errors.New("install one with: winget install Google.Chrome")
	case "linux":
	default:
		return "", errors.New("install Chromium with the system's package manager")
	}
	apt, err := in.lookPath("apt-get")
	if err != nil {
		return "", errors.New("no apt-get here; install the package chromium with the system's package manager")
	}
	command := []string{apt}
	if !in.root {
		sudo, err := in.lookPath("sudo")
		if err != nil {
			return "", errors.New("needs root; as root run: apt-get update && apt-get install -y chromium")
		}
		command = []string{sudo, apt}
	}
	for _, args := range [][]string{{"update"}, {"install", "-y", "chromium"}} {
		line := append(append([]string{}, command...), args...)
		in.say("running %s", strings.Join(line, " "))
		err := in.run(ctx, in.out, line[0], line[1:]...)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil && args[0] == "update":
			in.say("apt-get update failed (%v); going on with the package lists that are here", err)
		case err != nil:
			return "", fmt.Errorf("running %s: %w", strings.Join(line, " "), err)
		}
	}
	path, err := in.find()
	if err != nil {
		return "", fmt.Errorf("the package chromium is installed, but brought no browser: %w", err)
	}
	return path, nil
}
