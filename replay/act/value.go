package act

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// agreement is how a field's value relates to the one that was asked for.
type agreement struct {
	ok   bool
	note string // what the page did to a value that is still the same
	why  string // why it is not the same
}

// compare judges what a field holds after want was put in. A value that the page has only formatted (a mask that adds
// spaces, brackets or dashes between the same letters and digits) is still the same; one that lost something is not.
func compare(f FieldState, want string) agreement {
	got := f.Value
	if same(f, want) {
		return agreement{ok: true}
	}
	switch {
	case f.Kind == KindText && strings.TrimSpace(got) == strings.TrimSpace(want) && got != "":
		return agreement{ok: true, note: "the page trimmed the value"}
	case f.Type != "password" && formatted(want, got):
		return agreement{ok: true, note: "the page formatted the value"}
	}
	return agreement{why: reason(f, want)}
}

// same reports whether the field holds the value, in the normal form of its type.
func same(f FieldState, want string) bool {
	got := f.Value
	if got == want {
		return true
	}
	switch {
	case f.Kind == KindRich:
		return richText(got) == richText(want) || richText(f.Text) == richText(want) || squeeze(got) == squeeze(want)
	case f.Tag == "textarea":
		return breaks(got) == breaks(want)
	case f.Type == "color":
		return strings.EqualFold(got, want)
	case f.Type == "number" || f.Type == "range":
		a, okA := new(big.Rat).SetString(got)
		b, okB := new(big.Rat).SetString(want)
		return okA && okB && a.Cmp(b) == 0
	case f.Type == "time" || f.Type == "datetime-local":
		return clock(got) == clock(want)
	}
	return false
}

func breaks(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// richText is the text of an editable element without what editors add: no-break spaces, a break at the end.
func richText(s string) string {
	s = strings.ReplaceAll(breaks(s), "\u00a0", " ")
	return strings.TrimRight(strings.ReplaceAll(s, "\u200b", ""), "\n")
}

// squeeze is richText without line breaks, since the text content of an editable element has lost those between blocks.
func squeeze(s string) string { return strings.ReplaceAll(richText(s), "\n", "") }

// clock is a time of day, perhaps with its date, without seconds that are zero.
func clock(s string) string {
	s = strings.Replace(s, " ", "T", 1)
	if i := strings.IndexByte(s, '.'); i >= 0 && strings.Trim(s[i+1:], "0") == "" {
		s = s[:i]
	}
	if strings.Count(s, ":") == 2 {
		s = strings.TrimSuffix(s, ":00")
	}
	return s
}

// formatted reports whether got is want with only punctuation and spaces added, and nothing lost.
func formatted(want, got string) bool {
	w, g := []rune(want), []rune(got)
	if len(g) <= len(w) || want == "" {
		return false
	}
	return essence(w) == essence(g) && essence(w) != ""
}

// essence is the letters and digits of a text in their order.
func essence(s []rune) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// reason says why a value was not taken, without the value.
func reason(f FieldState, want string) string {
	length := len([]rune(want))
	switch {
	case f.MaxLength >= 0 && utf16Length(want) > f.MaxLength:
		return fmt.Sprintf("the field takes at most %d characters, and the value has %d", f.MaxLength, length)
	case f.bad || (f.Value == "" && (f.Kind == KindAssigned || f.Type == "number")):
		return fmt.Sprintf("the value is not a valid %s", typeName(f.Type))
	case f.Type == "range":
		return "the slider moved to the nearest value that it can take"
	case f.Value == "":
		return "the field stayed empty"
	case f.Kind == KindText && f.Tag == "input" && strings.ContainsAny(want, "\r\n"):
		return "the field takes a single line"
	}
	return "the page changed the value to something else"
}

func typeName(t string) string {
	switch t {
	case "datetime-local":
		return "date and time"
	case "":
		return "value"
	}
	return t
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
