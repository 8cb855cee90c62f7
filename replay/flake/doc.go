// Package flake finds out why a replay passes at one time and not at another.
//
// The same recording is replayed many times in fresh contexts of one browser: first as it is, then under stress (a slower
// processor, a slow or uneven network, late timers, longer animations, another viewport, locale or time zone). [Hunt] does that;
// [Analyse] is pure: it takes what became of the runs and says of each step how the runs differ, which step they part at first,
// and for which of a closed list of reasons.
//
// # What is flaky
//
// A replay waits, looks again and refuses to guess, so that many a target that is flaky for a script passes here. What counts is
// therefore what differs between runs that should be equal:
//
//   - flaky: a step passes in one run and fails in another, passes now with and now without warnings or by other evidence,
//     fails under stress only (and does so again when it is repeated), or is ready only near the deadline.
//   - unsteady: it passes each time in the same way, but what it has to wait for differs much from run to run. That is
//     where another tool, or a shorter deadline, fails.
//   - failing: it fails in every run, which is no flakiness.
//   - stable: none of these.
//
// # Words
//
// A [Run] is one replay with the [Variant] under which it was done. A sample is what became of one step in one run. The samples
// of a step fall into good and bad ones, and a [Cause] is what the bad have in common that the good have not.
package flake
