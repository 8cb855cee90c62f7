package report

import (
	"fmt"
	"slices"
	"strings"

	"retrace/replay"
)

// wholeRun is the testcase of what belongs to no step: no browser, an assertion at the end.
const wholeRun = "run as a whole"

// trial is what one attempt made of a testcase.
type trial struct {
	attempt int
	verdict replay.Verdict
	failure *replay.Failure // nil unless it failed
	grave   bool            // an error instead of a failure
	body    string          // everything that is known of the failure
}

// traceCase is the testcase of a whole trace.
func (j JUnit) traceCase(r *replay.Result, class string) junitCase {
	var trials []trial
	for _, a := range attempts(r) {
		t := trial{attempt: a.Attempt, verdict: a.Verdict}
		if a.Failure != nil {
			t.failure, t.grave, t.body = a.Failure, a.Verdict == replay.Error, j.block(a)
		}
		trials = append(trials, t)
	}
	lines := []string{Summary(r)}
	for i := range r.Steps {
		for _, w := range warnings(&r.Steps[i]) {
			lines = append(lines, "step "+stepIDs(r.Steps[i].Steps)+": "+w)
		}
	}
	c := judged(trials)
	c.Name, c.Class, c.Time = class, class, junitTime(wholeTime(r))
	c.Out = j.out(append(lines, r.Warnings...), failedSteps(r))
	return c
}

// failedSteps are the steps whose pictures belong to the testcase of a whole trace.
func failedSteps(r *replay.Result) []replay.StepResult {
	if s := failedStep(r); s != nil {
		return []replay.StepResult{*s}
	}
	return nil
}

// stepCases are the testcases of a trace, one for each planned step. The plan is the same at each attempt; an attempt that
// has no such step, since it ended before there was a plan, is told of by wholeCase.
func (j JUnit) stepCases(r *replay.Result, class string) []junitCase {
	var out []junitCase
	names := distinct{}
	for i := range r.Steps {
		s := &r.Steps[i]
		var trials []trial
		for _, a := range attempts(r) {
			if i < len(a.Steps) {
				trials = append(trials, j.stepTrial(a, i))
			}
		}
		c := judged(trials)
		c.Name = names.name(xmlText(strings.TrimSpace(strings.TrimPrefix(stepIDs(s.Steps), "-") + " " + s.Title)))
		c.Class, c.Time, c.Out = class, junitTime(s.DurationMS), j.out(warnings(s), r.Steps[i:i+1])
		out = append(out, c)
	}
	if c := j.wholeCase(r, class); c != nil {
		out = append(out, *c)
	}
	return out
}

func (j JUnit) stepTrial(a *replay.Result, i int) trial {
	s := &a.Steps[i]
	t := trial{attempt: a.Attempt, verdict: s.Verdict}
	if s.Failure != nil {
		one := *a
		one.Steps, one.Failure = a.Steps[i:i+1], s.Failure
		t.failure, t.grave, t.body = s.Failure, a.Verdict == replay.Error, j.block(&one)
	}
	return t
}

// wholeCase is the testcase of the attempts that failed at none of the steps of r; nil when there are none.
func (j JUnit) wholeCase(r *replay.Result, class string) *junitCase {
	var trials []trial
	found := false
	for _, a := range attempts(r) {
		t := trial{attempt: a.Attempt, verdict: replay.Passed}
		failedAt := slices.IndexFunc(a.Steps, func(s replay.StepResult) bool { return s.Failure != nil })
		if a.Failure != nil && (failedAt < 0 || failedAt >= len(r.Steps)) {
			found = true
			t.verdict, t.failure, t.grave, t.body = replay.Failed, a.Failure, a.Verdict == replay.Error, j.block(a)
		}
		trials = append(trials, t)
	}
	if !found {
		return nil
	}
	c := judged(trials)
	c.Name, c.Class, c.Time = wholeRun, class, junitTime(0)
	return &c
}

// attempts are all attempts of a trace in their order.
func attempts(r *replay.Result) []*replay.Result {
	return append(append([]*replay.Result{}, r.Earlier...), r)
}

// judged makes a testcase of its trials, of which the last one decides whether it failed.
func judged(trials []trial) junitCase {
	var c junitCase
	var failed []trial
	for _, t := range trials {
		if t.failure != nil {
			failed = append(failed, t)
		}
	}
	last := trials[len(trials)-1]
	switch {
	case last.failure != nil:
		p := &junitProblem{xmlText(failed[0].failure.Text), string(failed[0].failure.Code), failed[0].body}
		if failed[0].grave {
			c.Error = p
		} else {
			c.Failure = p
		}
		c.RerunFailure, c.RerunError = reruns(failed[1:])
	case last.verdict == replay.NotRun:
		c.Skipped = &junitSkipped{"not run"}
		for _, t := range failed {
			c.Skipped.Message += fmt.Sprintf("; at attempt %d: %s: %s", t.attempt, t.failure.Code, xmlText(t.failure.Text))
		}
	default:
		c.FlakyFailure, c.FlakyError = reruns(failed)
	}
	return c
}

// reruns parts failures and errors.
func reruns(trials []trial) (failures, errors []junitRerun) {
	for _, t := range trials {
		r := junitRerun{xmlText(t.failure.Text), string(t.failure.Code), junitText{t.body}}
		if t.grave {
			errors = append(errors, r)
		} else {
			failures = append(failures, r)
		}
	}
	return failures, errors
}

// block is the failure of a run as a terminal shows it: reason, evidence, candidates, picture.
func (j JUnit) block(r *replay.Result) string { return failureBlock(r, j.ReportDir, xmlLine) }

// failureBlock is the failure of a run as a terminal without colours shows it, each line changed by fit.
func failureBlock(r *replay.Result, reportDir string, fit func(string) string) string {
	var b strings.Builder
	NewTerminal(&b, Style{}, reportDir, nil).failure(r)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i, l := range lines {
		lines[i] = fit(l)
	}
	return strings.Join(lines, "\n")
}
