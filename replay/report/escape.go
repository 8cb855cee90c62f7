package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Clean makes text from a page or a recording fit for one line of a terminal: line breaks become \n, and control
// characters, terminal sequences, invisible format characters, line separators and bytes that are not UTF-8 become
// visible escapes. That takes in the characters that change the direction of text (U+200E, U+200F, U+202A to U+202E,
// U+2066 to U+2069), with which a name can be made to read as another one. The joiners that some scripts and emoji are
// written with stay.
func Clean(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unsafe(r):
			b.WriteString(escapeRune(r))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// escapeRune writes a rune as JSON and Go do.
func escapeRune(r rune) string {
	if r > 0xffff {
		hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
		return fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// unsafe tells whether a rune may not reach a terminal as it is.
func unsafe(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Cut shortens text to at most n runes, the last of which is then an ellipsis.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:max(n-1, 0)]) + "…"
}

// columns is the room that cleaned text takes on a terminal: two for the wide characters of East Asia and none for
// combining ones.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200c' || r == '\u200d' {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// fit cuts text to n columns.
func fit(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	room := n - 1
	for i, r := range s {
		if room -= runeColumns(r); room < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// pad fills text with spaces up to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-columns(s), 0))
}
