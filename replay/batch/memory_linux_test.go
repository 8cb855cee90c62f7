package batch

import (
	"testing"
	"testing/fstest"
)

func TestFreeMemory(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	machine := file("MemTotal:       16000000 kB\nMemFree:         1000 kB\nMemAvailable:    4096 kB\n")
	for _, tt := range []struct {
		name string
		root fstest.MapFS
		want int64
	}{
		{"machine", fstest.MapFS{"proc/meminfo": machine}, 4 << 20},
		{"container", fstest.MapFS{
			"proc/meminfo": machine, "proc/self/cgroup": file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("3145728\n"), "sys/fs/cgroup/memory.current": file("2097152\n"), "sys/fs/cgroup/memory.stat": file("anon 7\ninactive_file 1048576\n"),
		}, 2 << 20},
		{"group above", fstest.MapFS{
			"proc/meminfo": machine, "proc/self/cgroup": file("1:cpu:/x\n0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/b/memory.current": file("5\n"),
			"sys/fs/cgroup/a/memory.max": file("1000\n"), "sys/fs/cgroup/a/memory.current": file("1500\n"),
		}, 0},
		{"unknown", fstest.MapFS{}, -1},
	} {
		if got := freeOn(tt.root); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
