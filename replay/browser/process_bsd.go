//go:build !windows && !linux

package browser

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// isolate puts Chrome into a process group of its own, so that an interrupt typed at the terminal reaches us alone and Chrome
// can be closed in order. When we die, the end of its pipe makes Chrome exit.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// sweep kills what is left of Chrome's group and waits until it is gone or ctx ends.
func (p *process) sweep(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) == nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
