package act

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// Element is one element of a page, with the sessions that reach it.
type Element struct {
	// Page is the session of the tab.
	Page cdp.Session
	// Session is the session of the target that renders the element: Page, unless an out-of-process frame holds it.
	Session cdp.Session
	// World is an isolated world of the element's frame, in Session.
	World runtime.ExecutionContextID
	// Backend is the element's node in Session.
	Backend cdp.BackendNodeID
	// Seen is where the element was when it was found, at least as long ago as the commands of the action take; nil when that is not
	// known. One that is there still when it is looked at is watched for a frame less.
	Seen *Area
	// Near is where the pointer has to go for a click as far as is known, in the viewport of the tab; nil when that is not known. It goes
	// there while the element is being watched, and is moved again where the element turns out to be elsewhere.
	Near *Point
	// Objects keeps the objects of the session's actions; nil lets go of each at once.
	Objects *Objects
	// Meanwhile, when it is not nil, is called by [Fill] and [Select] when their input is done and all that is left is to wait for a
	// frame and to read back what came of it. It must not wait. What it returns is told at the end of the wait whether the
	// element's document is certainly the same still: nothing in it changed meanwhile.
	Meanwhile func() (still func(bool))
	// Owners are the <iframe> elements around the element that lie in other targets than it, outermost first.
	Owners []Owner
	// Ready, when it is set, is called once all that must hold before the first input holds, and may be called again when
	// something came between. The action waits for it, and what was checked before is checked once more afterwards.
	Ready func(context.Context)
	// First is a statement of JavaScript that is run in World, in the same call as the first operation of the action. It costs no
	// command of its own. Empty for none.
	First string
	// Waited is told of each look at which the element was not ready. It may be nil.
	Waited func(Waited)
}

// ready tells that the input comes next.
func (e Element) ready(ctx context.Context) {
	if e.Ready != nil {
		e.Ready(ctx)
	}
}

// Waited is one look at an element that was not ready.
type Waited struct {
	State State
	Text  string // what was in the way
	// Took is the time until the next look, Paused the part of it in which nothing was done.
	Took, Paused time.Duration
}

// Owner is the <iframe> element that shows an out-of-process frame, in the target that holds it.
type Owner struct {
	Session cdp.Session
	// World is an isolated world of the frame that the <iframe> element is in.
	World   runtime.ExecutionContextID
	Backend cdp.BackendNodeID
}

// Area is a place in the document of a frame, in CSS pixels.
type Area struct{ X, Y, W, H float64 }

// Point is a place in the viewport of the tab, in CSS pixels.
type Point struct{ X, Y float64 }

// Times are the parts of an action: the wait until the element was ready, and the input itself.
type Times struct{ Ready, Act time.Duration }

// Report is what an action did.
type Report struct {
	// Point is where the pointer went; nil when the action needed no pointer.
	Point *Point
	Times Times
	// Before and After are the control's states around a fill, a select, or a click. After is the zero value when the
	// element could not be read any more, which is usual after a click that leaves the page. The frameworks of some
	// pages show a change later than that: read it again with [ReadField] before calling an effect missing.
	Before, After FieldState
	// Unheard is set when the page replaced the element or moved it away between the press of the button and its release: the
	// press met it, and no click ever reached it.
	Unheard bool
	// Notes say what was unusual, a short text each. They never hold what was typed.
	Notes []string
}

func (r *Report) note(text string) {
	if text != "" {
		r.Notes = append(r.Notes, text)
	}
}

// noteBusy says that the element was used although the page still calls it busy.
func (r *Report) noteBusy(a answer) {
	if a.Busy != "" {
		r.note("did not wait any longer: " + a.Busy)
	}
}

// Gone reports whether the element could not be read after the action.
func (r Report) Gone() bool { return r.After.Tag == "" }
