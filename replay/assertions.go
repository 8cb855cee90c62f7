package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"retrace/replay/assert"
	"retrace/replay/plan"
)

// asserted prepares the results of the assertions.
func (r *runner) asserted() []Assertion {
	if r.o.Assert == nil {
		return nil
	}
	out := make([]Assertion, len(r.o.Assert.Assertions))
	for i, a := range r.o.Assert.Assertions {
		out[i] = Assertion{Text: r.hide(a.String()), Line: a.Line, After: a.After, Verdict: NotRun}
	}
	return out
}

// holdsAfter waits until everything that is asserted after the recorded steps of an intent holds.
func (r *runner) holdsAfter(ctx context.Context, it *plan.Intent) *Failure {
	ids := make([]int, len(it.Covers))
	for i, s := range it.Covers {
		ids[i] = s.ID
	}
	if len(ids) == 0 {
		return nil
	}
	return r.holds(ctx, r.o.Assert.At(ids...))
}

// holds waits until the assertions at the given places hold, all on one look at the page, within the deadline of a step.
func (r *runner) holds(ctx context.Context, places []int) *Failure {
	if len(places) == 0 {
		return nil
	}
	deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	looked := false
	for wait := 15 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		v, err := r.look(deadline)
		if err != nil && (fatal(err) || ctx.Err() != nil || !looked) {
			return r.failure(ctx, err, "the page")
		}
		if err == nil {
			looked = true
			if r.compare(places, assert.Page{Tree: v.tree, URL: v.url, Title: v.title}) {
				return nil
			}
		}
		if deadline.Err() != nil {
			if ctx.Err() != nil {
				return r.interrupted()
			}
			return r.assertionFailure(places)
		}
		pause(deadline, wait)
	}
}

// compare writes what became of the assertions into the result, and reports whether all hold.
func (r *runner) compare(places []int, p assert.Page) bool {
	all := true
	for _, i := range places {
		f := r.o.Assert.Assertions[i].Holds(p)
		a := &r.res.Assertions[i]
		a.Verdict, a.Instead = Passed, nil
		if f.Holds {
			continue
		}
		all = false
		a.Verdict = Failed
		for _, line := range f.Instead {
			a.Instead = append(a.Instead, r.hide(line))
		}
	}
	return all
}

// assertionFailure says which assertions do not hold, and what the page showed.
func (r *runner) assertionFailure(places []int) *Failure {
	f := &Failure{Code: AssertionFailed}
	var failed []Assertion
	for _, i := range places {
		if a := r.res.Assertions[i]; a.Verdict == Failed {
			failed = append(failed, a)
		}
	}
	f.Text = "asserted, and not so: " + failed[0].Text
	if len(failed) > 1 {
		f.Text += fmt.Sprintf(" (and %d more)", len(failed)-1)
	}
	for _, a := range failed {
		where := fmt.Sprintf("%s, line %d: ", r.o.Assert.File, a.Line)
		if len(failed) > 1 {
			where += a.Text + ": "
		}
		f.Evidence = append(f.Evidence, where+strings.Join(a.Instead, "; "))
	}
	return f
}

// hide replaces every text that holds the value of a secret: what a page shows after one was typed may be it.
func (r *runner) hide(s string) string {
	for _, v := range r.o.Secrets {
		if v != "" && strings.Contains(s, v) {
			if len([]rune(v)) < 4 {
				return "•••" // its place would tell it
			}
			s = strings.ReplaceAll(s, v, "•••")
		}
	}
	for _, v := range r.o.Masked {
		if len([]rune(v)) >= 4 {
			s = strings.ReplaceAll(s, v, "•••")
		}
	}
	return s
}
