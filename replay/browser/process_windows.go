package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
)

// attachPipes gives Chrome its ends of the pipes as two handles named on its command line, and keeps our ends from it.
func attachPipes(cmd *exec.Cmd, childR, childW, r, w *os.File) error {
	for _, f := range []*os.File{r, w} {
		if err := syscall.SetHandleInformation(syscall.Handle(f.Fd()), syscall.HANDLE_FLAG_INHERIT, 0); err != nil {
			return fmt.Errorf("keeping a pipe from the browser: %w", err)
		}
	}
	in, out := syscall.Handle(childR.Fd()), syscall.Handle(childW.Fd())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		AdditionalInheritedHandles: []syscall.Handle{in, out},
		CreationFlags:              syscall.CREATE_NEW_PROCESS_GROUP,
	}
	cmd.Args = slices.Insert(cmd.Args, 1, "--remote-debugging-pipe",
		"--remote-debugging-io-pipes="+strconv.FormatUint(uint64(in), 10)+","+strconv.FormatUint(uint64(out), 10))
	return nil
}

// isolate has nothing to add: the process group is set with the pipes.
func isolate(*exec.Cmd) {}

// kill ends Chrome and its children at once.
func (p *process) kill() error {
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.cmd.Process.Pid)).Run(); err != nil {
		return p.cmd.Process.Kill()
	}
	return nil
}

// sweep has nothing to do: children of Chrome live in its job object.
func (p *process) sweep(context.Context) {}

func root() bool { return false }
