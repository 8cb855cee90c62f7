package flake

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what is listed.
const (
	mostValues = 6
	mostTexts  = 8
)

// changes are the kinds of evidence that are not the same in all samples.
func changes(all []sample) []Change {
	var out []Change
	for _, k := range []struct {
		what string
		of   func(sample) string
	}{
		{"outcome", sample.outcome},
		{"address after the step", func(s sample) string { return s.step.URL }},
		{"decision", func(s sample) string { return s.decision() }},
		{"candidates", func(s sample) string {
			if s.step.Decision == nil {
				return ""
			}
			return strconv.Itoa(s.step.Decision.Total)
		}},
		{"element", func(s sample) string {
			if c := s.chosen(); c != nil {
				return label(c.Role, c.Name)
			}
			return ""
		}},
		{"recorded effect", func(s sample) string {
			if s.step.Effect == nil {
				return ""
			}
			return strings.ReplaceAll(string(s.step.Effect.Verdict), "_", " ")
		}},
		{"in the way", func(s sample) string {
			w := s.obstacle()
			if w.Idle < 100 {
				return ""
			}
			return strings.TrimSuffix(string(w.For)+": "+w.Text, ": ")
		}},
		{"documents loaded", func(s sample) string { return strconv.FormatInt(s.step.Course.Documents, 10) }},
		{"failed requests", func(s sample) string { return first(s.step.Requests) }},
		{"console", func(s sample) string { return first(s.step.Console) }},
		{"dialogs", func(s sample) string {
			if len(s.step.Dialogs) == 0 {
				return ""
			}
			return s.step.Dialogs[0].Type + " " + strconv.Quote(s.step.Dialogs[0].Text)
		}},
	} {
		if c, ok := change(k.what, all, k.of); ok {
			out = append(out, c)
		}
	}
	return append(out, texts(all)...)
}

// change counts the values of one kind of evidence; false when there is only one. Samples without it count as "none".
func change(what string, all []sample, of func(sample) string) (Change, bool) {
	c := Change{What: what}
	for _, s := range all {
		text := of(s)
		if text == "" {
			text = "none"
		}
		i := slices.IndexFunc(c.Values, func(v Value) bool { return v.Text == text })
		if i < 0 {
			i = len(c.Values)
			c.Values = append(c.Values, Value{Text: text})
		}
		c.Values[i].Runs++
	}
	if len(c.Values) < 2 {
		return c, false
	}
	slices.SortStableFunc(c.Values, func(a, b Value) int { return cmp.Compare(b.Runs, a.Runs) })
	if n := len(c.Values) - mostValues; n > 0 {
		runs := 0
		for _, v := range c.Values[mostValues:] {
			runs += v.Runs
		}
		c.Values = append(c.Values[:mostValues], Value{Text: fmt.Sprintf("%d more", n), Runs: runs})
	}
	return c, true
}

// texts are names that the page showed in some runs and not in others, when the target was decided on.
func texts(all []sample) []Change {
	pages, n := 0, map[string]int{}
	var order []string
	for _, s := range all {
		if s.page == nil {
			continue
		}
		pages++
		seen := map[string]bool{}
		for _, name := range s.page.Names {
			if !seen[name] {
				seen[name] = true
				if n[name]++; n[name] == 1 {
					order = append(order, name)
				}
			}
		}
	}
	c := Change{What: "on the page"}
	for _, name := range order {
		if n[name] < pages && len(c.Values) < mostTexts {
			c.Values = append(c.Values, Value{name, n[name]})
		}
	}
	if len(c.Values) == 0 {
		return nil
	}
	return []Change{c}
}

func (s sample) outcome() string {
	if f := s.step.Failure; f != nil {
		return "failed: " + string(f.Code)
	}
	return strings.ReplaceAll(s.signature(), "_", " ")
}

func (s sample) decision() string {
	d := s.step.Decision
	if d == nil {
		return ""
	}
	if d.Tier == "" {
		return string(d.Outcome)
	}
	return string(d.Outcome) + ", " + string(d.Tier)
}

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return clip(lines[0])
}

// clip cuts a line to a readable length.
func clip(s string) string {
	if r := []rune(s); len(r) > 160 {
		return string(r[:159]) + "…"
	}
	return s
}
