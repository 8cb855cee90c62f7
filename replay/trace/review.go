package trace

import (
	"fmt"
	"net/url"
	"strings"

	"retrace/keymap"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Review says what will be hard when a recording is replayed: targets that the recorder could not match to its page text,
// pages of which there is no text, values that must be supplied, actions that were probably lost. It looks at the
// recording only; none of it stops a replay. Problems about the whole come first, then those of states, then those of
// steps in their order. What [Load] has already warned of is not repeated.
func Review(t *Trace) []Problem {
	r := reviewer{trace: t}
	r.whole()
	for _, s := range t.States {
		r.state(s)
	}
	for _, s := range t.Steps {
		r.step(s)
	}
	return r.found
}

type reviewer struct {
	trace *Trace
	found []Problem
}

func (r *reviewer) note(step int, field, format string, args ...any) {
	r.found = append(r.found, Problem{
		File: r.trace.File, Step: step, Field: field, Text: fmt.Sprintf(format, args...),
	})
}

func (r *reviewer) whole() {
	if len(r.trace.Steps) == 0 {
		r.note(0, "", "has no steps: there is nothing to replay")
	}
	if r.trace.Version == 2 {
		r.note(0, "", "is of version 2: it has no page texts, so that only addresses and fields can be verified")
	}
	if !isWeb(r.trace.StartURL) {
		r.note(0, "entry.start_url", "is %s, which is not a web address (http or https)", quote(r.trace.StartURL))
	}
}

func (r *reviewer) state(s *State) {
	switch {
	case r.trace.Version == 2:
		// no state has a text
	case len(s.Tree.Nodes) == 0:
		r.note(0, "state "+s.ID, "has no page text: its elements are found by role and name alone, "+
			"and what should be seen on it is not known")
	case s.Truncated:
		r.note(0, "state "+s.ID, "was cut short by the recorder: what came further down on the page is not known")
	}
}

func (r *reviewer) step(s *Step) {
	op := string(s.Op) + ": "
	if s.Target != nil {
		if text := reviewTarget(s.Target, s.State, r.trace.Version); text != "" {
			r.note(s.ID, op+"target", "%s", text)
		}
	}
	switch s.Op {
	case Navigate:
		if !isWeb(s.To) && s.To != "about:blank" {
			r.note(s.ID, op+"to", "is %s, which is not a web address (http or https)", quote(s.To))
		}
		if s.Cause == Link || s.Cause == FormSubmit || s.Cause == Script || s.Cause == Browser {
			r.note(s.ID, op+"cause", "is %s: the page probably came from an action that was not recorded", s.Cause)
		}
	case Fill:
		if s.Redacted {
			r.note(s.ID, op+"value", "was not recorded (redacted): supply it as the secret %s", secretKeys(s))
		}
		if s.Commit == CommitSuggestion {
			r.note(s.ID, op+"commit", "is suggestion: which suggestion was chosen is not recorded")
		}
	case Select:
		if s.Selection == nil {
			r.note(s.ID, op+"selection", "was not recorded (redacted, or nothing was left selected)")
		}
	case Press:
		if _, err := keymap.Lookup(s.Key); err != nil {
			r.note(s.ID, op+"key", "is %s, which is not the name of a key", quote(s.Key))
		}
	}
}

// secretKeys names the keys by which a value can be supplied.
func secretKeys(s *Step) string {
	id := fmt.Sprintf("%q", fmt.Sprint(s.ID))
	if s.Target == nil || s.Target.Name == "" {
		return id
	}
	return quote(s.Target.Name) + " or " + id
}

// reviewTarget says what is hard about a target on the page where it was recorded; it is empty when nothing is.
func reviewTarget(d *resolve.Descriptor, s *State, version int) string {
	if d.Empty() {
		return "says nothing about the element: the step cannot be replayed as it is"
	}
	if version == 2 {
		if d.Name == "" && d.NameAttr == "" && d.Placeholder == "" && d.NearbyLabel == "" {
			return fmt.Sprintf("is %s without a name", article(d.Role))
		}
		return ""
	}
	known := s != nil && len(s.Tree.Nodes) > 0
	if d.Ref != "" {
		if !known {
			return "" // said of the state
		}
		return reviewRef(d, s)
	}
	equal := 0
	if known {
		equal = countEqual(s.Tree, d)
	}
	switch {
	case d.Unmatched && d.Name == "":
		return fmt.Sprintf("is %s without a name, and was not matched to the page text", article(d.Role))
	case d.Unmatched && equal > 1:
		return fmt.Sprintf("%s was not matched to the page text, where %d lines are equal to it", describe(d), equal)
	case d.Unmatched:
		return fmt.Sprintf("%s was not matched to the page text: it is found by role and name alone", describe(d))
	case equal > 1:
		return fmt.Sprintf("%s has no reference, and %d lines of state %s are equal to it", describe(d), equal, s.ID)
	case known && equal == 0:
		return fmt.Sprintf("%s is not in the page text of state %s", describe(d), s.ID)
	}
	return ""
}

// reviewRef checks that the line with the target's reference is the target.
func reviewRef(d *resolve.Descriptor, s *State) string {
	n := s.Tree.ByRef(d.Ref)
	if n == nil {
		return fmt.Sprintf("@%s is not in the page text of state %s", word(d.Ref), s.ID)
	}
	if d.Role != "" && n.Role != d.Role || d.Name != "" && plainName(n.Name) != plainName(d.Name) {
		line := describe(&resolve.Descriptor{Role: n.Role, Name: n.Name})
		return fmt.Sprintf("%s has the reference @%s, which is %s in state %s", describe(d), word(d.Ref), line, s.ID)
	}
	return ""
}

func countEqual(t *axtree.Tree, d *resolve.Descriptor) int {
	count := 0
	for _, n := range t.Nodes {
		if n.Role == d.Role && plainName(n.Name) == plainName(d.Name) {
			count++
		}
	}
	return count
}

// plainName is a name without the state that the recorder appends to openers of popups.
func plainName(name string) string {
	for _, suffix := range []string{" [expanded]", " [has-submenu]"} {
		if plain, ok := strings.CutSuffix(name, suffix); ok {
			return plain
		}
	}
	return name
}

// describe writes a target as page texts do: button "Save".
func describe(d *resolve.Descriptor) string {
	switch {
	case d.Role == "":
		return "element " + quote(d.Name)
	case d.Name == "":
		return word(d.Role)
	}
	return word(d.Role) + " " + quote(d.Name)
}

func article(role string) string {
	switch {
	case role == "":
		return "an element"
	case strings.ContainsRune("aeiou", rune(role[0])):
		return "an " + word(role)
	}
	return "a " + word(role)
}

// word shows a role or a reference, which need no quotes unless they are not what they should be.
func word(s string) string {
	if quoted := quote(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
