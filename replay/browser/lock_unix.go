//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package browser

import (
	"os"
	"syscall"
)

// locks says whether a directory in use has a lock here.
const locks = true

// lockFile makes and locks a file, and fails when another process holds its lock. The system lets go of the lock when the
// process ends, however it ends; Chrome does not inherit it.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
