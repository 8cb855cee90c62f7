package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a flag's value in bytes: "500KB", "256MB", "1GB", or a plain number. A unit is 1024 of the one before.
type size struct{ bytes *int64 }

// units are tried in this order, since all of them end in B.
var units = []struct {
	suffix string
	bytes  int64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

func (s size) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(text), u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 1 || n > math.MaxInt64/u.bytes {
			break
		}
		*s.bytes = n * u.bytes
		return nil
	}
	return fmt.Errorf("%q is no size such as 256MB", text)
}

func (s size) Type() string { return "SIZE" }

func (s size) String() string {
	if s.bytes == nil {
		return ""
	}
	for _, u := range []int{2, 1, 0} {
		if *s.bytes > 0 && *s.bytes%units[u].bytes == 0 {
			return strconv.FormatInt(*s.bytes/units[u].bytes, 10) + units[u].suffix
		}
	}
	return strconv.FormatInt(*s.bytes, 10)
}
