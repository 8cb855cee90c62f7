package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parted are the parts that are left of values where an address was taken apart: at "#", before which a browser cuts off what it
// sends, and at "?". heads are the beginnings up to such a character, tails the ends from one on.
func parted(said []string) (heads, tails []string) {
	for _, value := range said {
		for i, c := range value {
			if c != '#' && c != '?' {
				continue
			}
			if utf8.RuneCountInString(value[:i]) >= shortestMasked {
				heads = append(heads, value[:i])
			}
			if utf8.RuneCountInString(value[i:]) > shortestMasked {
				tails = append(tails, value[i:])
			}
		}
	}
	return slices.Compact(heads), slices.Compact(tails)
}

// addressed masks what is left of values in the parts of addresses. A head is taken for such only between the characters that
// stand around the last part of an address: it may be a word of everyday.
func (m *Masker) addressed(s string) string {
	parts := m.parts()
	if len(parts.heads)+len(parts.tails) == 0 {
		return s
	}
	text, at := plain(s)
	place := func(i int) int {
		if at == nil {
			return i
		}
		return at[i]
	}
	secret, found := make([]bool, len(s)), false
	mark := func(part string, fits func(begin, end int) bool) {
		for from := 0; ; {
			i := strings.Index(text[from:], part)
			if i < 0 {
				return
			}
			begin, end := from+i, from+i+len(part)
			if fits(begin, end) {
				note(secret, place(begin), place(end))
				found = true
			}
			from = begin + 1
		}
	}
	for _, head := range parts.heads {
		mark(head, func(begin, end int) bool {
			next, _ := utf8.DecodeRuneInString(text[end:])
			return begin > 0 && strings.IndexByte("/?&=#,;:", text[begin-1]) >= 0 &&
				(end == len(text) || strings.ContainsRune("#?\"'`<>()[]{}\\,;…•", next) || unicode.IsSpace(next))
		})
	}
	for _, tail := range parts.tails {
		mark(tail, func(int, int) bool { return true })
	}
	if !found {
		return s
	}
	return paint(s, secret)
}
