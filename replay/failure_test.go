package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"retrace/keymap"
	"retrace/replay/act"
	"retrace/replay/browser"
)

// codes is the closed list of reasons.
var codes = []Code{
	TargetMissing, TargetAmbiguous, TargetHidden, TargetDisabled, TargetReadOnly, TargetCovered, TargetMoving, TargetUnfit, PageMismatch,
	EffectNotSeen, AssertionFailed, NavigationFailed, OptionMissing, ValueRejected, SecretMissing, FileMissing, BlockedURL, DialogUnexpected,
	TabMissing, NotReplayable, PageCrashed, BrowserCrashed, BrowserMissing, Timeout, Interrupted, ReportUnusable,
}

// Every error of a call or an action has its reason, however deep it is wrapped, and deaths outweigh all that they cause.
func TestFailureOfErrors(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want Code
		text string // part of it
	}{
		{"a reason of its own", nil, &Failure{Code: FileMissing, Text: "no file"}, FileMissing, "no file"},
		{"browser died", nil, browser.ErrBrowserDied, BrowserCrashed, "died"},
		{"browser died under an action", nil, &act.Unconfirmed{Err: browser.ErrBrowserDied}, BrowserCrashed, "died"},
		{"browser died after an interruption", ended, browser.ErrBrowserDied, BrowserCrashed, "died"},
		{"page crashed", nil, &act.Stale{Err: browser.ErrPageCrashed}, PageCrashed, "crashed"},
		{"page closed", nil, browser.ErrPageClosed, TabMissing, "closed"},
		{"interrupted", ended, context.Canceled, Interrupted, "interrupted"},
		{"interrupted in the middle of input", ended, &act.Unconfirmed{Err: context.Canceled}, Interrupted, "interrupted"},
		{"interrupted while the target was not ready", ended, &act.NotReady{State: act.Covered}, Interrupted, "interrupted"},
		{"hidden", nil, &act.NotReady{State: act.Hidden}, TargetHidden, "button is hidden"},
		{"out of view", nil, &act.NotReady{State: act.Offscreen, Text: "it lies outside"}, TargetHidden, "button: it lies outside"},
		{"disabled", nil, &act.NotReady{State: act.Disabled}, TargetDisabled, "disabled"},
		{"read only", nil, &act.NotReady{State: act.ReadOnly}, TargetReadOnly, "readonly"},
		{"covered", nil, &act.NotReady{State: act.Covered, Text: "covered by div"}, TargetCovered, "covered by div"},
		{"no pointer", nil, &act.NotReady{State: act.NoPointer}, TargetCovered, ""},
		{"moving", nil, &act.NotReady{State: act.Moving}, TargetMoving, ""},
		{"unfit", nil, &act.NotReady{State: act.Unfit}, TargetUnfit, ""},
		{"busy", nil, &act.NotReady{State: act.Busy, Text: "no answer"}, Timeout, "no answer"},
		{"no option", nil, &act.OptionMissing{Want: []string{"large"}, Have: []string{"small"}}, OptionMissing, "has no option large"},
		{"value not kept", nil, &act.ValueRejected{Why: "too long"}, ValueRejected, "too long"},
		{"no document", nil, &browser.NavigationError{URL: "http://x/", Kind: browser.NavigationNoContent}, NavigationFailed, "no content"},
		{"unknown key", nil, &keymap.UnknownKeyError{}, NotReplayable, ""},
		{"input without confirmation", nil, &act.Unconfirmed{Err: context.DeadlineExceeded}, Timeout, "did not confirm"},
		{"replaced", nil, &act.Stale{Err: errors.New("gone")}, Timeout, "replaced again and again"},
		{"deadline", nil, context.DeadlineExceeded, Timeout, "did not answer in time"},
		{"anything else", nil, errors.New("odd"), Timeout, "odd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			f := (&runner{}).failure(ctx, fmt.Errorf("step: %w", fmt.Errorf("calling: %w", tt.err)), "button")
			if f.Code != tt.want || !strings.Contains(f.Text, tt.text) || f.Text == "" {
				t.Errorf("got %v, want %s with %q", f, tt.want, tt.text)
			}
			if !slices.Contains(codes, f.Code) {
				t.Errorf("%s is not in the list", f.Code)
			}
		})
	}
}

// A rejected value is told by its reason, and never by what was typed.
func TestFailureKeepsValues(t *testing.T) {
	f := (&runner{}).failure(t.Context(), &act.ValueRejected{Want: "hunter22", Got: "hunter2", Why: "too long"}, "textbox")
	if s := fmt.Sprintf("%+v", *f); strings.Contains(s, "hunter") {
		t.Errorf("the failure tells the value: %s", s)
	}
}

func TestFatal(t *testing.T) {
	for err, want := range map[error]bool{
		browser.ErrBrowserDied: true, browser.ErrBrowserClosed: true, browser.ErrPageCrashed: true, browser.ErrPageClosed: true,
		browser.ErrFrameDetached: false, context.DeadlineExceeded: false, errors.New("odd"): false,
	} {
		if got := fatal(fmt.Errorf("calling: %w", err)); got != want {
			t.Errorf("fatal(%v) = %v", err, got)
		}
	}
}
