package report

import "retrace/replay"

// meanings are the reason codes in plain words.
var meanings = map[replay.Code]string{
	replay.TargetMissing:    "The element was not found",
	replay.TargetAmbiguous:  "Several elements fit, and nothing tells which was meant",
	replay.TargetHidden:     "The element is there, but cannot be seen",
	replay.TargetDisabled:   "The element stayed disabled",
	replay.TargetReadOnly:   "The field cannot be changed",
	replay.TargetCovered:    "Something lies over the element",
	replay.TargetMoving:     "The element did not stand still",
	replay.TargetUnfit:      "The element cannot take this action",
	replay.PageMismatch:     "This is not the page that was recorded",
	replay.EffectNotSeen:    "The action was done, and what should have followed did not",
	replay.AssertionFailed:  "Something that was asserted is not so",
	replay.NavigationFailed: "A page could not be loaded",
	replay.OptionMissing:    "The list has no such option",
	replay.ValueRejected:    "The field did not keep what was typed",
	replay.SecretMissing:    "A secret was not given",
	replay.SecretOrigin:     "The field of a secret is in a page of another origin",
	replay.FileMissing:      "A file for an upload was not given",
	replay.BlockedURL:       "An address was refused",
	replay.DialogUnexpected: "A dialog opened that was not expected",
	replay.TabMissing:       "The tab is not there",
	replay.NotReplayable:    "The recording says too little",
	replay.PageCrashed:      "The page crashed",
	replay.BrowserCrashed:   "The browser crashed",
	replay.BrowserMissing:   "There is no browser",
	replay.Timeout:          "The page did not answer in time",
	replay.Interrupted:      "The run was interrupted",
	replay.SetAside:         "No worker came to an end with it",
	replay.AuthUnusable:     "The saved state of a login cannot be used",
	replay.ReportUnusable:   "The report directory cannot be used",
}

// meaning is a reason code in plain words.
func meaning(c replay.Code) string {
	if m := meanings[c]; m != "" {
		return m
	}
	return words(replay.Verdict(c))
}
