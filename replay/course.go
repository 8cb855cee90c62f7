package replay

import (
	"context"
	"errors"
	"time"

	"retrace/replay/act"
	"retrace/replay/plan"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Course is how a step went in time: when its target was there, when it could be acted on, when the recorded effect had shown,
// and what was waited for until then. Times are milliseconds since the step began; 0 means that it did not come to that.
type Course struct {
	// Found is when the target was found on the recorded page first, Ready when it could be acted on, Acted when the action was
	// done, Shown when the recorded effect had been seen.
	Found float64 `json:"found_ms,omitempty"`
	Ready float64 `json:"ready_ms,omitempty"`
	Acted float64 `json:"acted_ms,omitempty"`
	Shown float64 `json:"shown_ms,omitempty"`
	// Waits are what was waited for, one for each kind, in the order in which they were met first.
	Waits []Wait `json:"waits,omitempty"`
	// Documents counts the documents that the tab loaded during the step, those of frames included.
	Documents int64 `json:"documents,omitempty"`
	// Unheard is set when a press met the target and the page saw no click, since the target was replaced or moved away before the
	// button was let go.
	Unheard bool `json:"unheard,omitempty"`
	// Starved is how many milliseconds the main thread of the page was at work without being given a processor, as far as the
	// browser and the system tell; it is known of runs that are diagnosed. Time that the thread waited within a task for something
	// else counts too, where the system does not tell how long anything waited for a processor. Of a step in which the browser did
	// not answer it is the time in which the page did not run and something on the machine waited for a processor.
	Starved float64 `json:"starved_ms,omitempty"`
	// Late is what came only after the deadline; see [Options.Aftermath].
	Late *Late `json:"late,omitempty"`
}

// Obstacle is what keeps a step waiting: a closed list.
type Obstacle string

// Obstacles, in the order of a step. Those of the element have the names of package act.
const (
	AwaitsPage      Obstacle = "page"      // the page is not the recorded one
	AwaitsTarget    Obstacle = "target"    // the target is not there
	AwaitsChoice    Obstacle = "choice"    // several elements fit
	AwaitsCertainty Obstacle = "certainty" // it was found by weak evidence, or the page does not rest
	AwaitsElement   Obstacle = "replaced"  // the element was drawn anew before it could be acted on
	AwaitsOptions   Obstacle = "options"   // the list has not the option
	AwaitsPointer   Obstacle = "pointer"   // the press met something else, and was kept from it
	AwaitsSlip      Obstacle = "slipped"   // likewise, since the element had moved away from under the pointer
	AwaitsHidden    Obstacle = "hidden"
	AwaitsDisabled  Obstacle = "disabled"
	AwaitsReadOnly  Obstacle = "readonly"
	AwaitsCovered   Obstacle = "covered"
	AwaitsMoving    Obstacle = "moving"
	AwaitsBusy      Obstacle = "busy"
	AwaitsEffect    Obstacle = "effect" // the recorded effect has not shown
)

// Wait is one kind of thing that a step waited for.
type Wait struct {
	For Obstacle `json:"for"`
	// MS is how long in all, in milliseconds. Requests is how much of it had requests of the page under way; Idle is how much
	// lay between two looks, when it was not the browser that was slow to answer.
	MS       float64 `json:"ms"`
	Requests float64 `json:"requests_ms,omitempty"`
	Idle     float64 `json:"idle_ms,omitempty"`
	// Times is how often it was seen to be so.
	Times int `json:"times"`
	// Text is what was in the way last ("covered by div \"Loading\"").
	Text string `json:"text,omitempty"`
}

// Late is what came after a step had failed for the lack of it.
type Late struct {
	// What is "target", "enabled" or "effect".
	What string `json:"what"`
	// MS is when it came, in milliseconds since the step began.
	MS float64 `json:"ms"`
	// Requests says that a request of the page was under way when the step failed.
	Requests bool `json:"requests,omitempty"`
}

// waited adds time that a step lost to an obstacle; paused is the part between two looks.
func (c *Course) waited(o Obstacle, text string, d, paused time.Duration, requests bool) {
	i := 0
	for i < len(c.Waits) && c.Waits[i].For != o {
		i++
	}
	if i == len(c.Waits) {
		c.Waits = append(c.Waits, Wait{For: o})
	}
	w := &c.Waits[i]
	w.MS += ms(d)
	w.Idle += ms(min(d, paused))
	w.Times++
	if requests {
		w.Requests += ms(d)
	}
	if text != "" {
		w.Text = clip(text, 200)
	}
}

// Wait is the wait for one kind of thing; the zero value when there was none.
func (c *Course) Wait(o Obstacle) Wait {
	for _, w := range c.Waits {
		if w.For == o {
			return w
		}
	}
	return Wait{}
}

// moment notes when something came, the first time that it does.
func (s *StepResult) moment(at *float64) {
	if *at == 0 {
		*at = max(ms(time.Since(s.Started)), 0.001)
	}
}

// unsettled is what keeps a search from its end, and the words for it.
func unsettled(open bool, gate *verify.Agreement, d resolve.Decision) (Obstacle, string) {
	switch {
	case !open && gate != nil && !gate.Address:
		return AwaitsPage, "another address"
	case !open && d.Outcome == resolve.One:
		return AwaitsPage, "the recorded page is not complete"
	case d.Outcome == resolve.Ambiguous:
		return AwaitsChoice, d.Why
	case d.Outcome == resolve.Missing:
		return AwaitsTarget, d.Why
	}
	return AwaitsCertainty, d.Why
}

// obstacles are the states of an element that an action waits for to pass.
var obstacles = map[act.State]Obstacle{
	act.Hidden: AwaitsHidden, act.Offscreen: AwaitsHidden, act.Disabled: AwaitsDisabled, act.ReadOnly: AwaitsReadOnly, act.Covered: AwaitsCovered,
	act.NoPointer: AwaitsCovered, act.Moving: AwaitsMoving, act.Busy: AwaitsBusy, act.Intercepted: AwaitsPointer, act.Slipped: AwaitsSlip, act.Optionless: AwaitsOptions,
}

// decided tells of the end of a search.
func (r *runner) decided(i int, v *view, target *axtree.Node) {
	if r.o.OnDecided != nil && v.tree != nil {
		r.o.OnDecided(i, v.tree, target)
	}
}

// waiting gives the function that notes what an action waits for.
func (r *runner) waiting(s *StepResult) func(act.Waited) {
	return func(w act.Waited) {
		if o, known := obstacles[w.State]; known {
			s.Course.waited(o, w.Text, w.Took, w.Paused, r.requesting())
		}
	}
}

// requesting reports whether a request of the page is under way, as far as requests are counted by now.
func (r *runner) requesting() bool {
	t := r.counters[r.page]
	return t != nil && t.open() > 0
}

// diagnose looks on after a step has failed, without acting: what was lacking may only be late.
func (r *runner) diagnose(ctx context.Context, it *plan.Intent, i int, s *StepResult, f *Failure) {
	if r.o.Aftermath <= 0 || f == nil || r.page == nil || ctx.Err() != nil {
		return
	}
	requests := r.requesting()
	deadline, cancel := context.WithTimeout(ctx, r.o.Aftermath)
	defer cancel()
	var what string
	switch f.Code {
	case TargetMissing, TargetAmbiguous, PageMismatch:
		if r.comes(deadline, func(v *view) bool { return r.there(it, i, v) }) {
			what = "target"
		}
	case TargetDisabled, TargetReadOnly:
		if r.comes(deadline, func(v *view) bool {
			n, d := resolve.Find(r.query(it, i), v.tree)
			return d.Outcome == resolve.One && !n.Live.Disabled && !n.Live.ReadOnly
		}) {
			what = "enabled"
		}
	case EffectNotSeen:
		if e := r.awaited; e != nil && r.shows(deadline, e) {
			what = "effect"
		}
	}
	if what != "" {
		s.Course.Late = &Late{What: what, MS: ms(time.Since(s.Started)), Requests: requests}
	}
}

// comes looks at the page until cond holds.
func (r *runner) comes(ctx context.Context, cond func(*view) bool) bool {
	for ctx.Err() == nil {
		v, err := r.look(ctx)
		if err != nil {
			return false
		}
		if cond(v) {
			return true
		}
		pause(ctx, 50*time.Millisecond)
	}
	return false
}

// there reports whether the page is the recorded one and has the target.
func (r *runner) there(it *plan.Intent, i int, v *view) bool {
	if _, open := r.gate(it, v); !open || it.Step == nil {
		return false
	}
	if it.Step.Target == nil || it.Step.Target.Empty() {
		return true
	}
	_, d := resolve.Find(r.query(it, i), v.tree)
	return d.Outcome == resolve.One
}

// shows watches for an effect that was not seen in time.
func (r *runner) shows(ctx context.Context, e *standing) bool {
	until, _ := ctx.Deadline()
	for ctx.Err() == nil {
		v, err := r.watched(ctx, until, e.before, e.it, e.i)
		if err != nil {
			if fatal(err) || errors.Is(err, context.DeadlineExceeded) {
				return false
			}
			continue
		}
		e.expect.ObserveText(r.heard(ctx, v))
		e.expect.Observe(v.sight)
		if e.expect.Effect().Verdict == verify.Confirmed {
			return true
		}
		pause(ctx, 50*time.Millisecond)
	}
	return false
}
