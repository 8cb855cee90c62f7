package flake

import "retrace/replay"

// Run is one replay.
type Run struct {
	Variant
	Result *replay.Result
	// Pages are the pages on which the searches for targets ended, by the index of the planned step.
	Pages map[int]Page
}

// failed reports whether a step of the run failed.
func (r *Run) failed() bool { return r.Result.Verdict == replay.Failed }

// mute reports whether the run failed since the browser did not answer.
func (r *Run) mute() bool {
	for i := range r.Result.Steps {
		if s := (sample{run: r, i: i, step: &r.Result.Steps[i]}); s.failed() && s.mute() {
			return true
		}
	}
	return false
}

// lost reports whether the run says nothing about the page: there was no browser, or it was interrupted.
func (r *Run) lost() bool { return r.Result.Verdict == replay.Error }

// final reports whether no other run can end otherwise.
func (r *Run) final() bool {
	if f := r.Result.Failure; f != nil {
		switch f.Code {
		case replay.SecretMissing, replay.FileMissing, replay.BlockedURL, replay.NotReplayable, replay.BrowserMissing:
			return true
		}
	}
	return false
}
