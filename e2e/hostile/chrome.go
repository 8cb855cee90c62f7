package hostile

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"time"
)

// Chrome is a browser that is not the replay's own: a replay attaches to it, and the test does harm to it.
type Chrome struct {
	// URL is the ws:// address of the browser.
	URL string

	cmd  *exec.Cmd
	home string
}

var listening = regexp.MustCompile(`DevTools listening on (ws://\S+)`)

// StartChrome starts the browser at path without a window; the caller stops it.
func StartChrome(path string) (*Chrome, error) {
	home, err := os.MkdirTemp("", "h") // a short path: Chrome puts sockets there
	if err != nil {
		return nil, fmt.Errorf("start chrome: %w", err)
	}
	c := &Chrome{home: home}
	args := []string{"--headless", "--remote-debugging-port=0", "--user-data-dir=" + home, "--no-first-run", "--no-default-browser-check", "--disable-back-forward-cache",
		"--disable-features=Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	c.cmd = exec.Command(path, append(args, "about:blank")...)
	c.cmd.Env = append(os.Environ(), "TMPDIR="+home)
	c.cmd.WaitDelay = time.Second
	output, err := c.cmd.StderrPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start chrome: %w", err), os.RemoveAll(home))
	}
	lines := bufio.NewScanner(output)
	for c.URL == "" && lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			c.URL = m[1]
		}
	}
	go func() {
		for lines.Scan() { // Chrome must not wait for a reader
		}
	}()
	if c.URL == "" {
		return nil, errors.Join(errors.New("start chrome: it names no address"), c.Stop())
	}
	return c, nil
}

// PID is the process id of the browser.
func (c *Chrome) PID() int { return c.cmd.Process.Pid }

// Kill kills the browser at once.
func (c *Chrome) Kill() error { return c.cmd.Process.Kill() }

// Stop ends the browser and removes what it left.
func (c *Chrome) Stop() error {
	_ = c.cmd.Process.Kill() // it may have ended
	_ = c.cmd.Wait()         // what it ended with says nothing
	var err error
	for range 100 { // its children may write for a moment
		if err = os.RemoveAll(c.home); err == nil {
			return nil
		}
	}
	return fmt.Errorf("stop chrome: %w", err)
}
