package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
)

// Explanation says what the search for the target of one step finds, and why.
type Explanation struct {
	Schema int    `json:"schema"`
	Trace  string `json:"trace"`
	// Step is the id of the recorded step, Title what it does.
	Step  int    `json:"step"`
	Title string `json:"title"`
	// Target is what the recording says about the target.
	Target RecordedTarget `json:"target"`
	// URL and PageTitle are of the live page that was searched, Recorded is the address of the recorded one (empty when the
	// recording does not know).
	URL       string `json:"url"`
	PageTitle string `json:"page_title"`
	Recorded  string `json:"recorded_url,omitempty"`
	// Decision is the outcome; nil when the page was not reached.
	Decision *resolve.Decision `json:"decision,omitempty"`
	// Certain is what would have made the decision certain, a line each; empty when it is.
	Certain []string `json:"certain,omitempty"`
	// Notes are what was done to bring the target to light.
	Notes []string `json:"notes,omitempty"`
	// Failure is why a replay would stop at the step, or why it did not get there.
	Failure *Failure `json:"failure,omitempty"`
	// Before are the steps that were replayed to get there.
	Before []StepResult `json:"before,omitempty"`
}

// Found reports whether the target is the one element that a replay would act on.
func (e *Explanation) Found() bool {
	return e.Failure == nil && e.Decision != nil && e.Decision.Outcome == resolve.One
}

// RecordedTarget is the recorded description of a target.
type RecordedTarget struct {
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	// Context is the text that the recorder kept of the target's surroundings, Ref its line in the page text.
	Context   string `json:"context,omitempty"`
	Ref       string `json:"ref,omitempty"`
	Unmatched bool   `json:"unmatched,omitempty"`
}

// Explain replays a trace up to the recorded step and looks for the step's target as the replay would, without acting on it.
// When url is not empty, that page is opened and searched instead, and nothing is replayed. Failures on the way are in the
// explanation; the error is for options that make no sense and for a step that has no target.
func Explain(ctx context.Context, t *trace.Trace, o Options, step int, url string) (*Explanation, error) {
	o.Retries, o.Assert, o.Propose, o.ReportDir = 0, nil, false, ""
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	if t == nil {
		return nil, errors.New("explain: no trace")
	}
	t, o = moved(t, o)
	r := newRunner(t, plan.Make(t), o, 1)
	i, err := r.planned(step)
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	it := &r.plan[i]
	if it.Step == nil || it.Step.Target == nil || it.Step.Target.Empty() || uses[it.Kind] == "" {
		return nil, fmt.Errorf("explain: step %d (%s) has no target to look for", step, title(it))
	}
	e := &Explanation{Schema: SchemaVersion, Trace: t.Name, Step: it.Step.ID, Title: title(it), Target: recorded(it.Step.Target)}
	if it.Before != nil {
		e.Recorded = it.Before.URL
	}
	e.Failure = r.visit(ctx, i, url, func() *Failure { return r.explain(ctx, it, i, url != "", e) })
	e.Before = r.res.Steps
	return e, nil
}

func recorded(d *resolve.Descriptor) RecordedTarget {
	t := RecordedTarget{Role: d.Role, Name: d.Name, Context: d.Ctx, Ref: d.Ref, Unmatched: d.Unmatched}
	if t.Role == "" {
		t.Role = d.Tag
	}
	return t
}

// planned is the place in the plan of the intent that stands for a recorded step.
func (r *runner) planned(step int) (int, error) {
	for i := range r.plan {
		for _, c := range r.plan[i].Covers {
			if c.ID == step {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("the recording has no step %d", step)
}

// visit opens a browser, brings it to the page of planned step i, or to address if that is not empty, and calls then.
func (r *runner) visit(ctx context.Context, i int, address string, then func() *Failure) *Failure {
	var f *Failure
	if address == "" {
		f = r.check(i)
	} else {
		f = r.allowed(address)
	}
	if f != nil {
		return f
	}
	if f := r.open(ctx, address); f != nil {
		r.close()
		return f
	}
	defer r.close()
	defer r.leave()
	if f := r.reach(ctx, i, address); f != nil {
		return f
	}
	return then()
}

// reach replays the steps before planned step i, or opens address.
func (r *runner) reach(ctx context.Context, i int, address string) *Failure {
	if address != "" {
		deadline, cancel := context.WithTimeout(ctx, 3*r.o.Timeout)
		defer cancel()
		return r.load(ctx, deadline, &plan.Intent{Kind: plan.Goto, To: address}, &StepResult{})
	}
	r.emit(Event{Kind: RunStarted, Total: i})
	for j := range i {
		s := r.result(j)
		r.emit(Event{Kind: StepStarted, Step: &s})
		r.step(ctx, &r.plan[j], j, &s)
		r.res.Steps = append(r.res.Steps, s)
		r.emit(Event{Kind: StepFinished, Step: &s})
		if s.Failure != nil {
			return s.Failure
		}
	}
	return nil
}

// explain searches the target of an intent. On a page that was named the gate does not matter.
func (r *runner) explain(ctx context.Context, it *plan.Intent, i int, named bool, e *Explanation) *Failure {
	limit := r.o.Timeout
	if it.Optional {
		limit = min(limit, hoverTimeout)
	}
	deadline, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r.o.LargePage = math.MaxInt // a page that is read whole tells of all candidates
	s := StepResult{}
	var f *Failure
	if named {
		f = r.peek(ctx, deadline, it, i, &s)
	} else {
		_, f = r.find(ctx, deadline, it, i, &s)
	}
	e.Decision, e.Notes = s.Decision, s.Notes
	last, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if v, err := r.look(last); err == nil {
		e.URL, e.PageTitle = v.url, v.title
	}
	if e.Decision != nil {
		e.Certain = certain(*e.Decision, it.Step.Target, it.Before != nil && it.Before.Tree != nil && len(it.Before.Tree.Nodes) > 0)
	}
	return f
}

// peek looks for the target on the page as it is, until it is found or deadline passes.
func (r *runner) peek(ctx, deadline context.Context, it *plan.Intent, i int, s *StepResult) *Failure {
	q := r.query(it, i)
	for wait := 15 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		v, err := r.look(deadline)
		if err != nil && (s.Decision == nil || fatal(err) || ctx.Err() != nil) {
			return r.failure(ctx, err, what(it))
		}
		if err == nil {
			_, d := resolve.Find(q, v.tree)
			s.Decision = &d
			if d.Outcome == resolve.One {
				return nil
			}
		}
		if deadline.Err() != nil {
			if ctx.Err() != nil {
				return r.interrupted()
			}
			return notFound(*s.Decision, nil, it.Before, v)
		}
		pause(deadline, wait)
	}
}
