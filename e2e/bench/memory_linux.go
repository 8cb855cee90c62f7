package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// watchMemory samples the memory of the tool's process and of the browser's processes until the returned function is called,
// and keeps the most that it saw in w.
func watchMemory(w *wire, tool, chrome int) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			w.ToolMB = max(w.ToolMB, status(tool, "VmHWM:"))
			w.ChromeMB = max(w.ChromeMB, shares(chrome))
			select {
			case <-tick.C:
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// status is a figure of /proc/PID/status, in megabytes; 0 when the process has gone.
func status(pid int, field string) float64 { return figure(fmt.Sprintf("/proc/%d/status", pid), field) }

// shares is the memory of a process and its descendants, what several share counted once.
func shares(root int) float64 {
	parents := map[int]int{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(d))
		data, err := os.ReadFile(d + "/stat")
		if err != nil {
			continue
		}
		// The name is in parentheses and may hold anything.
		rest := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(rest) > 1 {
			parents[pid], _ = strconv.Atoi(rest[1])
		}
	}
	var sum float64
	for pid := range parents {
		for p := pid; p > 1; p = parents[p] {
			if p == root {
				sum += figure(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:")
				break
			}
		}
	}
	return sum
}

// figure is the number of kilobytes after a field of a file of /proc, in megabytes.
func figure(file, field string) float64 {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(data), field)
	if !ok {
		return 0
	}
	kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kb / 1024
}

// series samples the resident memory of a process until the returned function is called.
func series(into *[]float64, pid int) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			if mb := status(pid, "VmRSS:"); mb > 0 {
				*into = append(*into, mb)
			}
			select {
			case <-tick.C:
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
