// Package queue hands work to machines that come and go: durable jobs and their outcomes on NATS JetStream.
//
// Its one idea: a job is done when its outcome is recorded, and only then is it taken out of the queue. A worker that dies
// gives its job back by falling silent, so that a job may be done more than once; its outcome is recorded once, because the
// first record of a key stays and every later one is thrown away. A job that has silenced several workers is set aside, which
// is an outcome too. So each job of a batch has exactly one outcome in the end, whatever dies meanwhile.
//
// A batch is submitted with a name. To submit the same batch again adds nothing, so whoever is unsure whether a submission
// came through repeats it.
//
// # Where things are
//
// For a queue called q there are the stream retrace-q with the subjects retrace.q.work.BATCH (the jobs), the object store
// retrace-q-files (bundles by their digest, results and what belongs to them), and the key-value bucket retrace-q-outcomes
// (BATCH.manifest and BATCH.NUMBER). All of it expires.
//
// The package knows nothing of browsers and recordings: what a job says and what an outcome holds are bytes.
package queue
