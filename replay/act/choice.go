package act

import (
	"regexp"
	"strings"
)

// Choice is an option that was recorded: its value, its label, or both.
type Choice struct{ Value, Label string }

func (c Choice) String() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Value
}

// pick is the option that a choice means.
type pick struct {
	index int
	// weak is set when the value is the recorded one but the label is not, so that the list may still be changing.
	weak bool
	note string
}

var digits = regexp.MustCompile(`\p{Nd}+`)

func label(s string) string { return strings.Join(strings.Fields(s), " ") }

// softly is a label without what changes from day to day: counts in it.
func softly(s string) string { return digits.ReplaceAllString(label(s), "#") }

// match finds the option that a choice means, in this order: value and label agree; the value agrees and no label was
// recorded, or it differs only in digits; exactly one option has the label (values are often numbered anew); the value
// agrees alone, which is weak. why says what is in the way otherwise.
func match(options []Option, c Choice) (p pick, ok bool, why string) {
	want := label(c.Label)
	var both, soft, byLabel, byValue []int
	for i, o := range options {
		text := label(o.Label) == want
		value := o.Value == c.Value && (c.Value != "" || text || want == "") // "" may mean that no value was recorded
		switch {
		case value && (text || want == ""):
			both = append(both, i)
		case value && softly(o.Label) == softly(want):
			soft = append(soft, i)
		case text && want != "":
			byLabel = append(byLabel, i)
		case value:
			byValue = append(byValue, i)
		}
	}
	switch {
	case len(both) > 0:
		return usable(options, pick{index: both[0]})
	case len(byLabel) == 1:
		p := pick{index: byLabel[0]}
		if c.Value != "" {
			p.note = "the option has another value than recorded; it was found by its label"
		}
		return usable(options, p)
	case len(byLabel) > 1:
		return pick{}, false, "several options have this label"
	case len(soft) > 0:
		return usable(options, pick{index: soft[0], note: "the option's label differs from the recording in its digits"})
	case len(byValue) > 0:
		return usable(options, pick{index: byValue[0], weak: true, note: "the option has another label than recorded; it was found by its value"})
	}
	return pick{}, false, ""
}

func usable(options []Option, p pick) (pick, bool, string) {
	if options[p.index].Disabled {
		return pick{}, false, "it is disabled"
	}
	return p, true, ""
}

// picks are the options that all choices mean. missing are the choices without one, and why the reason of the first.
type picks struct {
	indices []int
	weak    bool
	notes   []string
	missing []string
	why     string
}

func matchAll(options []Option, choices []Choice) picks {
	var out picks
	seen := map[int]bool{}
	for _, c := range choices {
		p, ok, why := match(options, c)
		if !ok {
			if len(out.missing) == 0 {
				out.why = why
			}
			out.missing = append(out.missing, c.String())
			continue
		}
		if !seen[p.index] {
			seen[p.index] = true
			out.indices = append(out.indices, p.index)
		}
		out.weak = out.weak || p.weak
		if p.note != "" {
			out.notes = append(out.notes, p.note)
		}
	}
	return out
}

// chosen reports whether exactly these options are selected.
func chosen(options []Option, indices []int) bool {
	want := map[int]bool{}
	for _, i := range indices {
		want[i] = true
	}
	for i, o := range options {
		if o.Selected != want[i] {
			return false
		}
	}
	return true
}

func labels(options []Option) []string {
	out := make([]string, 0, len(options))
	for _, o := range options {
		out = append(out, o.Label)
	}
	return out
}
