// Package trace reads recordings: what a person did in a browser once, written down by BrowserSkill's recorder.
//
// A recording is a list of steps (click, fill, navigate …) and a list of states, the text of the page before and after each
// step. There are several ways to have one, and [Load] takes them all: a bundle directory (trace.json, and the page
// texts in states/s1.txt, s2.txt …), a single file with the page texts inline, the answer of the recorder in which that
// is wrapped, and the older v2 form, which has addresses of pages and no texts. [Read] takes the same from a stream. Each
// becomes one [Trace], in which steps point to their states and page texts are parsed trees.
//
// Two kinds of things can be wrong. An invalid recording is refused as a whole, with all its problems at once, each naming
// file, step and field ([Errors]). A recording that is valid but will be hard to replay is read; what is known to be
// missing are its Warnings, and [Review] says what else to expect. Unknown fields are ignored, because forks of the recorder
// add some.
//
// A recording is not trusted. Its size is limited in every direction, a page text is read from the bundle's own
// directory or not at all, and text that it holds is quoted in messages.
package trace

import (
	"time"

	"retrace/keymap"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Op is the kind of a recorded step.
type Op string

// The eight kinds of steps.
const (
	Navigate  Op = "navigate"
	SwitchTab Op = "switch_tab"
	Click     Op = "click"
	Hover     Op = "hover"
	Fill      Op = "fill"
	Select    Op = "select"
	Press     Op = "press"
	Scroll    Op = "scroll"
)

// Cause says how a recorded navigation came about.
type Cause string

// The seven causes of a navigation.
const (
	UserTyped  Cause = "user_typed"
	Link       Cause = "link"
	FormSubmit Cause = "form_submit"
	Reload     Cause = "reload"
	History    Cause = "history"
	Script     Cause = "script"
	Browser    Cause = "browser"
)

// Commit says how a recorded fill ended.
type Commit string

// The three ways in which a fill ends.
const (
	CommitEnter      Commit = "enter"
	CommitSuggestion Commit = "suggestion"
	CommitBlur       Commit = "blur"
)

// Trace is one recording.
type Trace struct {
	// Name is the base name of the recording for people: the bundle's directory or the file, "-" for standard input.
	Name string
	// File is the path of the JSON file that was read, as given.
	File string
	// Version is 3 or 2. The version 4 of a fork is read as 3: it is the same with more fields.
	Version    int
	Purpose    string
	StartedAt  time.Time // zero when not said
	RecordedAt time.Time
	StoppedBy  string
	Recorder   string // version of the recorder ("0.1.6"); empty when not said
	StartURL   string
	States     []*State
	Steps      []*Step
	// Warnings are things that do not stop a replay ("states/s3.txt is missing").
	Warnings []Problem
}

// State is what a page looked like at one moment of the recording.
type State struct {
	ID        string
	URL       string
	Title     string
	Body      string // page text with its front matter
	Truncated bool
	// Tree is the parsed body; never nil, but without nodes when the body is empty (always so for v2).
	Tree *axtree.Tree
}

// Step is one recorded action.
type Step struct {
	Op Op
	ID int
	// State is the page before the action, Result the page after it. Both are set for v3. For v2 State is the page of the
	// step, and Result is the page that it navigated to, or the same page.
	State, Result *State

	Target *resolve.Descriptor // nil when the step has none

	To    string // navigate
	Cause Cause  // navigate; empty for v2, which does not say

	Value    string // fill
	Commit   Commit // fill
	Redacted bool   // fill: Value is a placeholder, the real one must be supplied

	// Selection is the recorded choice of a select; nil when it was not recorded (redacted, or nothing selected).
	Selection []Option

	Key       string           // press
	Modifiers keymap.Modifiers // press
}

// Option is one chosen option of a select.
type Option struct {
	Value string
	Label string // empty when not recorded
}
