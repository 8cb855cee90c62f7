package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Debugger is a replay that a person leads step by step. It stands before a step; between two steps the page can be looked at, and
// another target tried for the next one. It is used by one goroutine.
type Debugger struct {
	r    *runner
	at   int  // the planned step that is done next
	ours bool // the browser ends with the debugger

	marked cdp.Session // whose page has a highlighted element; nil for none
}

// Debug opens a browser and stands before the first planned step. The error is a *[Failure] when there is no browser or a value
// is missing, else it is about options that make no sense. The debugger must be closed.
func Debug(ctx context.Context, t *trace.Trace, o Options) (*Debugger, error) {
	o.Retries, o.Propose = 0, false
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("debug: %w", err)
	}
	if t == nil {
		return nil, errors.New("debug: no trace")
	}
	o.LargePage = math.MaxInt // a page that is read whole tells of all candidates
	t = rebase(t, o.BaseURL)
	r := newRunner(t, plan.Make(t), o, 1)
	if f := r.check(len(r.plan) - 1); f != nil {
		return nil, f
	}
	if f := r.open(ctx, ""); f != nil {
		r.close()
		return nil, f
	}
	return &Debugger{r: r, ours: true}, nil
}

// Close ends the browser.
func (d *Debugger) Close() {
	if d.ours {
		d.r.leave()
		d.r.close()
	}
}

// At is the index of the step that is done next, the number of steps at the end.
func (d *Debugger) At() int { return d.at }

// Steps are the planned steps: index, ids, kind and title.
func (d *Debugger) Steps() []StepResult {
	out := make([]StepResult, len(d.r.plan))
	for i := range d.r.plan {
		out[i] = d.r.result(i)
	}
	return out
}

// Step does the next step. After a failure the debugger still stands before it, so that it can be tried again. It must not be
// called at the end.
func (d *Debugger) Step(ctx context.Context) StepResult {
	d.unmark(ctx)
	s := d.r.result(d.at)
	d.r.step(ctx, &d.r.plan[d.at], d.at, &s)
	if s.Verdict != Failed {
		d.at++
	}
	return s
}

// Skip leaves the next step out.
func (d *Debugger) Skip() { d.at++ }

// URL is the address of the page.
func (d *Debugger) URL() string { return d.r.page.URL() }

// target is the intent of the next step, if it has a target.
func (d *Debugger) target() (*plan.Intent, error) {
	if d.at >= len(d.r.plan) {
		return nil, errors.New("the recording is at its end")
	}
	it := &d.r.plan[d.at]
	if it.Step == nil || uses[it.Kind] == "" {
		return nil, fmt.Errorf("the next step (%s) acts on no element", title(it))
	}
	return it, nil
}

// Look searches the page, as it is now, for the target of the next step. With a descriptor it looks for that instead.
func (d *Debugger) Look(ctx context.Context, other *resolve.Descriptor) (resolve.Decision, error) {
	_, _, decision, err := d.search(ctx, other)
	return decision, err
}

func (d *Debugger) search(ctx context.Context, other *resolve.Descriptor) (*view, *axtree.Node, resolve.Decision, error) {
	it, err := d.target()
	if err != nil {
		return nil, nil, resolve.Decision{}, err
	}
	deadline, cancel := context.WithTimeout(ctx, d.r.o.Timeout)
	defer cancel()
	v, err := d.r.look(deadline)
	if err != nil {
		return nil, nil, resolve.Decision{}, d.r.failure(ctx, err, what(it))
	}
	q := d.r.query(it, d.at)
	if other != nil {
		q.Target = *other
	} else if it.Step.Target == nil || it.Step.Target.Empty() {
		return nil, nil, resolve.Decision{}, fmt.Errorf("the next step (%s) acts on no element", title(it))
	}
	n, decision := resolve.Find(q, v.tree)
	return v, n, decision, nil
}

// Use has the next step act on what the descriptor means, in place of the recorded target.
func (d *Debugger) Use(other resolve.Descriptor) error {
	it, err := d.target()
	if err != nil {
		return err
	}
	step := *it.Step
	step.Target = &other
	it.Step = &step
	return nil
}

// Highlight marks the target of the next step in the window, or what the descriptor means; false when there is not exactly one.
func (d *Debugger) Highlight(ctx context.Context, other *resolve.Descriptor) (bool, error) {
	_, n, decision, err := d.search(ctx, other)
	if err != nil || decision.Outcome != resolve.One {
		return false, err
	}
	d.unmark(ctx)
	short, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	s := n.Live.Session
	d.marked = s
	// The overlay needs the domain of nodes, which is off otherwise since it keeps state about every node.
	if _, err := cdp.Call(short, s, dom.Enable, dom.EnableParams{}); err != nil {
		return false, fmt.Errorf("marking the target: %w", err)
	}
	if _, err := cdp.Call(short, s, overlay.Enable, cdp.Empty{}); err != nil {
		return false, fmt.Errorf("marking the target: %w", err)
	}
	_, err = cdp.Call(short, s, overlay.HighlightNode, overlay.HighlightNodeParams{
		BackendNodeID: n.Live.Backend,
		HighlightConfig: &overlay.HighlightConfig{
			ShowInfo: true, ShowAccessibilityInfo: true,
			ContentColor: &cdp.RGBA{R: 130, G: 180, B: 245, A: 0.5}, BorderColor: &cdp.RGBA{R: 31, G: 95, B: 174, A: 0.8},
		},
	})
	if err != nil {
		return false, fmt.Errorf("marking the target: %w", err)
	}
	return true, nil
}

// unmark takes the highlight away.
func (d *Debugger) unmark(ctx context.Context) {
	if d.marked == nil {
		return
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	// A page that has gone has taken its highlight with it.
	_, _ = cdp.Call(short, d.marked, overlay.Disable, cdp.Empty{})
	_, _ = cdp.Call(short, d.marked, dom.Disable, cdp.Empty{})
	d.marked = nil
}

// Tree reads the accessibility tree of the page. Values of secrets are masked.
func (d *Debugger) Tree(ctx context.Context) (*axtree.Tree, error) {
	deadline, cancel := context.WithTimeout(ctx, d.r.o.Timeout)
	defer cancel()
	v, err := d.r.look(deadline)
	if err != nil {
		return nil, d.r.failure(ctx, err, "the page")
	}
	v.tree.URL, v.tree.Title = v.url, v.title
	d.r.hideIn(v.tree)
	return v.tree, nil
}

// Screenshot is a picture of the page as JPEG, in which what shows a secret is covered.
func (d *Debugger) Screenshot(ctx context.Context) ([]byte, error) {
	short, cancel := context.WithTimeout(ctx, shotLimit)
	defer cancel()
	return d.r.picture(short, &Shot{})
}

// Gone closes when the page is closed, or the browser has ended.
func (d *Debugger) Gone() <-chan struct{} { return d.r.page.Closed() }
