package flake

import (
	"fmt"
	"slices"
	"strings"

	"retrace/replay"
	"retrace/replay/verify"
	"retrace/resolve"
)

// sample is what became of one step in one run.
type sample struct {
	run  *Run
	i    int // place of the step in the plan
	step *replay.StepResult
	page *Page // nil when it is not known
}

// samples are those of the planned step i, in the order of the runs that reached it.
func samples(runs []*Run, i int) []sample {
	var out []sample
	for _, r := range runs {
		if i >= len(r.Result.Steps) || r.Result.Steps[i].Verdict == replay.NotRun || r.lost() {
			continue
		}
		s := sample{run: r, i: i, step: &r.Result.Steps[i]}
		if p, ok := r.Pages[i]; ok {
			s.page = &p
		}
		out = append(out, s)
	}
	return out
}

func (s sample) failed() bool { return s.step.Verdict == replay.Failed }

// mute reports whether the step failed since the browser, or the scripts of the page, were too busy to answer.
func (s sample) mute() bool { return s.code() == replay.Timeout && !replaced(s) }

func (s sample) code() replay.Code {
	if s.step.Failure == nil {
		return ""
	}
	return s.step.Failure.Code
}

// before is the address of the page before the step.
func (s sample) before() string {
	if s.i == 0 {
		return ""
	}
	return s.run.Result.Steps[s.i-1].URL
}

// requests are the requests that failed up to the end of the step.
func (s sample) requests() []string {
	var out []string
	for _, st := range s.run.Result.Steps[:s.i+1] {
		out = append(out, st.Requests...)
	}
	return out
}

// obstacle is what the step waited for most, leaving out what it waited for only to be sure.
func (s sample) obstacle() replay.Wait {
	var most replay.Wait
	for _, w := range s.waits() {
		if w.Idle > most.Idle {
			most = w
		}
	}
	return most
}

// waits are the waits that say something about the page. A step whose effect was seen in part has waited to see whether there
// is more.
func (s sample) waits() []replay.Wait {
	return slices.DeleteFunc(slices.Clone(s.step.Course.Waits), func(w replay.Wait) bool {
		return w.For == replay.AwaitsCertainty || w.For == replay.AwaitsEffect && !s.failed() && (s.step.Effect == nil || s.step.Effect.Verdict != verify.Confirmed)
	})
}

// waited is how long the step waited for obstacles, in milliseconds: in all, and between looks only.
func (s sample) waited() (all, idle float64) {
	for _, w := range s.waits() {
		all += w.MS
		idle += w.Idle
	}
	return all, idle
}

// chosen is the candidate that was acted on; nil when none was.
func (s sample) chosen() *resolve.Candidate {
	if s.step.Decision == nil {
		return nil
	}
	for i := range s.step.Decision.Candidates {
		if s.step.Decision.Candidates[i].Chosen {
			return &s.step.Decision.Candidates[i]
		}
	}
	return nil
}

// margin is by how much the chosen candidate is ahead of the next; false when there is none.
func (s sample) margin() (float64, bool) {
	c := s.chosen()
	if c == nil || len(s.step.Decision.Candidates) < 2 {
		return 0, false
	}
	next := -1.0
	for _, o := range s.step.Decision.Candidates {
		if !o.Chosen {
			next = max(next, o.Score)
		}
	}
	return max(c.Score, 0) - max(next, 0), true
}

// signature is how the step passed, in words that are the same for runs that are the same.
func (s sample) signature() string {
	st := s.step
	parts := []string{string(st.Verdict)}
	if st.Verdict != replay.Warned {
		return parts[0]
	}
	if st.Retried {
		parts = append(parts, "done twice")
	}
	if d := st.Decision; d != nil && len(d.Warnings) > 0 {
		parts = append(parts, "found by "+string(d.Tier)+" evidence")
		if c := s.chosen(); c != nil && d.Tier != resolve.TierExact {
			parts = append(parts, c.Role+" "+fmt.Sprintf("%q", c.Name))
		}
	}
	if st.Effect != nil && st.Effect.Verdict != verify.Confirmed {
		parts = append(parts, "effect "+strings.ReplaceAll(string(st.Effect.Verdict), "_", " "))
	}
	if len(parts) == 1 {
		parts = append(parts, st.Notes...)
	}
	return strings.Join(parts, ", ")
}

// share is the part of the samples for which cond holds, 0 when there are none.
func share(samples []sample, cond func(sample) bool) float64 {
	if len(samples) == 0 {
		return 0
	}
	n := 0
	for _, s := range samples {
		if cond(s) {
			n++
		}
	}
	return float64(n) / float64(len(samples))
}

func values(samples []sample, of func(sample) (float64, bool)) []float64 {
	var out []float64
	for _, s := range samples {
		if v, ok := of(s); ok {
			out = append(out, v)
		}
	}
	return out
}
