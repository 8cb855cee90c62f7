package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain is a text without the escapes of URLs, of JSON and of quoted text, however deep they are nested in each other. at[i] is
// where its byte i came from, and at[len(text)] is the length of what it was. at is nil when there was no escape.
//
// Which characters are escaped is up to the writer: browsers escape other ones in a path, a query and a fragment, and their JSON
// has other letters as numbers than ours. So a value is looked for in what an escaped text says.
func plain(s string) (text string, at []int) {
	if !strings.ContainsAny(s, `%\`) {
		return s, nil
	}
	var b strings.Builder
	found := false
	for i := 0; i < len(s); {
		said, n := escape(s[i:])
		found = found || n > 1
		for range len(said) {
			at = append(at, i)
		}
		b.WriteString(said)
		i += n
	}
	if !found {
		return s, nil
	}
	return b.String(), append(at, len(s))
}

// escape gives what the escape says with which s begins, or the byte with which it begins, and the length of either.
func escape(s string) (said string, n int) {
	switch {
	case s[0] == '%' && len(s) >= 3:
		if v, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return string([]byte{byte(v)}), 3
		}
	case s[0] == '\\':
		n = len(s) - len(strings.TrimLeft(s, `\`)) // an escape of an escape has more of them
		if n == len(s) {
			return `\`, n
		}
		switch c := s[n]; c {
		case '"', '\'', '/':
			return s[n : n+1], n + 1
		case 'n', 't', 'r', 'a', 'b', 'f', 'v':
			return string("\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", c)]), n + 1
		case 'x':
			if v, ok := hex(s[n+1:], 2); ok {
				return string([]byte{byte(v)}), n + 3
			}
		case 'u':
			if v, ok := hex(s[n+1:], 4); ok {
				end := n + 5
				if low := strings.TrimLeft(s[end:], `\`); 0xd800 <= v && v < 0xdc00 && len(low) > 0 && low[0] == 'u' {
					if l, ok := hex(low[1:], 4); ok && 0xdc00 <= l && l < 0xe000 {
						return string((v-0xd800)<<10 + (l - 0xdc00) + 0x10000), len(s) - len(low) + 5
					}
				}
				return string(v), end
			}
		}
		return `\`, n
	}
	return s[:1], 1
}

func hex(s string, digits int) (rune, bool) {
	if len(s) < digits {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(v), err == nil
}

// escaped masks values of which any part is escaped.
func (m *Masker) escaped(s string) string {
	text, at := plain(s)
	if at == nil {
		return s
	}
	forms, said := m.said()
	if said.Replace(text) == text {
		return s
	}
	secret := make([]bool, len(s))
	for _, form := range forms {
		for from := 0; ; {
			i := strings.Index(text[from:], form)
			if i < 0 {
				break
			}
			from += i
			note(secret, at[from], at[from+len(form)])
			from += len(form)
		}
	}
	return paint(s, secret)
}

// note marks the bytes from begin up to end.
func note(secret []bool, begin, end int) {
	for i := begin; i < end; i++ {
		secret[i] = true
	}
}

// paint masks the marked bytes.
func paint(s string, secret []bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i + 1
		for end < len(s) && secret[end] == secret[i] {
			end++
		}
		if secret[i] {
			b.WriteString(Masked)
		} else {
			b.WriteString(s[i:end])
		}
		i = end
	}
	return b.String()
}

// sayings are what the forms of a value say, the longest first.
func sayings(forms []string) []string {
	var said []string
	for _, form := range forms {
		if text, _ := plain(form); utf8.RuneCountInString(text) >= shortestMasked {
			said = append(said, text)
		}
	}
	slices.SortFunc(said, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(said)
}
