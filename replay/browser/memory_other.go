//go:build !linux

package browser

// Memory is the memory in bytes that the browser's processes have for themselves alone; 0 when it is not known.
func (b *Browser) Memory() int64 { return 0 }
