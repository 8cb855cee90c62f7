package flake

import (
	"time"

	"retrace/replay"
)

// SchemaVersion is the version of the JSON form of a [Report].
const SchemaVersion = 1

// Verdict says how runs of one recording agree; see the package comment.
type Verdict string

// Verdicts.
const (
	Stable   Verdict = "stable"
	Unsteady Verdict = "unsteady"
	Starved  Verdict = "starved" // the machine had no processor for the page where runs differ
	Flaky    Verdict = "flaky"
	Failing  Verdict = "failing"
	Unknown  Verdict = "error" // there was no run that says anything
)

// Report is what many runs of one recording tell.
type Report struct {
	Schema    int       `json:"schema"`
	Generator string    `json:"generator"` // "retrace-flake"
	Version   string    `json:"version"`   // of the program
	Trace     string    `json:"trace"`
	File      string    `json:"file"`
	Verdict   Verdict   `json:"verdict"`
	Seed      uint64    `json:"seed"`
	TimeoutMS float64   `json:"timeout_ms"` // deadline of a step
	Started   time.Time `json:"started"`
	// First is the index of the step at which the runs part first, -1 when they do not.
	First int `json:"first"`
	// Failure is why no run says anything, or why all fail alike.
	Failure     *replay.Failure    `json:"failure,omitempty"`
	Environment replay.Environment `json:"environment"`
	Runs        []RunSummary       `json:"runs"`
	Steps       []Step             `json:"steps"`
}

// RunSummary is one run.
type RunSummary struct {
	Variant
	Verdict    replay.Verdict `json:"verdict"`
	DurationMS float64        `json:"duration_ms"`
	// Step is the index of the step that failed, -1 when none did; Code and Text say why.
	Step int         `json:"step"`
	Code replay.Code `json:"code,omitempty"`
	Text string      `json:"text,omitempty"`
}

// Rate counts the runs of one kind in which a step was reached, and those in which it passed.
type Rate struct {
	Of       Kind   `json:"of"`
	Variant  string `json:"variant,omitempty"` // of stress
	Passed   int    `json:"passed"`
	Warned   int    `json:"warned"` // of those passed
	Reached  int    `json:"reached"`
	Repeated bool   `json:"repeated,omitempty"` // a failure was seen again
}

// Step is what the runs tell of one planned step.
type Step struct {
	Index   int     `json:"index"`
	Steps   []int   `json:"steps"`
	Title   string  `json:"title"`
	Verdict Verdict `json:"verdict"`
	// Rates are those of the plain runs, then those of each variant.
	Rates []Rate `json:"rates"`
	// Found, Ready and Shown are the milliseconds until the target was there, could be acted on, and its effect had shown; Waited
	// is what the runs waited for obstacles. All are of the plain runs in which it came to that.
	Found  *Spread `json:"found_ms,omitempty"`
	Ready  *Spread `json:"ready_ms,omitempty"`
	Shown  *Spread `json:"shown_ms,omitempty"`
	Waited *Spread `json:"waited_ms,omitempty"`
	// Starved is how long the page was at work without being given a processor, in all runs.
	Starved *Spread `json:"starved_ms,omitempty"`
	// Margin is by how much the surroundings of the chosen element agree better than those of the next candidate, of all runs
	// that had a next one; Alone counts the runs in which there was none.
	Margin *Spread `json:"margin,omitempty"`
	Alone  int     `json:"alone,omitempty"`
	// Changed is the evidence that was not the same in all runs.
	Changed []Change `json:"changed,omitempty"`
	// Causes are why, the likeliest first; Why says what made the step flaky or unsteady.
	Why    string    `json:"why,omitempty"`
	Causes []Finding `json:"causes,omitempty"`
}

// Change is one kind of evidence that differed.
type Change struct {
	What   string  `json:"what"`
	Values []Value `json:"values"`
}

// Value is what the evidence was, and in how many runs.
type Value struct {
	Text string `json:"text"`
	Runs int    `json:"runs"`
}

// Finding is a cause with what speaks for it.
type Finding struct {
	Cause Cause `json:"cause"`
	// Weight is how much speaks for it, from 0 to 1.
	Weight   float64  `json:"weight"`
	Evidence []string `json:"evidence"`
	Cure     string   `json:"cure"`
}

// Cause is the likeliest cause at the first step that differs; empty when there is none.
func (r *Report) Cause() Cause {
	for _, s := range r.Steps {
		if s.Index == r.First && len(s.Causes) > 0 {
			return s.Causes[0].Cause
		}
	}
	return ""
}
