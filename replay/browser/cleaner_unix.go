//go:build !windows

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// cleanScript waits until the other end of its input closes, which the system sees to however a program ends, and removes the
// directory: again and again for a moment, since Chrome's children may still write.
const cleanScript = `read -r _; for n in 1 2 3 4 5 6 7 8; do rm -rf -- "$1"; sleep 0.2; [ -e "$1" ] || exit 0; done`

// cleaner is a small shell that outlives us when we are killed, and removes the browser's directory then.
type cleaner struct {
	cmd *exec.Cmd
	end *os.File // closing it sets the shell to work
}

// startCleaner starts the shell in a session of its own, so that no signal for us reaches it.
func startCleaner(root string) (*cleaner, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting the cleaner: %w", err)
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", cleanScript, "retrace-cleaner", root)
	cmd.Stdin, cmd.Dir = r, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, fmt.Errorf("starting the cleaner: %w", err)
	}
	return &cleaner{cmd, w}, nil
}

// stop ends the shell without waiting for its work: the directory is gone already.
func (c *cleaner) stop() {
	if c == nil {
		return
	}
	_ = c.cmd.Process.Kill() // it may have ended
	_ = c.cmd.Wait()         // what it ended with says nothing
	_ = c.end.Close()
}
