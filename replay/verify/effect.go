// Package verify compares what a recording saw with what the live page shows: whether the page is the one that a step was
// recorded on, and whether the step had the effect that it had when it was recorded. It is pure: trees in, verdicts out.
//
// The recorded effect of a step is the difference of two page texts. Each difference is one item: a node that appeared or
// vanished, another address, another title, a modal layer that opened or closed. An item is seen when the live page shows
// it and did not show it before the step; a page is watched over time, and what was seen once stays seen, so that a message
// that comes and goes counts.
package verify

// EffectVerdict says how much of a step's recorded effect was seen.
type EffectVerdict string

// Effect verdicts.
const (
	Confirmed      EffectVerdict = "confirmed"
	Partly         EffectVerdict = "partly"
	NotSeen        EffectVerdict = "not_seen"
	NothingToCheck EffectVerdict = "nothing_to_check"
)

// Effect is what a step should have changed, and what of it was seen.
type Effect struct {
	Verdict EffectVerdict `json:"verdict"`
	// Seen and Missing are the expected changes, a short text each ("appeared: dialog \"Edit Rain jacket\"").
	Seen    []string `json:"seen,omitempty"`
	Missing []string `json:"missing,omitempty"`
	// Already are changes that the page showed before the step; they prove nothing.
	Already []string `json:"already,omitempty"`
	// Instead is text that the page shows in the place of a missing message.
	Instead []string `json:"instead,omitempty"`
	// Softened names the rules by which volatile text was compared ("numbers").
	Softened []string `json:"softened,omitempty"`
}
