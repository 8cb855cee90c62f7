//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package browser

import "os"

// lockFile locks nothing here, and orphaned directories stay.
func lockFile(string) (*os.File, error) { return nil, nil }
