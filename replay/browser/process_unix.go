//go:build !windows

package browser

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// attachPipes gives Chrome its ends of the pipes as the file descriptors 3 (commands) and 4 (replies and events).
func attachPipes(cmd *exec.Cmd, childR, childW, _, _ *os.File) error {
	cmd.Args = append(cmd.Args, "--remote-debugging-pipe")
	cmd.ExtraFiles = []*os.File{childR, childW}
	return nil
}

// kill ends Chrome and the processes of its group at once.
func (p *process) kill() error {
	err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// root says whether we run as root, where Chrome refuses to start with its sandbox.
func root() bool { return os.Geteuid() == 0 }
