package batch

import "runtime"

// MemoryPerWorker is what a replay needs beside others in bytes: its tabs, and its share of the browser.
const MemoryPerWorker = 400 << 20

// Workers is how many jobs this machine can do at a time: one for each processor, as long as each of them has MemoryPerWorker.
// Limits that a container sets count, where the system tells them.
func Workers() int { return workers(runtime.GOMAXPROCS(0), freeMemory()) }

// workers decides by processors and free bytes; free is negative when it is not known.
func workers(processors int, free int64) int {
	if free >= 0 {
		processors = min(processors, int(free/MemoryPerWorker))
	}
	return max(1, processors)
}

// FreeMemory is the memory in bytes that this process and its children may still take; -1 when it is not known.
func FreeMemory() int64 { return freeMemory() }
