package plan

import (
	"fmt"

	"retrace/replay/trace"
	"retrace/resolve"
)

// Make returns the intents of a recording, in the order in which they must be done. The first is always [Open]. The trace is
// not changed; intents point into it.
func Make(t *trace.Trace) []Intent {
	p := &planner{trace: t}
	p.bind()
	p.open()
	p.navigations()
	p.redirects()
	p.clearedByPage()
	p.enters()
	p.sent()
	p.fills()
	p.appends()
	p.suggestions()
	p.labels()
	p.hovers()
	p.openers()
	p.submissions()
	return p.intents
}

// planner holds the intents while the rules work on them. Each rule is a method that reads the list and rewrites it.
type planner struct {
	trace   *trace.Trace
	intents []Intent
	opening int // number of leading intents that the Open intent explains, itself included
}

// kinds are the intents of the steps whose kind does not depend on anything else.
var kinds = map[trace.Op]Kind{
	trace.Navigate: Goto, trace.SwitchTab: SwitchTab, trace.Click: Click, trace.Hover: Hover, trace.Fill: Fill,
	trace.Select: Select, trace.Press: Press, trace.Scroll: Scroll,
}

// bind makes one intent of every step and finds the pages before and after it.
//
// A recorder that had not yet seen the page when the next action came wrote the page after the action in both places. It
// shows: the step's two states are one, and it is not the one that the step before it led to. Then the page before is
// that earlier one. The v2 form only knows that a step led to another page, or does not know what it led to.
func (p *planner) bind() {
	var last *trace.State
	var acted *trace.Step // the last step before that can change a page
	for _, s := range p.trace.Steps {
		in := Intent{Kind: kinds[s.Op], Step: s, Covers: []*trace.Step{s}, Before: s.State, After: s.Result}
		switch {
		case p.trace.Version == 2:
			if s.Result == s.State {
				in.After = nil
			}
			if s.Op == trace.Navigate {
				in.Before, in.After = last, s.State
			}
		case lateState(s, last) && onlyOn(s, last):
			in.because("state-is-both", "the page %s had come before the step, since the target is on it and not on %s", s.State.ID, last.ID)
		case lateState(s, last):
			in.Before, in.Late = last, true
			in.Shared = acted != nil && acted.State == acted.Result
			in.because("state-is-after", "state %s was taken after the step, so the page before it is %s, which the step before led to", s.State.ID, last.ID)
		}
		last = s.Result
		switch s.Op {
		case trace.Fill:
			in.Value = s.Value
		case trace.Click, trace.Press, trace.Select:
			acted = s
		}
		p.intents = append(p.intents, in)
	}
}

// onlyOn reports whether the target of a step with a late state is on that page, which has another address than the page
// before, and not on the page before. Then it was the step before that led there.
func onlyOn(s *trace.Step, last *trace.State) bool {
	return s.Target != nil && name(s.Target) != "" && left(last.URL, s.State.URL) && named(s.State, s.Target) && !named(last, s.Target)
}

// named reports whether the page has anything of the target's name that is more than text.
func named(s *trace.State, d *resolve.Descriptor) bool {
	if s.Tree == nil {
		return false
	}
	wanted := name(d)
	for _, n := range s.Tree.Nodes {
		if n.Role != "StaticText" && resolve.Normalise(n.Name) == wanted {
			return true
		}
	}
	return false
}

// lateState reports whether the state before the step is really the one after it.
func lateState(s *trace.Step, last *trace.State) bool {
	if last == nil || s.State == nil || s.State != s.Result || s.State == last {
		return false
	}
	return s.Op == trace.Navigate || s.Target != nil && s.Target.Unmatched
}

// because adds a reason to the intent, once.
func (in *Intent) because(rule, format string, args ...any) {
	r := Reason{Rule: rule, Text: fmt.Sprintf(format, args...)}
	for _, known := range in.Reasons {
		if known == r {
			return
		}
	}
	in.Reasons = append(in.Reasons, r)
}

// skip turns the intent into one that does nothing.
func (in *Intent) skip(rule, format string, args ...any) {
	in.Kind = Skip
	in.because(rule, format, args...)
}

// absorb puts the earlier intent into the later one: it stands for the steps of both, begins on the page of the first and
// keeps the reasons of both.
func (in *Intent) absorb(earlier Intent) {
	in.Covers = append(append([]*trace.Step(nil), earlier.Covers...), in.Covers...)
	in.Before = earlier.Before
	reasons := append([]Reason(nil), earlier.Reasons...)
	for _, r := range in.Reasons {
		if r.Rule != "state-is-after" { // the page before is that of the first step now
			reasons = append(reasons, r)
		}
	}
	in.Reasons = reasons
}

// url returns the address of a state; empty when there is none.
func url(s *trace.State) string {
	if s == nil {
		return ""
	}
	return s.URL
}
