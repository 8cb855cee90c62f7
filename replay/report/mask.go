package report

import (
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"retrace/replay"
)

// Masked is what stands in place of a secret.
const Masked = "•••"

// shortestMasked is the length in runes from which a value is masked wherever it occurs. A shorter one ("NL", "42")
// occurs in too many innocent words, and would tell more by its gaps than it hides.
const shortestMasked = 4

// A Masker replaces the values of secrets, also in the forms that they take in URLs, in JSON, in quoted text and in the letters
// of a style sheet, and what is left of them where a text was cut or an address taken apart. The nil Masker changes nothing.
type Masker struct {
	replacer *strings.Replacer
	forms    []string
	said     func() ([]string, *strings.Replacer) // the same for texts without escapes; made when there is one
	parts    func() addressParts
}

// addressParts are what is left of values where addresses are taken apart.
type addressParts struct{ heads, tails []string }

// Mask makes a Masker of the values of secrets and of further texts.
func Mask(secrets replay.Secrets, more ...string) *Masker {
	forms := map[string]bool{}
	for _, value := range append(slices.Collect(maps.Values(secrets)), more...) {
		if utf8.RuneCountInString(value) < shortestMasked {
			continue
		}
		quoted := strconv.Quote(value)
		encoded, err := json.Marshal(value)
		if err != nil { // a string can always be encoded
			panic(err)
		}
		for _, form := range []string{
			value, url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(url.QueryEscape(value), "+", "%20"),
			quoted[1 : len(quoted)-1], string(encoded[1 : len(encoded)-1]), Clean(value), strings.Join(strings.Fields(value), " "),
			strings.ToUpper(value), strings.ToLower(value),
		} {
			if utf8.RuneCountInString(form) >= shortestMasked {
				forms[form] = true
			}
		}
	}
	// The replacer prefers the earlier of two forms that begin at the same place, so the longer must come first.
	ordered := make([]string, 0, len(forms))
	for form := range forms {
		ordered = append(ordered, form)
	}
	slices.SortFunc(ordered, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	said := func() ([]string, *strings.Replacer) {
		said := sayings(ordered)
		return said, masking(said)
	}
	parts := func() addressParts {
		heads, tails := parted(sayings(ordered))
		return addressParts{heads, tails}
	}
	return &Masker{masking(ordered), ordered, sync.OnceValues(said), sync.OnceValue(parts)}
}

// masking replaces texts, of which the longer ones must come first.
func masking(texts []string) *strings.Replacer {
	pairs := make([]string, 0, 2*len(texts)+2)
	for _, text := range texts {
		pairs = append(pairs, text, Masked)
	}
	// A replacer of one pair takes the square of its length to make. This one changes nothing.
	return strings.NewReplacer(append(pairs, Masked, Masked)...)
}

// String masks one text.
func (m *Masker) String(s string) string {
	if m == nil {
		return s
	}
	return m.addressed(m.cut(m.escaped(m.replacer.Replace(s))))
}

// Event gives a masked deep copy.
func (m *Masker) Event(e replay.Event) replay.Event { return mapStrings(e, m.String) }

// Result gives a masked deep copy.
func (m *Masker) Result(r *replay.Result) *replay.Result { return mapStrings(r, m.String) }

// MaskAll gives a deep copy of v in which every text is masked; m may be nil.
func MaskAll[T any](m *Masker, v T) T { return mapStrings(v, m.String) }

// Writer masks what is written to w, one call at a time: it suits loggers, which write a record in one call.
func (m *Masker) Writer(w io.Writer) io.Writer { return maskWriter{m, w} }

type maskWriter struct {
	mask *Masker
	w    io.Writer
}

func (w maskWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, w.mask.String(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
