package resolve

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalise brings a name into the form in which names are compared: compatibility composition (NFKC, so full-width forms
// and no-break spaces become plain ones), no invisible characters (soft hyphen, zero width, direction marks, private-use
// icon glyphs), runs of white space as one space, no state suffix that a recorder adds to controls with a popup.
func Normalise(s string) string {
	if plainASCII(s) {
		return StripSuffix(strings.Join(strings.Fields(s), " "))
	}
	// What is removed before stands in the way of no composition.
	s = strings.Map(visible, norm.NFKC.String(strings.Map(visible, s)))
	return StripSuffix(strings.Join(strings.Fields(s), " "))
}

// visible drops characters that nobody sees, for strings.Map.
func visible(r rune) rune {
	if r == '\u00ad' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) {
		return -1
	}
	return r
}

func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// StripSuffix removes the " [expanded]" or " [has-submenu]" that the recorder adds to the names of controls with a popup.
func StripSuffix(s string) string {
	for _, suffix := range []string{" [expanded]", " [has-submenu]"} {
		if t, ok := strings.CutSuffix(s, suffix); ok {
			return t
		}
	}
	if s == "[expanded]" || s == "[has-submenu]" {
		return ""
	}
	return s
}

// fold is a name without white space and case: what is left when the text is the same but its markup or style changed.
func fold(normalised string) string {
	return strings.ToLower(strings.ReplaceAll(normalised, " ", ""))
}

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var (
	months = regexp.MustCompile(`(?i)\b(?:` + monthNames + `)\b`)
	days   = regexp.MustCompile(`(?i)\b(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b`)
	cjkDay = regexp.MustCompile(`(?:星期|周)[一二三四五六日天]`)
	digits = regexp.MustCompile(`\d+(?:[.,:/ -]\d+)*`)
)

// Soften replaces the volatile parts of a normalised text, numbers with their separators (counts, dates, times, prices),
// names of months and of weekdays, by signs. Two texts that soften to the same differ only in such a part. The second
// result says whether there was any.
func Soften(s string) (string, bool) {
	t := digits.ReplaceAllString(s, "#")
	if hasDigit(s) {
		t = months.ReplaceAllString(t, "%")
		t = days.ReplaceAllString(t, "%")
		t = cjkDay.ReplaceAllString(t, "%")
	}
	return t, t != s
}

// SoftenNumbers is the part of [Soften] that concerns numbers only.
func SoftenNumbers(s string) (string, bool) {
	t := digits.ReplaceAllString(s, "#")
	return t, t != s
}

func hasDigit(s string) bool {
	return strings.IndexFunc(s, unicode.IsDigit) >= 0
}
