//go:build !windows

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// cleanScript waits until the other end of its input closes, which the system sees to however a program ends, and removes the
// directory until it has stayed away for two seconds: Chrome's children end a moment later, and may make it anew to write a profile.
const cleanScript = `read -r _; n=0; away=0; while [ $n -lt 100 ] && [ $away -lt 10 ]; do n=$((n+1)); away=$((away+1)); [ -e "$1" ] && away=0 && rm -rf -- "$1"; sleep 0.2; done`

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
