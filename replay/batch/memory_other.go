//go:build !linux

package batch

func freeMemory() int64 { return -1 }
