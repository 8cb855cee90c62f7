package batch

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

func freeMemory() int64 { return freeOn(os.DirFS("/")) }

// freeOn is the least of what the machine has available and of what the control groups of this process leave.
func freeOn(root fs.FS) int64 {
	free := available(root)
	for _, dir := range cgroups(root) {
		limit, used := number(root, dir+"/memory.max"), number(root, dir+"/memory.current")
		if limit < 0 || used < 0 {
			continue
		}
		// The page cache counts as used, and is given back when it is needed.
		used -= min(used, max(0, field(root, dir+"/memory.stat", "inactive_file")))
		if left := max(0, limit-used); free < 0 || left < free {
			free = left
		}
	}
	return free
}

// available is MemAvailable in bytes; -1 when it is not known.
func available(root fs.FS) int64 {
	kib := field(root, "proc/meminfo", "MemAvailable:")
	if kib < 0 {
		return -1
	}
	return kib << 10
}

// cgroups are the directories of the group of this process and of those above it (version 2).
func cgroups(root fs.FS) []string {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		var dirs []string
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			dirs = append(dirs, strings.TrimSuffix("sys/fs/cgroup"+group, "/"))
			if group == "/" {
				return dirs
			}
		}
	}
	return nil
}

// number reads a file with one number; -1 when there is none ("max" among them).
func number(root fs.FS, name string) int64 {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// field reads the number after a word at the beginning of a line; -1 when there is none.
func field(root fs.FS, name, word string) int64 {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return -1
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) >= 2 && f[0] == word {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return n
			}
		}
	}
	return -1
}
