package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrace/replay"
	"retrace/resolve"
)

// Words that several views share.

// stepIDs names recorded steps: "3", "3-5", "3,7"; "-" for a planned step that no recorded one stands behind.
func stepIDs(ids []int) string {
	if len(ids) == 0 {
		return "-"
	}
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		part := strconv.Itoa(ids[i])
		if j > i {
			part += "-" + strconv.Itoa(ids[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// plural is "1 step", "2 steps".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// seconds writes milliseconds as seconds: "0.21", "12.3".
func seconds(ms float64) string {
	if ms < 9995 {
		return fmt.Sprintf("%.2f", ms/1000)
	}
	return fmt.Sprintf("%.1f", ms/1000)
}

// Summary is the line that sums a run up: "passed: 8 of 8 steps, 6 of 6 recorded effects confirmed, 3.2 s", or
// "failed: 3 of 8 steps passed, …". A run whose recording showed nothing to compare with says so.
func Summary(r *replay.Result) string {
	done, warned := 0, 0
	for _, s := range r.Steps {
		switch s.Verdict {
		case replay.Passed:
			done++
		case replay.Warned:
			done++
			warned++
		}
	}
	var parts []string
	switch n := len(r.Earlier) + 1; {
	case r.Verdict == replay.Flaky:
		parts = append(parts, fmt.Sprintf("passed only at attempt %d", n))
	case n > 1:
		parts = append(parts, fmt.Sprintf("at each of %d attempts", n))
	}
	count := fmt.Sprintf("%d of %s", done, plural(len(r.Steps), "step"))
	if r.Failure != nil {
		count += " passed"
	}
	parts = append(parts, count)
	held := 0
	for _, a := range r.Assertions {
		if a.Verdict == replay.Passed {
			held++
		}
	}
	if warned > 0 {
		parts = append(parts, fmt.Sprintf("%d with warnings", warned))
	}
	if r.Expected > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s confirmed", r.Confirmed, plural(r.Expected, "recorded effect")))
	} else if r.Failure == nil && held == 0 {
		parts = append(parts, "nothing could be verified")
	}
	if len(r.Assertions) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s held", held, plural(len(r.Assertions), "assertion")))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", r.DurationMS/1000))
	return words(r.Verdict) + ": " + strings.Join(parts, ", ")
}

// words writes a verdict for people.
func words(v replay.Verdict) string { return strings.ReplaceAll(string(v), "_", " ") }

// verdicts of a run, the gravest last.
var runVerdicts = []replay.Verdict{replay.Passed, replay.Warned, replay.Flaky, replay.Failed, replay.Error}

// noSandbox is what is said once of runs in a Chrome without its sandbox.
const noSandbox = "Chrome runs without its sandbox here, as it has to for root and with --no-sandbox"

// unboxed reports whether a run took place in a Chrome of this machine that had no sandbox.
func unboxed(r *replay.Result) bool {
	e := r.Environment
	return e.Chrome != "" && !e.Sandbox && !e.Remote
}

// warnings are the lines that belong below a step: why the plan differs, what was weak, what was not seen. A line that
// says the same as an earlier one is left out.
func warnings(s *replay.StepResult) []string {
	plain, grave := remarks(s)
	return append(plain, grave...)
}

// remarks are the lines of warnings in two parts: those that only say how it went, and those that speak against the step. Nothing
// speaks against a step that passed.
func remarks(s *replay.StepResult) (plain, grave []string) {
	lines := &plain
	seen := map[string]bool{}
	add := func(prefix, text string) {
		if text != "" && !seen[text] {
			seen[text] = true
			*lines = append(*lines, prefix+text)
		}
	}
	for _, p := range s.Planned {
		add("plan: ", p)
	}
	if s.Verdict != replay.Passed {
		lines = &grave
	}
	for _, n := range s.Notes {
		add("note: ", n)
	}
	if s.Decision != nil && s.Failure == nil {
		for _, w := range s.Decision.Warnings {
			add("weak: ", w)
		}
	}
	if s.Effect != nil && s.Failure == nil {
		for _, m := range s.Effect.Missing {
			add("not seen: ", m)
		}
		for _, i := range s.Effect.Instead {
			add("instead: ", i)
		}
	}
	return plain, grave
}

// differs says what speaks against a candidate or, when nothing does, what speaks for it.
func differs(c *resolve.Candidate) string {
	var for_, against []string
	for _, e := range c.Evidence {
		if e.Agrees {
			for_ = append(for_, e.Text)
		} else {
			against = append(against, e.Text)
		}
	}
	if len(against) > 0 {
		return strings.Join(against, "; ")
	}
	return strings.Join(for_, "; ")
}

// proposal is "step 3: name "Save" → "Store" (the only button)".
func proposal(p replay.Proposal) string {
	return fmt.Sprintf("step %d: %s %q → %q (%s)", p.Step, p.Field, p.From, p.To, p.Why)
}

// failedStep is the step whose failure ended the run, nil when the run failed as a whole.
func failedStep(r *replay.Result) *replay.StepResult {
	for i := range r.Steps {
		if r.Steps[i].Failure != nil {
			return &r.Steps[i]
		}
	}
	return nil
}

// Worst is the gravest of the verdicts, [replay.Passed] when there are none.
func Worst(results []*replay.Result) replay.Verdict {
	worst := 0
	for _, r := range results {
		worst = max(worst, slices.Index(runVerdicts, r.Verdict))
	}
	return runVerdicts[worst]
}
