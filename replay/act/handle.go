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
	// near is where the pointer may go while the element is watched, and at where it has gone so.
	near, at *Point
	// misses counts the presses that met something else and were withheld from the page.
	misses int
}

// Objects are the objects that the actions in one session have left in the browser. They are let go of many at a time, since doing so
// after each action would cost a round trip, and until then they serve further actions on the same elements. The zero value is
// ready for use, by one goroutine.
type Objects struct {
	known map[held]runtime.RemoteObjectID
	used  int // handles since they were let go of last
	open  int // handles in use
}

// held is an element in an isolated world. Another process may give both numbers again; the object of the first is not found there
// then, and is forgotten.
type held struct {
	world   runtime.ExecutionContextID
	backend cdp.BackendNodeID
}

// ObjectGroup is the name under which the browser keeps the objects, maxHeld how many at most.
const (
	ObjectGroup = "retrace-act"
	maxHeld     = 32
)

// Keep takes in the object of an element that was found in an isolated world, so that it need not be resolved again. It must be
// of the group [ObjectGroup].
func (o *Objects) Keep(world runtime.ExecutionContextID, backend cdp.BackendNodeID, object runtime.RemoteObjectID) {
	o.keep(held{world, backend}, object)
	o.used++
}

func (o *Objects) keep(key held, object runtime.RemoteObjectID) {
	if o.known == nil {
		o.known = map[held]runtime.RemoteObjectID{}
	}
	o.known[key] = object
}

// hold resolves the element in its isolated world. Chrome refuses that for a node of another document, which is what
// tells a living element from one of the page before.
func hold(ctx context.Context, e Element) (*handle, error) {
	key := held{e.World, e.Backend}
	if o := e.Objects; o != nil && o.known[key] != "" {
		o.open++
		return &handle{Element: e, object: o.known[key]}, nil
	}
	res, err := cdp.Call(ctx, e.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.Backend, ExecutionContextID: e.World, ObjectGroup: ObjectGroup})
	if err != nil {
		return nil, fmt.Errorf("resolving the element: %w", err)
	}
	if res.Object == nil || res.Object.ObjectID == "" {
		return nil, &Stale{Err: fmt.Errorf("resolving the element: the browser gave no object")}
	}
	if o := e.Objects; o != nil {
		o.keep(key, res.Object.ObjectID)
		o.open++
	}
	return &handle{Element: e, object: res.Object.ObjectID}, nil
}

// release lets go of the object, or leaves it to the next of many. A page that is gone has done so itself.
func (h *handle) release(ctx context.Context) {
	if o := h.Objects; o != nil {
		o.open--
		o.used++
		if o.open > 0 || o.used < maxHeld || ctx.Err() != nil {
			return
		}
		o.used = 0
		clear(o.known)
		_, _ = cdp.Call(ctx, h.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: ObjectGroup})
		return
	}
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
	p.FunctionDeclaration = shortcut
	if h.First != "" {
		p.FunctionDeclaration = "function(op, arg, other) {\n" + h.First + ";\n" + useLibrary
	}
	a, err := h.ask(ctx, op, p)
	if err == nil {
		h.First = ""
	}
	if err == nil && a.State == unknown {
		p.FunctionDeclaration = library
		return h.ask(ctx, op, p)
	}
	return a, err
}

func (h *handle) ask(ctx context.Context, op string, p runtime.CallFunctionOnParams) (answer, error) {
	res, err := h.call(ctx, p)
	if err != nil {
		if h.Objects != nil && stale(err) {
			delete(h.Objects.known, held{h.World, h.Backend})
		}
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

// runBriefly runs an operation that ends with waiting for a frame and reading back. When something can be done meanwhile, the
// operation is done without its end first, so that what is done meanwhile comes after it, and the end then.
func (h *handle) runBriefly(ctx context.Context, op string, arg map[string]any, can bool) (answer, error) {
	if h.Meanwhile == nil || !can {
		return h.run(ctx, op, arg)
	}
	arg["brief"] = true
	a, err := h.run(ctx, op, arg)
	if err != nil || a.State != ready || a.Gone {
		return a, err
	}
	still := h.Meanwhile()
	later, err := h.run(ctx, "later", nil)
	still(err == nil && !later.Changed)
	if stale(err) {
		return answer{State: ready, Gone: true}, nil // the page left when it was told of the change
	}
	if err != nil {
		return a, err
	}
	if a.Gone, a.After = later.Gone, later.After; a.Gone {
		a.After = a.Field
	}
	return a, nil
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
