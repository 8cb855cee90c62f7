// Package plan turns recorded steps into intents: what a person did, with the recorder's artefacts undone.
//
// A recorder watches events, and events are not intentions. One field gives a fill for every change that it reports, a label
// and its checkbox give two clicks, Enter gives a fill that ends with it and a key press too, and the page that a
// submitted form led to looks like an address that somebody opened. Other actions leave no event at all: the button
// of a search form, a suggestion that was picked. [Make] puts this right with a list of small rules, in a fixed order:
//
//   - every step becomes one intent, bound to the pages before and after it;
//   - the first intent opens the page on which the recording began;
//   - navigations are either done or, when they were an effect, awaited;
//   - fills of one field become one, with one Enter, and with the suggestion that was picked;
//   - clicks on a label and on its control become one, and hovers become attempts;
//   - where a target was in a list that nothing recorded opens, the control that opens it is noted;
//   - where a page was left without an action that leaves it, the lost submission is noted.
//
// It is pure. Every difference between the recording and the plan carries a [Reason], so that no rule works in secret, and
// every recorded step is covered by exactly one intent, in the recorded order.
package plan

import (
	"retrace/replay/trace"
)

// Kind is what an intent does.
type Kind string

// Kinds of intents.
const (
	Open      Kind = "open"       // load the recording's start URL
	Goto      Kind = "goto"       // load To, as if typed into the address bar
	Reload    Kind = "reload"     // reload the page
	Traverse  Kind = "traverse"   // back or forward in the history, to the entry whose URL is To
	Await     Kind = "await"      // To must come as the effect of what was done before; see Missing
	SwitchTab Kind = "switch_tab" // go on in the tab that shows After.URL
	Click     Kind = "click"
	Hover     Kind = "hover"
	Fill      Kind = "fill"
	Select    Kind = "select"
	Press     Kind = "press"
	Scroll    Kind = "scroll"
	Skip      Kind = "skip" // nothing to do; the reason says why
)

// Missing is what may be done when the page that an intent waits for does not come by itself, because the recorder lost
// the action that led to it. The actions are tried in this order and each is reported.
type Missing struct {
	// Submit is set when the form of Field was probably submitted: its only submit button is clicked, or Enter is pressed.
	Submit bool
	// Field is the recorded step whose target lies in that form.
	Field *trace.Step
	// Navigate allows loading To directly as a last resort.
	Navigate bool
}

// Intent is one thing to do.
type Intent struct {
	Kind Kind
	// Step is the recorded step that the intent is made from; nil for Open.
	Step *trace.Step
	// Covers are all recorded steps that it stands for, Step included, in their order.
	Covers []*trace.Step
	// Before is the page that the intent was recorded on, After the page that it led to. Nil when the recording does not
	// know (v2 without effect, Open without states).
	Before, After *trace.State

	// Late is set when the recorder had not yet seen the page that came of the steps before when this one was done. The person
	// had seen it, so the page must have come to rest before the target is looked for.
	Late bool
	// Shared is set when After shows what the steps before led to as well, because the recorder saw no page in between.
	Shared bool

	To string // Open, Goto, Traverse, Await

	// Fill: Value is the text to type unless Step.Redacted. Append says that the text must be typed at the end of what the
	// field holds (the recorder loses line breaks of rich text fields). Enter presses Enter after it. Suggest says that a
	// suggestion was chosen after typing; Choice is its text when the recording knows it, else empty.
	Value   string
	Append  bool
	Enter   bool
	Suggest bool
	//
	// Press: Choice is the option that Enter took from the field's list, after it was reached with the arrow keys.
	Choice string

	// Send, of a fill, says that its form was sent afterwards by a click that was lost, without leaving the page.
	Send bool

	// Opener is the control to click when the target does not come by itself; nil when there is none.
	Opener *Opener

	// Optional intents (hovers) are tried, and never fail a run.
	Optional bool
	// Missing is set when the effect of the intent may need an action that the recorder lost.
	Missing *Missing

	Reasons []Reason
}

// Reason says why the plan differs from the recording.
type Reason struct {
	Rule string // short stable name: "fills-collapsed"
	Text string // one sentence without a full stop
}
