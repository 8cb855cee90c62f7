package act

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// handle is an element's object in its isolated world, for the time of one action.
type handle struct {
	Element
	object runtime.RemoteObjectID
	// misses counts the presses that met something else and were withheld from the page.
	misses int
}

// hold resolves the element in its isolated world. Chrome refuses that for a node of another document, which is what
// tells a living element from one of the page before.
func hold(ctx context.Context, e Element) (*handle, error) {
	res, err := cdp.Call(ctx, e.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.Backend, ExecutionContextID: e.World})
	if err != nil {
		return nil, fmt.Errorf("resolving the element: %w", err)
	}
	if res.Object == nil || res.Object.ObjectID == "" {
		return nil, &Stale{Err: fmt.Errorf("resolving the element: the browser gave no object")}
	}
	return &handle{Element: e, object: res.Object.ObjectID}, nil
}

// release lets go of the object. A page that is gone has done so itself.
func (h *handle) release(ctx context.Context) {
	if ctx.Err() == nil {
		_, _ = cdp.Call(ctx, h.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: h.object})
	}
}

func (h *handle) params(op string, arg any, others ...runtime.RemoteObjectID) (runtime.CallFunctionOnParams, error) {
	name, err := json.Marshal(op)
	if err != nil {
		return runtime.CallFunctionOnParams{}, fmt.Errorf("encoding %q: %w", op, err)
	}
	value, err := json.Marshal(arg)
	if err != nil {
		return runtime.CallFunctionOnParams{}, fmt.Errorf("encoding the argument of %q: %w", op, err)
	}
	p := runtime.CallFunctionOnParams{
		FunctionDeclaration: library,
		ObjectID:            h.object,
		Arguments:           []*runtime.CallArgument{{Value: name}, {Value: value}},
		Silent:              new(true),
		AwaitPromise:        new(true),
	}
	for _, o := range others {
		p.Arguments = append(p.Arguments, &runtime.CallArgument{ObjectID: o})
	}
	return p, nil
}

// run runs an operation of the library on the element.
func (h *handle) run(ctx context.Context, op string, arg any, others ...runtime.RemoteObjectID) (answer, error) {
	p, err := h.params(op, arg, others...)
	if err != nil {
		return answer{}, err
	}
	p.ReturnByValue = new(true)
	res, err := cdp.Call(ctx, h.Session, runtime.CallFunctionOn, p)
	if err != nil {
		return answer{}, fmt.Errorf("checking the element: %w", err)
	}
	if res.ExceptionDetails != nil {
		return answer{}, thrown(op, res.ExceptionDetails)
	}
	var a answer
	if res.Result == nil {
		return answer{}, decode(op, nil, &a)
	}
	return a, decode(op, res.Result.Value, &a)
}

// find runs an operation that gives a node, or none: then the id is empty.
func (h *handle) find(ctx context.Context, op string, arg any) (runtime.RemoteObjectID, error) {
	p, err := h.params(op, arg)
	if err != nil {
		return "", err
	}
	res, err := cdp.Call(ctx, h.Session, runtime.CallFunctionOn, p)
	if err != nil {
		return "", fmt.Errorf("looking for a node: %w", err)
	}
	if res.ExceptionDetails != nil {
		return "", thrown(op, res.ExceptionDetails)
	}
	if res.Result == nil {
		return "", nil
	}
	return res.Result.ObjectID, nil
}
