package project

import "io/fs"

// sameOwner cannot be told from what a directory says here.
func sameOwner(_, _ fs.FileInfo) bool { return true }
