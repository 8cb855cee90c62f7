package report

import (
	"strings"
	"unicode/utf8"
)

// ellipsis is where texts were cut, by us or by the browser, which leaves out the middle of long ones.
const ellipsis = "…"

// cut masks what is left of values before and after each place at which a text was cut.
func (m *Masker) cut(s string) string {
	if len(m.forms) == 0 || !strings.Contains(s, ellipsis) && !strings.ContainsAny(s, `%\\`) {
		return s
	}
	text, at := plain(s)
	if !strings.Contains(text, ellipsis) {
		return s
	}
	place := func(i int) int {
		if at == nil {
			return i
		}
		return at[i]
	}
	forms, _ := m.said()
	secret, found := make([]bool, len(s)), false
	for from := 0; ; {
		i := strings.Index(text[from:], ellipsis)
		if i < 0 {
			break
		}
		before, after := text[from:from+i], text[from+i+len(ellipsis):]
		if j := strings.Index(after, ellipsis); j >= 0 {
			after = after[:j]
		}
		begin, end := 0, 0
		for _, form := range forms {
			begin, end = max(begin, beginning(before, form)), max(end, ending(after, form))
		}
		middle := from + i
		from = middle + len(ellipsis)
		note(secret, place(middle-begin), place(middle))
		note(secret, place(from), place(from+end))
		found = found || begin+end > 0
	}
	if !found {
		return s
	}
	return paint(s, secret)
}

// beginning is the length of what is at the end of s of the beginning of form, with an escape that was cut in two; 0 when it is
// too short to tell anything.
func beginning(s, form string) int {
	if n := overlap(s, form); n > 0 {
		return n
	}
	whole := strings.TrimRight(s, "0123456789abcdefABCDEF")
	if part := strings.TrimRight(whole, `%\ux`); len(part) < len(whole) && len(s)-len(part) <= 5 {
		if n := overlap(part, form); n > 0 {
			return n + len(s) - len(part)
		}
	}
	return 0
}

// ending is the length of what is at the beginning of s of the end of form, with the rest of an escape that was cut in two; 0 when
// it is too short to tell anything.
func ending(s, form string) int {
	if n := underlap(s, form); n > 0 {
		return n
	}
	for k := 1; k < len(s) && k <= 5 && strings.IndexByte("ux0123456789abcdefABCDEF", s[k-1]) >= 0; k++ {
		if n := underlap(s[k:], form); n > 0 {
			return n + k
		}
	}
	return 0
}

// overlap is the length of the longest beginning of form with which s ends, in bytes; 0 when it is too short to tell anything.
func overlap(s, form string) int {
	for n := min(len(s), len(form)); n >= shortestMasked; n-- {
		if s[len(s)-1] == form[n-1] && strings.HasSuffix(s, form[:n]) && utf8.RuneCountInString(form[:n]) >= shortestMasked {
			return n
		}
	}
	return 0
}

// underlap is the length of the longest end of form with which s begins, in bytes; 0 when it is too short to tell anything.
func underlap(s, form string) int {
	for n := min(len(s), len(form)); n >= shortestMasked; n-- {
		if end := form[len(form)-n:]; s[0] == end[0] && strings.HasPrefix(s, end) && utf8.RuneCountInString(end) >= shortestMasked {
			return n
		}
	}
	return 0
}
