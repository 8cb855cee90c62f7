package replay

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"retrace/replay/act"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// act does the action of an intent on what was found.
func (r *runner) act(ctx context.Context, it *plan.Intent, fd found, s *StepResult) (act.Report, error) {
	switch it.Kind {
	case plan.Hover:
		return act.Hover(ctx, fd.el)
	case plan.Click:
		if uploads(it, fd.node) {
			return act.Report{}, r.upload(ctx, it, fd)
		}
		return act.Click(ctx, fd.el, act.ClickOptions{})
	case plan.Press:
		if it.Choice != "" && fd.node != nil {
			return act.PickByKeys(ctx, fd.el, it.Choice)
		}
		return act.Press(ctx, &fd.el, it.Step.Key, it.Step.Modifiers)
	case plan.Select:
		if _, ok := r.o.Secrets.lookup(it.Step); ok && it.Step.Selection == nil {
			if err := r.entrust(ctx, it, fd.el); err != nil {
				return act.Report{}, err
			}
		}
		return act.Select(ctx, fd.el, r.choices(it, fd))
	case plan.Fill:
		return r.fill(ctx, it, fd, s)
	}
	return act.Report{}, fmt.Errorf("no action for %s", it.Kind)
}

// fill types the value, and chooses a suggestion when one was chosen.
func (r *runner) fill(ctx context.Context, it *plan.Intent, fd found, s *StepResult) (act.Report, error) {
	value := it.Value
	if it.Append {
		value = it.Step.Value // all that the field is to hold; what it lacks of it is typed at its end
	}
	if v, ok := r.o.Secrets.lookup(it.Step); ok && it.Step.Redacted {
		if err := r.entrust(ctx, it, fd.el); err != nil {
			return act.Report{}, err
		}
		value = v
		r.filled[secretField{fd.el.Session, fd.el.Backend}] = true
	}
	next := r.pressAfter(it)
	o := act.FillOptions{Value: value, Append: it.Append, Enter: it.Enter, Stay: it.Suggest || next != nil}
	o.Keys = it.Suggest || next != nil && next.Choice != "" || fd.node.Role == "combobox" || fd.node.Role == "searchbox"
	report, err := act.Fill(ctx, fd.el, o)
	if err != nil || !it.Suggest && !it.Send {
		return report, err
	}
	t := time.Now()
	if it.Send {
		err = r.send(ctx, fd, s)
	} else {
		err = r.suggest(ctx, it, fd, value, s)
	}
	report.Times.Act += time.Since(t)
	return report, err
}

// pressAfter is the next thing that the person did when that was to press a key in the same field, else nil.
func (r *runner) pressAfter(it *plan.Intent) *plan.Intent {
	for i := range r.plan {
		if &r.plan[i] != it || i+1 == len(r.plan) {
			continue
		}
		n := &r.plan[i+1]
		if n.Kind == plan.Press && n.Step.Target == nil && it.Step.Commit == trace.CommitEnter {
			return n
		}
		if n.Kind == plan.Press && n.Step.Target != nil && n.Step.Target.Name == it.Step.Target.Name && n.Step.Target.Role == it.Step.Target.Role {
			return n
		}
	}
	return nil
}

// send clicks the button that sends the field's form, when it is the only one and one whose clicks are not recorded.
func (r *runner) send(ctx context.Context, fd found, s *StepResult) error {
	lost, err := act.UnrecordedSubmit(ctx, fd.el)
	if err != nil {
		return err
	}
	if !lost {
		s.warnf("the form was probably sent, but it has no single button whose click would not have been recorded; it was not sent")
		return nil
	}
	button, _, err := act.SubmitButton(ctx, fd.el)
	if err != nil {
		return err
	}
	el := fd.el
	el.Backend = button
	if _, err := act.Click(ctx, el, act.ClickOptions{}); err != nil {
		return err
	}
	s.warnf("the click that sent the form is not in the recording; its only submit button was clicked")
	return nil
}

// choices are the options of a select: recorded, supplied, or read from the page text after the step.
func (r *runner) choices(it *plan.Intent, fd found) []act.Choice {
	if it.Step.Selection == nil {
		v, ok := r.o.Secrets.lookup(it.Step)
		if ok {
			r.filled[secretField{fd.el.Session, fd.el.Backend}] = true
		}
		if !ok {
			v = r.shownChoice(it)
		}
		if v == "" {
			return nil
		}
		return []act.Choice{{Value: v, Label: v}}
	}
	out := make([]act.Choice, 0, len(it.Step.Selection))
	for _, c := range it.Step.Selection {
		out = append(out, act.Choice{Value: c.Value, Label: c.Label})
	}
	return out
}

// shownChoice is the value that the recorded page after the step shows for the list; "" when it shows none, or hides it.
func (r *runner) shownChoice(it *plan.Intent) string {
	if it.After == nil || it.Step.Target == nil {
		return ""
	}
	for _, n := range it.After.Tree.Nodes {
		if n.HasValue && n.Value != "" && !strings.Contains(n.Value, "•••") && resolve.Family(n.Role) == "choice" &&
			n.Name != "" && resolve.Normalise(n.Name) == resolve.Normalise(it.Step.Target.Name) {
			return n.Value
		}
	}
	return ""
}

// uploads reports whether an intent puts a file into a file input.
func uploads(it *plan.Intent, n *axtree.Node) bool {
	return it.Kind == plan.Click && n.Live.Tag == "input" && n.Live.Type == "file"
}

// upload puts a file into a file input. The recording does not know which file it was.
func (r *runner) upload(ctx context.Context, it *plan.Intent, fd found) error {
	name := resolve.Normalise(it.Step.Target.Name)
	path, ok := r.o.Files[strconv.Itoa(it.Step.ID)]
	if !ok {
		path, ok = r.o.Files[name]
	}
	if !ok {
		return &Failure{
			Code: FileMissing, Text: "the recording does not say which file was chosen for " + strconv.Quote(clip(name, 80)),
			Hint: "supply it with --file " + strconv.Quote(clip(name, 80)) + "=PATH",
		}
	}
	_, err := cdp.Call(ctx, fd.el.Session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{path}, BackendNodeID: fd.el.Backend})
	if err != nil {
		return fmt.Errorf("setting the file: %w", err)
	}
	return nil
}

// suggest waits for the list of suggestions and clicks the chosen one.
func (r *runner) suggest(ctx context.Context, it *plan.Intent, fd found, typed string, s *StepResult) error {
	old := map[cdp.BackendNodeID]bool{}
	for _, n := range fd.view.tree.Nodes {
		old[n.Live.Backend] = true
	}
	var offered []string
	for wait := 20 * time.Millisecond; ; wait = min(wait*3/2, 150*time.Millisecond) {
		v, err := r.look(ctx)
		if err != nil && (fatal(err) || ctx.Err() == nil) {
			return err
		}
		if err == nil {
			var n *axtree.Node
			n, offered = suggestion(v.tree, old, it.Choice, typed, fd.node.Live.Backend)
			if n != nil {
				el, err := r.element(ctx, v, n)
				if err == nil {
					_, err = act.Click(ctx, el, act.ClickOptions{})
				}
				if err == nil {
					s.notef("chose the suggestion %q", clip(n.Name, 80))
					return nil
				}
				if fatal(err) {
					return err
				}
			}
		}
		if ctx.Err() != nil {
			f := &Failure{Code: OptionMissing, Text: fmt.Sprintf("the suggestion %q is not offered", clip(it.Choice, 80))}
			if it.Choice == "" {
				f.Text = "the recording does not say which suggestion was chosen, and the page offers no single one that fits"
			}
			if len(offered) > 0 {
				f.Evidence = []string{offers(offered)}
			}
			return f
		}
		pause(ctx, wait)
	}
}

// suggestion finds the one suggestion among what came to the page since old: the one called choice, or, when that is not
// known, the only one that begins with what was typed.
func suggestion(t *axtree.Tree, old map[cdp.BackendNodeID]bool, choice, typed string, field cdp.BackendNodeID) (*axtree.Node, []string) {
	want, prefix := strings.ToLower(resolve.Normalise(choice)), strings.ToLower(resolve.Normalise(typed))
	var fits []*axtree.Node
	var offered []string
	for _, n := range t.Nodes {
		l := n.Live
		if old[l.Backend] && n.Role != "option" || l.Backend == field || l.Hidden || n.Role == "StaticText" && n.Parent != nil && (n.Parent.Live.Clickable || n.Parent.Role == "option") {
			continue
		}
		if inside(n, field) {
			continue
		}
		name := n.Name
		if name == "" {
			name = l.DOMName
		}
		if n.Role == "option" || l.Clickable || n.Role == "StaticText" {
			if name = resolve.Normalise(name); name == "" {
				continue
			}
			if len(offered) < 20 && !slices.Contains(offered, name) && !holdsOption(n) {
				offered = append(offered, name)
			}
			low := strings.ToLower(name)
			if want != "" && low == want || want == "" && prefix != "" && strings.HasPrefix(low, prefix) {
				fits = append(fits, n)
			}
		}
	}
	var one *axtree.Node
	for _, n := range fits {
		inner := false
		for _, o := range fits {
			if o != n && isAbove(n, o) {
				inner = true
			}
		}
		if inner {
			continue
		}
		if one != nil {
			return nil, offered
		}
		one = n
	}
	return one, offered
}

// holdsOption reports whether a node is a list around options rather than one of them.
func holdsOption(n *axtree.Node) bool {
	for d := range n.Subtree() {
		if d != n && (d.Role == "option" || d.Live != nil && d.Live.Clickable && d.Role != "StaticText") {
			return true
		}
	}
	return false
}

func isAbove(a, n *axtree.Node) bool {
	for x := range n.Ancestors() {
		if x == a {
			return true
		}
	}
	return false
}

func inside(n *axtree.Node, backend cdp.BackendNodeID) bool {
	for a := range n.Ancestors() {
		if a.Live.Backend == backend {
			return true
		}
	}
	return false
}

// alreadyDone says why a click is left out: it would switch something back that the page shows switched already, or send a
// form again that Enter has sent, which recorders note as a click on its button too. Empty when the click is to be done. The
// recorded change tells this only when the page text before the step had the control: else it may show how the page loaded.
func (r *runner) alreadyDone(it *plan.Intent, i int, fd found, exp *verify.Expectation) string {
	if it.Kind != plan.Click || fd.node == nil || !exp.Fulfilled() || !fd.query.Recorded() {
		return ""
	}
	if l := fd.node.Live; l.Checked != "" || l.Pressed != "" || l.Expanded != "" || l.Selected == "true" {
		return "is in the recorded end state already, so it was not switched"
	}
	if i > 0 {
		p := &r.plan[i-1]
		enter := p.Kind == plan.Press && p.Step.Key == "Enter" && p.Step.Modifiers == 0 || p.Kind == plan.Fill && p.Enter
		if enter && p.Before != nil && it.Before != nil && p.Before.ID == it.Before.ID && resolve.Family(fd.node.Role) == "button" {
			return "was not clicked: the Enter before it has done all that the recording shows after the click"
		}
	}
	return ""
}
