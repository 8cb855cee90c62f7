package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The limits of a recording. A recorder stays far below them (a page text is some 12 000 characters); they are there so
// that a broken or hostile file is refused before it fills the memory.
const (
	maxFileBytes  = 64 << 20
	maxSteps      = 10_000
	maxStates     = 10_000
	maxListed     = 10_000 // options of a select, modifiers of a key
	maxStateLines = 100_000
	// maxTextBytes and maxLines hold for the page texts of all states together.
	maxTextBytes = 256 << 20
	maxLines     = 1_000_000
)

var errTooLarge = errors.New("is larger than 64 MiB")

// readLimited reads all of r, but no more than a file of a recording may hold. The size is that of the file, as far as
// it is known, and saves reading in small pieces.
func readLimited(r io.Reader, size int64) ([]byte, error) {
	return readInto(new(bytes.Buffer), r, size)
}

// readInto is readLimited with a buffer that is used again: the bytes are good until then.
func readInto(b *bytes.Buffer, r io.Reader, size int64) ([]byte, error) {
	b.Reset()
	b.Grow(int(min(max(size, 0), maxFileBytes)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(r, maxFileBytes+1)); err != nil {
		return nil, err
	}
	if b.Len() > maxFileBytes {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// budget is what the page texts of a recording may still take.
type budget struct {
	bytes, lines int
}

// take counts one page text. It says what is too much, or nothing.
func (b *budget) take(bytes, lines int) string {
	if lines > maxStateLines {
		return fmt.Sprintf("has %d lines, at most %d are read", lines, maxStateLines)
	}
	b.bytes -= bytes
	b.lines -= lines
	switch {
	case b.bytes < 0:
		return fmt.Sprintf("is too much: all page texts together may have %d MiB", maxTextBytes>>20)
	case b.lines < 0:
		return fmt.Sprintf("is too much: all page texts together may have %d lines", maxLines)
	}
	return ""
}
