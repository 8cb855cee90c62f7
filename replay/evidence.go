package replay

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Comparison is the recorded page beside the live one, at the moment of a failure.
type Comparison struct {
	// State is the recorded page that should have been there.
	State string   `json:"state"`
	Was   PageName `json:"recorded"`
	Is    PageName `json:"live"`
	verify.Pages
}

// Told sums the comparison up: "3 lines disappeared, 1 changed, 2 appeared, 40 are the same".
func (c *Comparison) Told() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.Disappeared, "disappeared"}, {c.Changed, "changed"}, {c.Appeared, "appeared"}, {c.Same, "are the same"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return "Of the lines of both pages, " + strings.Join(parts, ", ") + "."
}

// PageName is what a page calls itself.
type PageName struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// compareLimit bounds the look at the page of a failure. A page that takes longer to read is not compared.
const compareLimit = 2 * time.Second

// contrast puts the page of a failure beside the recorded one that should have been there.
func (r *runner) contrast(ctx context.Context, it *plan.Intent, s *StepResult, f *Failure) {
	if r.page == nil || ctx.Err() != nil {
		return
	}
	want := expected(it, f)
	if want == nil || len(want.Tree.Nodes) == 0 {
		return
	}
	short, cancel := context.WithTimeout(ctx, compareLimit)
	defer cancel()
	v, err := r.look(short)
	if err != nil || v.tree == nil {
		r.o.Log.Debug("no comparison of the pages", "err", err)
		return
	}
	c := &Comparison{State: want.ID, Was: PageName{r.hide(want.URL), r.hide(want.Title)}, Is: PageName{r.hide(v.url), r.hide(v.title)}, Pages: verify.Compare(want.Tree, v.tree)}
	for i := range c.Rows {
		c.Rows[i].Recorded, c.Rows[i].Live = r.hide(c.Rows[i].Recorded), r.hide(c.Rows[i].Live)
	}
	s.Comparison = c
	if line := inPlace(it, f, c); line != "" {
		f.Evidence = append(f.Evidence, "in its place the page shows "+line)
	}
}

// inPlace is the line of the live page that stands where the recorded page has the target of a step that was not found;
// empty when none does, or when the pages were not compared.
func inPlace(it *plan.Intent, f *Failure, c *Comparison) string {
	if c == nil || f.Code != TargetMissing || it.Step == nil || it.Step.Target == nil || it.Step.Target.Name == "" {
		return ""
	}
	want := strconv.Quote(resolve.Normalise(resolve.StripSuffix(it.Step.Target.Name)))
	found := ""
	for _, r := range c.Rows {
		role, rest, _ := strings.Cut(r.Recorded, " ")
		if r.Change != verify.Altered || !strings.HasPrefix(rest, want) || resolve.Family(role) != resolve.Family(it.Step.Target.Role) {
			continue
		}
		if found != "" {
			return ""
		}
		found = r.Live
	}
	return found
}

// expected is the recorded page that a step lacked when it failed: the one after it when it was done, else the one before.
func expected(it *plan.Intent, f *Failure) *trace.State {
	switch it.Kind {
	case plan.Open:
		return nil
	case plan.Goto, plan.Await, plan.SwitchTab, plan.Reload, plan.Traverse:
		return it.After
	}
	switch f.Code {
	case EffectNotSeen, AssertionFailed, DialogUnexpected, ValueRejected:
		return it.After
	}
	return it.Before
}

// surround notes where in the page the target stands.
func (r *runner) surround(s *StepResult, n *axtree.Node) {
	s.Around = verify.Around(n)
	for i := range s.Around {
		s.Around[i].Text = r.hide(s.Around[i].Text)
	}
}

// surroundFirst notes where the best candidate stands, when none was singled out.
func (r *runner) surroundFirst(s *StepResult) {
	if len(s.Around) > 0 || s.Decision == nil || len(s.Decision.Candidates) == 0 || r.seen == nil || r.seen.tree == nil {
		return
	}
	if i := s.Decision.Candidates[0].Index; i > 0 && i < len(r.seen.tree.Nodes) {
		r.surround(s, r.seen.tree.Nodes[i])
	}
}
