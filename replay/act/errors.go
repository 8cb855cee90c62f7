package act

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
)

// State is why an element is not ready for an action.
type State string

// States of an element that is not ready.
const (
	Hidden    State = "hidden"     // not drawn, without size, or not visible
	Disabled  State = "disabled"   // natively, by a fieldset, by aria-disabled, or inert
	ReadOnly  State = "readonly"   // readonly or aria-readonly
	Covered   State = "covered"    // something else is on top at every point that was tried
	Moving    State = "moving"     // its box changes from frame to frame
	Detached  State = "detached"   // no longer in the page
	Unfit     State = "unfit"      // the action makes no sense on it: text for a heading
	Offscreen State = "offscreen"  // it could not be scrolled into view
	NoPointer State = "no_pointer" // pointer-events: none
	Busy      State = "busy"       // aria-busy, or the page does not answer

	Intercepted State = "intercepted" // the press met something else, which was kept from seeing it
	Slipped     State = "slipped"     // likewise, since the element had moved away from under the pointer
	Optionless  State = "optionless"  // the list has not the options yet
)

// NotReady is the error of an action whose element did not become ready before the context's deadline, with the
// state that was seen last. An element that can never become ready (Unfit) is reported at once. No input was sent.
type NotReady struct {
	State State
	// Text says it for a person: `covered by div "Cookies" (role dialog)`.
	Text string
	// Cover is the element on top, when State is Covered: `div "Cookies" (role dialog)`.
	Cover string
}

func (e *NotReady) Error() string { return "element is not ready: " + e.Text }

// Stale is the error of an action whose element is gone: removed, replaced, or left behind by a navigation. No press
// and no text was sent to it. The caller may look for the element again and retry.
type Stale struct{ Err error }

func (e *Stale) Error() string { return "element is gone: " + e.Err.Error() }

// Unwrap returns the error of the protocol.
func (e *Stale) Unwrap() error { return e.Err }

// Unconfirmed is the error of an action whose input was sent, in whole or in part, while the browser did not confirm
// it. Doing it again may do it twice.
type Unconfirmed struct{ Err error }

func (e *Unconfirmed) Error() string { return "input was sent but not confirmed: " + e.Err.Error() }

// Unwrap returns what kept the confirmation away, such as the end of the context.
func (e *Unconfirmed) Unwrap() error { return e.Err }

// ValueRejected is the error of a fill after which the field holds something else. Its text keeps both values to
// itself, since they may be secret.
type ValueRejected struct {
	Want string `json:"-"`
	Got  string `json:"-"`
	// Why is the reason as far as it is known: "the field takes at most 5 characters".
	Why string
}

func (e *ValueRejected) Error() string { return "value was rejected: " + e.Why }

// Format keeps the values out of every verb.
func (e *ValueRejected) Format(f fmt.State, _ rune) { fmt.Fprint(f, e.Error()) }

// OptionMissing is the error of a select for which an option did not appear, or stayed disabled, until the deadline.
type OptionMissing struct {
	// Want are the choices without an option, Have the labels that the list has.
	Want, Have []string
	// Why is the reason for the first of Want: "it is disabled", "several options have this label".
	Why string
}

func (e *OptionMissing) Error() string {
	s := fmt.Sprintf("option %s is missing", strings.Join(quoted(e.Want), ", "))
	if e.Why != "" {
		s = fmt.Sprintf("option %s cannot be selected: %s", strings.Join(quoted(e.Want), ", "), e.Why)
	}
	return s
}

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fmt.Sprintf("%q", t)
	}
	return out
}

// staleTexts are the messages with which Chrome refuses an id whose node, context, frame or target is gone.
var staleTexts = []string{
	"node with given id does not belong to the document",
	"could not find node with given id",
	"no node with given id found",
	"no node found for given backend id",
	"cannot find context with specified id",
	"could not find object with given id",
	"execution context was destroyed",
	"inspected target navigated or closed",
	"frame is detached",
	"frame with the given id was not found",
	"node is detached from document",
	"document is detached",
	"promise was collected",
	"session with given id not found",
	"target detached",
	"target closed",
	"not attached to an active page",
}

// stale reports whether the error says that what the action worked on is gone.
func stale(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var protocol *cdproto.Error
	text := err.Error()
	if errors.As(err, &protocol) {
		text = protocol.Message
	}
	text = strings.ToLower(text)
	for _, s := range staleTexts {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// interrupted reports whether the error says that a function was running in the page when the page left.
func interrupted(err error) bool {
	var protocol *cdproto.Error
	if !errors.As(err, &protocol) {
		return false
	}
	text := strings.ToLower(protocol.Message)
	return strings.Contains(text, "execution context was destroyed") || strings.Contains(text, "promise was collected") ||
		strings.Contains(text, "inspected target navigated or closed")
}

// noBox reports whether the error says that the node is not drawn.
func noBox(err error) bool {
	var protocol *cdproto.Error
	if !errors.As(err, &protocol) {
		return false
	}
	text := strings.ToLower(protocol.Message)
	return strings.Contains(text, "layout object") || strings.Contains(text, "compute content quads") ||
		strings.Contains(text, "compute box model") || strings.Contains(text, "not have a layout")
}
