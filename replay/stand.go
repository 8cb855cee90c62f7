package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"retrace/replay/plan"
	"retrace/replay/verify"
)

// standing is the recorded effect of a step that the page has shown.
type standing struct {
	it     *plan.Intent
	i      int // its place in the plan
	before *view
	expect *verify.Expectation
}

// standLimit bounds the second look at an effect.
const standLimit = 2 * time.Second

// stands looks at the effect of the last step once more when the page has come to rest. A page that shows a success before
// its server has agreed takes it back with a message when the server does not; then the step has failed.
func (r *runner) stands(ctx context.Context, s *StepResult) {
	e := r.shown
	if e == nil || s.Verdict == Failed {
		return
	}
	look, cancel := context.WithTimeout(ctx, standLimit)
	defer cancel()
	v, err := r.watched(look, time.Now().Add(standLimit), e.before, e.it, e.i)
	if err != nil {
		return
	}
	said := e.expect.Revoked(v.sight)
	if len(said) == 0 {
		return
	}
	s.Verdict = Failed
	s.Failure = takenBack(e, said)
	effect := e.expect.Effect()
	effect.Verdict, effect.Instead = verify.NotSeen, said
	s.Effect = &effect
	r.shoot(ctx, s, AtFailure)
}

// stillTakenBack is how long a result has to be gone before the next step is given up: a page that is drawn anew is without
// it for a moment.
const stillTakenBack = time.Second

// retraction watches, while the target of a step is looked for, whether the page takes back the result of the step before.
// Nothing is acted on while it does.
type retraction struct {
	e     *standing
	since time.Time
}

// by reports whether the result is gone on a page, and the failure once it has been for long enough. A large page, which is
// only probed, does not show it.
func (r *retraction) by(v *view, now time.Time) (bool, *Failure) {
	if r.e == nil || v.tree == nil {
		return false, nil
	}
	said := r.e.expect.Revoked(v.sight)
	if len(said) == 0 {
		r.since = time.Time{}
		return false, nil
	}
	if r.since.IsZero() {
		r.since = now
	}
	if now.Sub(r.since) < stillTakenBack {
		return true, nil
	}
	f := takenBack(r.e, said)
	f.Text = fmt.Sprintf("step %d: %s; the step after it was not done", r.e.it.Step.ID, f.Text)
	return true, f
}

// unconfirm writes into the result of an earlier step that what it had shown is gone.
func (r *runner) unconfirm(e *standing) {
	for i := range r.res.Steps {
		if s := &r.res.Steps[i]; s.Index == e.i && s.Effect != nil {
			effect := e.expect.Effect()
			effect.Verdict, effect.Instead = verify.NotSeen, e.expect.TakenBack()
			s.Effect = &effect
			s.warnf("the page took the recorded result back before the next step")
		}
	}
}

func takenBack(e *standing, said []string) *Failure {
	return &Failure{
		Code: EffectNotSeen,
		Text: fmt.Sprintf("%s was acted on, and the page took the recorded result back and says %q", what(e.it), clip(strings.Join(said, " / "), 200)),
	}
}
