package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve/axtree"
)

// LiveTree reads the accessibility tree of a page: the one on which a recorded step would be done, after the steps before it
// were replayed, or, when url is not empty, the page at that address; t may be nil then. The values of secrets are masked.
// The error is a *[Failure] when the page was not reached.
func LiveTree(ctx context.Context, t *trace.Trace, o Options, step int, url string) (*axtree.Tree, error) {
	o.Retries, o.Assert, o.Propose, o.ReportDir = 0, nil, false, ""
	o, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if t == nil {
		if url == "" {
			return nil, errors.New("tree: neither trace nor url")
		}
		t = &trace.Trace{}
	}
	t, o = moved(t, o)
	r := newRunner(t, plan.Make(t), o, 1)
	i := 0
	if url == "" {
		if i, err = r.planned(step); err != nil {
			return nil, fmt.Errorf("tree: %w", err)
		}
	}
	var tree *axtree.Tree
	f := r.visit(ctx, i, url, func() *Failure {
		if url == "" {
			r.ready(ctx, &r.plan[i])
		}
		r.linger(ctx)
		deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
		defer cancel()
		v, err := r.look(deadline)
		if err != nil {
			return r.failure(ctx, err, "the page")
		}
		tree = v.tree
		tree.URL, tree.Title = v.url, v.title
		return nil
	})
	if f != nil {
		return nil, f
	}
	r.hideIn(tree)
	return tree, nil
}

// ready waits until the page is the one that a step was recorded on; when it never is, the page is taken as it is.
func (r *runner) ready(ctx context.Context, it *plan.Intent) {
	if it.Before == nil {
		return
	}
	deadline, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	for deadline.Err() == nil {
		if v, err := r.look(deadline); err == nil && verify.Agree(it.Before, v.sight).Here() {
			return
		}
		pause(deadline, 50*time.Millisecond)
	}
}

// hideIn masks the values of secrets in a tree.
func (r *runner) hideIn(t *axtree.Tree) {
	for _, n := range t.Nodes {
		r.hideNode(n)
	}
	for _, h := range t.Hidden {
		r.hideNode(h.Node)
	}
}

func (r *runner) hideNode(n *axtree.Node) {
	n.Name, n.Value, n.Ctx = r.hide(n.Name), r.hide(n.Value), r.hide(n.Ctx)
	if n.Live == nil {
		return
	}
	n.Live.DOMName = r.hide(n.Live.DOMName)
	for i, name := range n.Live.Names {
		n.Live.Names[i] = r.hide(name)
	}
}
