package browser

import (
	"bytes"
	"fmt"
	"io"
)

// Pages decide how large some messages are: one line of the console can hold hundreds of megabytes, and decoding takes some
// ten times the size of a message in memory.
const (
	maxTalk    = 16 << 20  // of what a page says to its developer; a larger one is cut off, and so cannot be read
	maxMessage = 256 << 20 // of anything else; pictures and trees of large pages take a tenth. A larger one ends the connection: an event that is not known could hide where a page went
)

// talk are the beginnings of events that tell what a page says to its developer. Nothing is decided by them.
var talk = [][]byte{[]byte(`{"method":"Runtime.consoleAPICalled"`), []byte(`{"method":"Runtime.exceptionThrown"`), []byte(`{"method":"Log.entryAdded"`)}

// bounded passes messages on that end with a zero byte each, and holds them to their largest sizes.
type bounded struct {
	io.ReadCloser
	maxTalk, maxMessage int

	head  [40]byte // of the message that is being read
	size  int      // of it, so far
	noise bool     // it is talk
	large bool     // one was too large, and was not talk
}

func (b *bounded) Read(p []byte) (int, error) {
	for {
		n, err := b.ReadCloser.Read(p)
		kept := b.filter(p[:n])
		if b.large {
			return 0, fmt.Errorf("a message is larger than %d MiB", b.maxMessage>>20)
		}
		if kept > 0 || err != nil || len(p) == 0 {
			return kept, err
		}
	}
}

// filter moves what is passed on to the front of p, and returns its length.
func (b *bounded) filter(p []byte) int {
	kept, rest := 0, p
	for len(rest) > 0 {
		part := rest
		if end := bytes.IndexByte(rest, 0); end >= 0 {
			part = rest[:end]
		}
		pass := b.take(part)
		kept += copy(p[kept:], part[:pass])
		if len(part) == len(rest) {
			break
		}
		p[kept] = 0
		kept++
		b.size, b.noise = 0, false
		rest = rest[len(part)+1:]
	}
	return kept
}

// take counts more bytes of the message, and returns how many of them are passed on.
func (b *bounded) take(part []byte) int {
	if b.size < len(b.head) {
		copy(b.head[b.size:], part)
		for _, t := range talk {
			b.noise = b.noise || b.size+len(part) >= len(t) && bytes.HasPrefix(b.head[:], t)
		}
	}
	before := b.size
	b.size += len(part)
	if !b.noise {
		b.large = b.large || b.size > b.maxMessage
		return len(part)
	}
	return min(len(part), max(0, b.maxTalk-before))
}
