package replay

import (
	"time"

	"retrace/replay/verify"
	"retrace/resolve"
)

// SchemaVersion is the version of the JSON form of [Result] and [Event].
const SchemaVersion = 1

// Verdict is the outcome of a step or of a run.
type Verdict string

// Verdicts. A step is Passed, Warned, Failed or NotRun; a run is Passed, Flaky, Failed or Error.
const (
	Passed Verdict = "passed"
	Warned Verdict = "passed_with_warnings"
	Failed Verdict = "failed"
	NotRun Verdict = "not_run"
	Flaky  Verdict = "flaky"
	Error  Verdict = "error"
)

// Code is the machine-readable reason of a failure: a closed list.
type Code string

// Reason codes.
const (
	TargetMissing    Code = "target_missing"
	TargetAmbiguous  Code = "target_ambiguous"
	TargetHidden     Code = "target_hidden"
	TargetDisabled   Code = "target_disabled"
	TargetReadOnly   Code = "target_readonly"
	TargetCovered    Code = "target_covered"
	TargetMoving     Code = "target_moving"
	TargetUnfit      Code = "target_unfit" // the element cannot take this action (fill on a heading)
	PageMismatch     Code = "page_mismatch"
	EffectNotSeen    Code = "effect_not_seen"
	AssertionFailed  Code = "assertion_failed" // something that was asserted beside the recording is not so
	NavigationFailed Code = "navigation_failed"
	OptionMissing    Code = "option_missing"
	ValueRejected    Code = "value_rejected"
	SecretMissing    Code = "secret_missing"
	SecretOrigin     Code = "secret_origin" // its field is in a document of another origin than the recorded one
	FileMissing      Code = "file_missing"
	BlockedURL       Code = "blocked_url"
	DialogUnexpected Code = "dialog_unexpected"
	TabMissing       Code = "tab_missing"
	NotReplayable    Code = "not_replayable" // the recording says too little
	PageCrashed      Code = "page_crashed"
	BrowserCrashed   Code = "browser_crashed"
	BrowserMissing   Code = "browser_missing"
	Timeout          Code = "timeout"
	Interrupted      Code = "interrupted"
	AuthUnusable     Code = "auth_unusable"   // the browser does not take the saved state of a login
	ReportUnusable   Code = "report_unusable" // the directory for its pictures and downloads cannot be written to
	SetAside         Code = "set_aside"       // several workers were given the trace, and none came to an end
)

// Codes are all reason codes.
func Codes() []Code {
	return []Code{
		TargetMissing, TargetAmbiguous, TargetHidden, TargetDisabled, TargetReadOnly, TargetCovered, TargetMoving, TargetUnfit, PageMismatch, EffectNotSeen, AssertionFailed, NavigationFailed,
		OptionMissing, ValueRejected, SecretMissing, SecretOrigin, FileMissing, BlockedURL, DialogUnexpected, TabMissing, NotReplayable, PageCrashed, BrowserCrashed, BrowserMissing, Timeout, Interrupted, AuthUnusable, ReportUnusable, SetAside,
	}
}

// Failure says why a step or a run failed, so that a person can act on it.
type Failure struct {
	Code Code `json:"code"`
	// Text is one sentence without a full stop, about what was found ("button \"Save\" is covered by dialog \"Cookies\"").
	Text string `json:"text"`
	// Hint is the next thing to try; may be empty.
	Hint string `json:"hint,omitempty"`
	// Evidence are further facts, a line each.
	Evidence []string `json:"evidence,omitempty"`
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Text }

// Effect is what a step should have changed, and what of it was seen.
type Effect = verify.Effect

// Phases are the parts of a step's time, in milliseconds.
type Phases struct {
	Gate          float64 `json:"gate_ms"`
	Resolve       float64 `json:"resolve_ms"`
	Actionability float64 `json:"actionability_ms"`
	Act           float64 `json:"act_ms"`
	Settle        float64 `json:"settle_ms"`
	Verify        float64 `json:"verify_ms"`
}

// StepResult is what became of one planned step.
type StepResult struct {
	// Index is the place in the plan from 0; Steps are the ids of the recorded steps that it stands for.
	Index int   `json:"index"`
	Steps []int `json:"steps"`
	// Op is the recorded kind of step; Title a short text for people ("click button \"Save\""). Secrets are masked.
	Op    string `json:"op"`
	Title string `json:"title"`

	Verdict Verdict  `json:"verdict"`
	Failure *Failure `json:"failure,omitempty"`
	// Notes say what was unusual: weaker evidence, a retry, an action that was inferred, a dialog.
	Notes []string `json:"notes,omitempty"`
	// Planned are the reasons why the plan differs from the recording here.
	Planned []string `json:"planned,omitempty"`

	// Decision is how the target was found, or why not; nil for steps without a target.
	Decision *resolve.Decision `json:"decision,omitempty"`
	// Around is the live accessibility tree around the target, or around the best candidate of a step that found none.
	Around []verify.Line `json:"around,omitempty"`
	Effect *Effect       `json:"effect,omitempty"`
	// Comparison is the recorded page beside the live one, of a failed step.
	Comparison *Comparison `json:"comparison,omitempty"`
	Retried    bool        `json:"retried,omitempty"`

	URL        string    `json:"url,omitempty"` // page after the step
	Started    time.Time `json:"started,omitzero"`
	DurationMS float64   `json:"duration_ms"`
	Phases     Phases    `json:"phases"`
	Course     Course    `json:"course,omitzero"`
	Dialogs    []Dialog  `json:"dialogs,omitempty"`
	Downloads  []string  `json:"downloads,omitempty"`
	// Screenshot is the last picture of Shots, a file in the report directory.
	Screenshot string `json:"screenshot,omitempty"`
	// Shots are the pictures of the step in the order in which they were taken.
	Shots []Shot `json:"screenshots,omitempty"`
	// Traffic is what the page asked servers for during the step; nil when that is not known.
	Traffic *Traffic `json:"requests,omitempty"`
	// Console are error lines that the page logged and Requests are requests that failed during the step (at most 50 each).
	Console  []string `json:"console,omitempty"`
	Requests []string `json:"failed_requests,omitempty"`
}

// Traffic are the requests of a step: those that the tab sent while it was watched, and of frames those of the same site.
type Traffic struct {
	// Sent counts all of them, Parts those that only fetched a part of a page: scripts, styles, pictures, fonts.
	Sent  int `json:"sent"`
	Parts int `json:"parts,omitempty"`
	// List are the first 20 of the others, and of the parts that failed.
	List []Request `json:"list,omitempty"`
}

// Request is a request of a page.
type Request struct {
	Method string `json:"method"`
	URL    string `json:"url"`  // secrets are masked
	Kind   string `json:"kind"` // as Chrome calls it, in lower case: "document", "fetch", "xhr" …
	// Status is that of the answer; 0 when there was none by the end of the step.
	Status int `json:"status,omitempty"`
	// Failed is why there was none ("net::ERR_CONNECTION_REFUSED"); empty when it may still come.
	Failed string `json:"failed,omitempty"`
}

// Dialog is a JavaScript dialog that was answered.
type Dialog struct {
	Type   string `json:"type"` // alert, confirm, prompt, beforeunload
	Text   string `json:"text"`
	Answer string `json:"answer"` // accept, dismiss
}

// Result is what became of one trace.
type Result struct {
	Schema  int     `json:"schema"`
	Trace   string  `json:"trace"`
	File    string  `json:"file"`
	Purpose string  `json:"purpose,omitempty"`
	Verdict Verdict `json:"verdict"`
	// Failure is set when the run failed: the failure of its step, or one of the whole run (no browser, a missing secret).
	Failure     *Failure     `json:"failure,omitempty"`
	Warnings    []string     `json:"warnings,omitempty"`
	Steps       []StepResult `json:"steps"`
	Started     time.Time    `json:"started"`
	DurationMS  float64      `json:"duration_ms"`
	Environment Environment  `json:"environment"`
	// Attempt counts the runs of the trace from 1; Earlier are the attempts before this one, which all failed.
	Attempt int       `json:"attempt"`
	Earlier []*Result `json:"earlier,omitempty"`
	// Infrastructure says that the attempt ended because its browser was lost, which is no word about the pages.
	Infrastructure bool `json:"infrastructure,omitempty"`
	// Assertions are what became of the assertions, in the order of their file.
	Assertions []Assertion `json:"assertions,omitempty"`
	// Proposals are corrections of the recording, when they were asked for.
	Proposals []Proposal `json:"proposals,omitempty"`
	// Confirmed and Expected count the recorded effects that were seen and that were there to be seen.
	Confirmed int `json:"effects_confirmed"`
	Expected  int `json:"effects_expected"`
	// Source is the report that the result was merged from; empty in the result of a run.
	Source string `json:"source,omitempty"`
}

// Assertion is what became of one assertion.
type Assertion struct {
	// Text is the assertion in words, Line its line in the file of assertions.
	Text string `json:"text"`
	Line int    `json:"line"`
	// After is the recorded step after which it was looked at; 0 for the end of the run.
	After   int     `json:"after,omitempty"`
	Verdict Verdict `json:"verdict"` // passed, failed, not_run
	// Instead is what the page showed when it failed.
	Instead []string `json:"instead,omitempty"`
}

// Proposal is a correction of the target of a recorded step, for a person to review.
type Proposal struct {
	Step  int    `json:"step"`
	Field string `json:"field"` // "role" or "name"
	From  string `json:"from"`
	To    string `json:"to"`
	// Why says how the element was found.
	Why string `json:"why"`
}

// EventKind is the kind of an [Event].
type EventKind string

// Event kinds, in the order in which a run emits them. A run that is repeated emits RunRetried, and the events of its steps
// again; there is one RunStarted and one RunFinished for a trace.
const (
	RunStarted   EventKind = "run_started"
	StepStarted  EventKind = "step_started"
	StepFinished EventKind = "step_finished"
	RunRetried   EventKind = "run_retried"
	RunFinished  EventKind = "run_finished"
)

// Event is one thing that happened in a run. Everything that people see is a view of these.
type Event struct {
	Kind  EventKind `json:"event"`
	Time  time.Time `json:"time"`
	Trace string    `json:"trace"`
	// Run counts the traces of a command from 1, in the order of its arguments. Package replay leaves it 0.
	Run int `json:"run,omitempty"`
	// Attempt counts the runs of the trace from 1. In run_retried it is the one that failed.
	Attempt int `json:"attempt"`
	// Total is the number of planned steps (run_started).
	Total int `json:"total,omitempty"`
	// Step is the step as far as it is known (step_started: index, steps, op, title; step_finished: all). A step that was not
	// run has a step_finished only.
	Step *StepResult `json:"step,omitempty"`
	// Result is the whole result (run_finished), or that of the failed attempt (run_retried).
	Result *Result `json:"result,omitempty"`
}
