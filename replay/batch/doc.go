// Package batch does many things side by side and tells of them in order: which part of them this machine does ([Shard]), how
// many at a time ([Workers]), and in which order their outcomes are told ([Lanes]).
//
// Its one idea: how many work on something must not show in what is told of it. Jobs are started in the order in which they
// were given, what a job tells waits until the jobs before it have told all of theirs, and a shard is a function of the names
// alone. So two runs over the same recordings print the same, whatever finished first.
//
// It knows nothing of browsers and recordings.
package batch
