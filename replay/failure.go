package replay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"retrace/keymap"
	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
)

// failure turns the error of an action or a call into a reason. what names the target for people.
func (r *runner) failure(ctx context.Context, err error, what string) *Failure {
	var (
		f        *Failure
		notReady *act.NotReady
		stale    *act.Stale
		unsure   *act.Unconfirmed
		option   *act.OptionMissing
		rejected *act.ValueRejected
		nav      *browser.NavigationError
		key      *keymap.UnknownKeyError
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, browser.ErrBrowserDied):
		return &Failure{Code: BrowserCrashed, Text: "the browser died", Evidence: []string{err.Error()}}
	case errors.Is(err, browser.ErrPageCrashed):
		return &Failure{Code: PageCrashed, Text: "the page's renderer crashed"}
	case errors.Is(err, browser.ErrPageClosed):
		return &Failure{Code: TabMissing, Text: "the tab was closed"}
	case ctx.Err() != nil:
		return r.interrupted()
	case errors.As(err, &notReady):
		return notReadyFailure(notReady, what)
	case errors.As(err, &option):
		return &Failure{
			Code: OptionMissing, Text: what + " has no option " + strings.Join(option.Want, ", ") + because(option.Why),
			Evidence: []string{offers(option.Have)},
		}
	case errors.As(err, &rejected):
		return &Failure{Code: ValueRejected, Text: what + " did not keep the value: " + rejected.Why}
	case errors.As(err, &nav):
		return &Failure{Code: NavigationFailed, Text: nav.Error(), Hint: r.unreachable(nav)}
	case errors.As(err, &key):
		return &Failure{Code: NotReplayable, Text: key.Error()}
	case errors.As(err, &unsure):
		return &Failure{Code: Timeout, Text: "the browser did not confirm the input on " + what, Evidence: []string{unsure.Error()}}
	case errors.As(err, &stale):
		return &Failure{Code: Timeout, Text: what + " was replaced again and again", Evidence: []string{stale.Error()}}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Code: Timeout, Text: "the page did not answer in time", Evidence: []string{err.Error()}}
	}
	return &Failure{Code: Timeout, Text: "the browser refused: " + err.Error()}
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

func notReadyFailure(e *act.NotReady, what string) *Failure {
	f := &Failure{Text: what + " is " + string(e.State)}
	if e.Text != "" {
		f.Text = what + ": " + e.Text
	}
	switch e.State {
	case act.Hidden, act.Offscreen:
		f.Code = TargetHidden
	case act.Disabled:
		f.Code = TargetDisabled
		f.Hint = "it stayed disabled until the deadline; see what the page waits for"
	case act.ReadOnly:
		f.Code = TargetReadOnly
	case act.Covered, act.NoPointer, act.Intercepted:
		f.Code = TargetCovered
		if e.State == act.NoPointer {
			f.Hint = "its style lets no pointer through: see which step or script before should have changed that"
		}
	case act.Moving, act.Slipped:
		f.Code = TargetMoving
	case act.Unfit:
		f.Code = TargetUnfit
	default:
		f.Code = Timeout
	}
	return f
}

// notFound is the failure of a search that ended without an element.
func notFound(d resolve.Decision, gate *verify.Agreement, before *trace.State, v *view) *Failure {
	f := &Failure{Code: TargetMissing, Text: d.Why}
	if d.Outcome == resolve.Ambiguous {
		f.Code = TargetAmbiguous
		f.Hint = "see the candidates: the recording would have to say more about the place of the target"
	}
	if gate != nil && before != nil && !gate.Here() && d.Outcome == resolve.Missing {
		return mismatch(*gate, before, v, d.Why)
	}
	return f
}

// mismatch is the failure of a step whose recorded page never came.
func mismatch(a verify.Agreement, before *trace.State, v *view, also string) *Failure {
	f := &Failure{
		Code: PageMismatch,
		Text: fmt.Sprintf("the page is not the recorded one: recorded %s, found %s", page(before.URL, before.Title), page(v.url, v.title)),
		Hint: "a step before may have had another outcome, or the page needs a login",
	}
	f.Evidence = append(f.Evidence, fmt.Sprintf("%.0f%% of the recorded headings, landmarks and controls are there", 100*a.Share))
	if len(a.Missing) > 0 {
		f.Evidence = append(f.Evidence, "not there: "+strings.Join(a.Missing, ", "))
	}
	if also != "" {
		f.Evidence = append(f.Evidence, also)
	}
	return f
}

func page(url, title string) string {
	if title == "" {
		return clip(url, 120)
	}
	return fmt.Sprintf("%q at %s", clip(title, 80), clip(url, 120))
}

// offers says which entries a list has.
func offers(entries []string) string {
	quoted := make([]string, len(entries))
	for i, e := range entries {
		quoted[i] = strconv.Quote(e)
	}
	return "it offers " + clip(strings.Join(quoted, ", "), 400)
}
