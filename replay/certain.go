package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrace/resolve"
)

// certain says what would have made a decision certain: what the recording would have had to say, or the page to show. Empty
// when the decision is certain. The recorded page is known when the recording has its text.
func certain(d resolve.Decision, t *resolve.Descriptor, pageKnown bool) []string {
	var out []string
	switch d.Outcome {
	case resolve.One:
		if len(d.Warnings) == 0 {
			return nil
		}
		for _, c := range d.Candidates {
			if c.Chosen {
				out = append(out, unlike(c, t)...)
			}
		}
		if len(out) == 0 {
			out = append(out, "surroundings that tell it from its equals: it was found, but "+strings.Join(d.Warnings, "; "))
		}
	case resolve.Ambiguous:
		out = append(out, tellingApart(d.Candidates)...)
	case resolve.Missing:
		out = append(out, wanting(d.Candidates, t)...)
	}
	if !pageKnown {
		out = append(out, "a recording with page texts: this one has none for the step, so places could not be compared")
	}
	return out
}

// unlike are role and name in which a candidate differs from the recording.
func unlike(c resolve.Candidate, t *resolve.Descriptor) []string {
	var out []string
	if t.Role != "" && c.Role != t.Role {
		out = append(out, fmt.Sprintf("the recorded role: recorded as %s, is %s", t.Role, c.Role))
	}
	if want, have := resolve.Normalise(t.Name), resolve.Normalise(c.Name); want != "" && want != have {
		out = append(out, fmt.Sprintf("the recorded name: recorded as %s, is %s", strconv.Quote(clip(want, 80)), strconv.Quote(clip(have, 80))))
	}
	return out
}

// tellingApart says in what the candidates of an ambiguous decision differ.
func tellingApart(cs []resolve.Candidate) []string {
	const shown = 4
	var out []string
	for _, part := range []struct {
		what string
		of   func(resolve.Candidate) string
	}{
		{"place", func(c resolve.Candidate) string { return c.Where }}, {"frame", func(c resolve.Candidate) string { return c.Frame }},
		{"state", func(c resolve.Candidate) string { return c.State }}, {"role", func(c resolve.Candidate) string { return c.Role }},
	} {
		var values []string
		for _, c := range cs {
			if v := part.of(c); v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) < 2 {
			continue
		}
		line := strings.Join(values[:min(shown, len(values))], " or ")
		if len(values) > shown {
			line += fmt.Sprintf(" or %d more", len(values)-shown)
		}
		out = append(out, fmt.Sprintf("a recording that says the %s: %s", part.what, line))
	}
	if len(out) == 0 {
		out = append(out, "a name or a place of its own on the page: the candidates differ in nothing that a recording keeps")
	}
	return out
}

// wanting says what the nearest candidate of a search without result lacks.
func wanting(cs []resolve.Candidate, t *resolve.Descriptor) []string {
	if len(cs) == 0 {
		return []string{"an element that is " + t.Describe() + ", or is called so in another way"}
	}
	c := cs[0]
	out := unlike(c, t)
	for _, e := range c.Evidence {
		if !e.Agrees && (e.Kind != "name" && e.Kind != "role" || len(out) == 0) {
			what := "agreement in " + e.Kind
			if e.Kind == "ruled out" {
				what = "a candidate that nothing rules out"
			}
			out = append(out, fmt.Sprintf("%s: the nearest, %s %s, %s", what, c.Role, strconv.Quote(clip(c.Name, 80)), e.Text))
		}
	}
	return out
}
