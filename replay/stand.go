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
	s.Failure = &Failure{
		Code: EffectNotSeen,
		Text: fmt.Sprintf("%s was acted on, and the page took the recorded result back and says %q", what(e.it), clip(strings.Join(said, " / "), 200)),
	}
	effect := e.expect.Effect()
	effect.Verdict, effect.Instead = verify.NotSeen, said
	s.Effect = &effect
	r.shoot(ctx, s)
}
