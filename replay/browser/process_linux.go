package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// isolate puts Chrome into a process group of its own, so that an interrupt typed at the terminal reaches us alone and Chrome
// can be closed in order, and has the kernel kill it when we die.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// sweep kills what is left of Chrome's group and waits until it is gone. The children of a process that ended are not ours to
// wait for, so it looks at /proc until ctx ends.
func (p *process) sweep(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for groupAlive(p.cmd.Process.Pid) {
		p.kill()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// groupAlive says whether a process of the group still runs; those that ended and were not yet collected do not count.
func groupAlive(group int) bool {
	if err := syscall.Kill(-group, 0); err == syscall.ESRCH {
		return false
	}
	return len(groupProcesses(group)) > 0
}

// groupProcesses are the directories below /proc of the processes of a group that have not ended.
func groupProcesses(group int) []string {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var dirs []string
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// "pid (name) state parent group …"; the name may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 {
			continue
		}
		if pgrp, err := strconv.Atoi(string(fields[2])); err == nil && pgrp == group && fields[0][0] != 'Z' && fields[0][0] != 'X' {
			dirs = append(dirs, "/proc/"+e.Name())
		}
	}
	return dirs
}
