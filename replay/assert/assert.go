// Package assert holds what people assert about a page beyond what a recording shows: "after step 4 the page says Thank you",
// "at the end the button Pay is disabled". It is for continuous integration without code, and is pure: a file becomes a
// [Set], and a set is compared with a page that somebody else has read.
//
// A file is a JSON object with one key, "assertions": a list in which each entry says one thing.
//
//	{"assertions": [
//	  {"after": 4, "text": "Thank you"},
//	  {"after": 4, "role": "button", "name": "Pay", "state": "disabled"},
//	  {"name": "Email", "value": "ada@example.org"},
//	  {"url": "/orders/*"},
//	  {"role": "alert", "absent": true}
//	]}
//
// An entry without "after" is about the end of the run. Names and texts are compared in the form in which the recorder's
// names are compared (white space, compatibility characters, invisible characters), and are otherwise exact. Everything
// that is wrong with a file is told at once, with line and field ([Errors]); a key that is not known is wrong, because an
// assertion that is silently ignored is worse than none.
package assert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// State is a state that an element can be asserted to be in.
type State string

// States.
const (
	Checked    State = "checked"
	Unchecked  State = "unchecked"
	Mixed      State = "mixed"
	Enabled    State = "enabled"
	Disabled   State = "disabled"
	Expanded   State = "expanded"
	Collapsed  State = "collapsed"
	Selected   State = "selected"
	Unselected State = "unselected"
	Pressed    State = "pressed"
	Unpressed  State = "unpressed"
	ReadOnly   State = "readonly"
	Focused    State = "focused"
)

var states = []State{Checked, Unchecked, Mixed, Enabled, Disabled, Expanded, Collapsed, Selected, Unselected, Pressed, Unpressed, ReadOnly, Focused}

// Assertion is one thing that must be so. It is about the address (URL), the title, a text of the page, or the elements
// with a role and a name; exactly one of these is set, Role and Name counting as one.
type Assertion struct {
	// Line is the line of the file on which it begins.
	Line int
	// After is the id of the recorded step after which it must hold; 0 for the end of the run.
	After int

	URL, Title, Text string
	Role, Name       string
	// Absent turns an assertion about a text or an element round.
	Absent bool
	// State is the state that the element must be in; empty for any.
	State State
	// Value is what the field must hold; nil for anything.
	Value *string
}

// String is the assertion in words: `text "Error" is absent`.
func (a Assertion) String() string {
	switch {
	case a.URL != "":
		return "url is " + strconv.Quote(a.URL)
	case a.Title != "":
		return "title is " + strconv.Quote(a.Title)
	case a.Text != "":
		return "text " + strconv.Quote(a.Text) + a.presence()
	case a.State != "":
		return a.element() + " is " + string(a.State)
	case a.Value != nil:
		return a.element() + " holds " + strconv.Quote(*a.Value)
	}
	return a.element() + a.presence()
}

func (a Assertion) presence() string {
	if a.Absent {
		return " is absent"
	}
	return " is present"
}

// element is `button "Pay"`, "alert", or `"Email"` when only the name is said.
func (a Assertion) element() string {
	switch {
	case a.Name == "":
		return a.Role
	case a.Role == "":
		return strconv.Quote(a.Name)
	}
	return a.Role + " " + strconv.Quote(a.Name)
}

// Set is the content of a file of assertions.
type Set struct {
	// File is where it was read from, for messages.
	File       string
	Assertions []Assertion
}

// At gives the places in s of the assertions that belong after one of the steps; those of the end for no step. A nil Set has
// none.
func (s *Set) At(steps ...int) []int {
	if s == nil {
		return nil
	}
	var out []int
	for i, a := range s.Assertions {
		if a.After == 0 && len(steps) == 0 || a.After != 0 && slices.Contains(steps, a.After) {
			out = append(out, i)
		}
	}
	return out
}

// Check looks whether the recording has the steps that the assertions name. The error is an [Errors].
func (s *Set) Check(steps []int) error {
	if s == nil {
		return nil
	}
	var errs Errors
	for i, a := range s.Assertions {
		if a.After != 0 && !slices.Contains(steps, a.After) {
			errs = append(errs, Problem{File: s.File, Line: a.Line, Field: entry(i) + ".after", Text: fmt.Sprintf("the recording has no step %d", a.After)})
		}
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// Moved returns the set with its complete addresses moved to another origin, for a replay that runs elsewhere.
func (s *Set) Moved(move func(string) string) *Set {
	if s == nil {
		return nil
	}
	out := &Set{File: s.File, Assertions: slices.Clone(s.Assertions)}
	for i := range out.Assertions {
		if a := &out.Assertions[i]; strings.Contains(a.URL, "://") {
			a.URL = move(a.URL)
		}
	}
	return out
}

func entry(i int) string { return fmt.Sprintf("assertions[%d]", i) }
