//go:build !windows

package browser

import (
	"errors"
	"strconv"
	"syscall"
)

// lives reports whether there is a process with this id.
func lives(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return false
	}
	err = syscall.Kill(n, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
