package browser

import (
	"bytes"
	"os"
	"strconv"
)

// Memory is the memory in bytes that the browser's processes have for themselves alone; 0 when it is not known.
func (b *Browser) Memory() int64 {
	if b.proc == nil {
		return 0
	}
	var pages int64
	for _, dir := range groupProcesses(b.proc.cmd.Process.Pid) {
		statm, err := os.ReadFile(dir + "/statm") // size resident shared …, in pages
		if err != nil {
			continue
		}
		fields := bytes.Fields(statm)
		if len(fields) < 3 {
			continue
		}
		resident, err1 := strconv.ParseInt(string(fields[1]), 10, 64)
		shared, err2 := strconv.ParseInt(string(fields[2]), 10, 64)
		if err1 == nil && err2 == nil {
			pages += resident - shared
		}
	}
	return pages * int64(os.Getpagesize())
}
