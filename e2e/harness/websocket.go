package harness

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Kinds of WebSocket frames (RFC 6455, section 5.2).
const (
	opContinue = 0
	opText     = 1
	opControl  = 8 // and above: close, ping, pong
)

// maxMessage bounds a message, in bytes: nothing that a browser says is near it.
const maxMessage = 256 << 20

// readMessage reads a whole message with its kind; the masking of a client is taken off. Control frames are messages of
// their own, also between the parts of another one, so the parts so far are kept in rest.
func readMessage(r *bufio.Reader, rest *[]byte) (op byte, payload []byte, err error) {
	for {
		var head [2]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 0, nil, err
		}
		size := uint64(head[1] & 0x7f)
		switch size {
		case 126:
			var b [2]byte
			_, err = io.ReadFull(r, b[:])
			size = uint64(binary.BigEndian.Uint16(b[:]))
		case 127:
			var b [8]byte
			_, err = io.ReadFull(r, b[:])
			size = binary.BigEndian.Uint64(b[:])
		}
		if err != nil {
			return 0, nil, err
		}
		if size > maxMessage {
			return 0, nil, fmt.Errorf("websocket frame of %d bytes", size)
		}
		var mask [4]byte
		if head[1]&0x80 != 0 {
			if _, err := io.ReadFull(r, mask[:]); err != nil {
				return 0, nil, err
			}
		}
		part := make([]byte, size)
		if _, err := io.ReadFull(r, part); err != nil {
			return 0, nil, err
		}
		for i := range part {
			part[i] ^= mask[i%4]
		}
		final, kind := head[0]&0x80 != 0, head[0]&0x0f
		if kind >= opControl {
			return kind, part, nil
		}
		*rest = append(*rest, part...)
		if final {
			whole := *rest
			*rest = nil
			return opText, whole, nil
		}
	}
}

// appendFrame adds a frame that holds a whole message. The masking that a client must do is with zeros.
func appendFrame(b []byte, op byte, payload []byte, client bool) []byte {
	var mask byte
	if client {
		mask = 0x80
	}
	b = append(b, 0x80|op)
	switch n := len(payload); {
	case n < 126:
		b = append(b, mask|byte(n))
	case n < 1<<16:
		b = append(b, mask|126)
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	default:
		b = append(b, mask|127)
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	if client {
		b = append(b, 0, 0, 0, 0)
	}
	return append(b, payload...)
}
