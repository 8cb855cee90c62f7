package replay

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/act"
	"retrace/replay/browser"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Reading the whole tree of a page costs time in proportion to its size, and on a large page more than everything else. So
// a large page is probed instead, as long as that is as certain: an index of its DOM, which is kept up to date in the page, counts
// the recorded texts and finds the elements that the target may be; the one that is found is then asked for its role and
// name as Chrome sees them. Whatever is not plain (equal names, frames, dialogs, closed shadow roots, another role) is left to
// the whole tree.

// betweenTrees is the time between two readings of the whole tree of a large page while its target is waited for.
const betweenTrees = 1500 * time.Millisecond

//go:embed js/index.js
var indexScript string

// indexed is the script that hands the index of a document, which the isolated world keeps, to a function (%s).
const indexed = `(x => %s)(globalThis[Symbol.for('retrace.index')])`

// facts is what the index tells of one document.
type facts struct {
	Known    bool           `json:"known"` // there are rules for which elements may have the role
	Title    string         `json:"title"`
	Closed   bool           `json:"closed"`
	Modal    bool           `json:"modal"`
	Counts   map[string]int `json:"counts"`
	Similar  []string       `json:"similar"`
	Messages []string       `json:"messages"`
	Matches  int            `json:"matches"`
	Tag      string         `json:"tag"`
	Type     string         `json:"type"`
	Beside   string         `json:"beside"`
}

// ask is what the index is asked.
type ask struct {
	Texts []string `json:"texts"`
	Soft  []string `json:"soft"`
	Find  bool     `json:"find"`
	Role  string   `json:"role"`
	Name  string   `json:"name"`
}

// glance looks at the page: the whole tree of a small one, a probe for the given recorded pages of a large one.
func (r *runner) glance(ctx context.Context, states ...*trace.State) (*view, error) {
	if !r.large(ctx) {
		return r.look(ctx)
	}
	v, _, err := r.probe(ctx, resolve.Query{}, false, states...)
	if err != nil {
		return r.look(ctx)
	}
	return v, nil
}

// probe asks all documents of the page. The node is the target when find is set and there is exactly one element that it
// may be, in the top document.
func (r *runner) probe(ctx context.Context, q resolve.Query, find bool, states ...*trace.State) (*view, *axtree.Node, error) {
	if err := r.strayed(); err != nil {
		return nil, nil, err
	}
	p := r.page
	v := &view{page: p, docs: p.Documents()}
	var err error
	if v.frames, err = p.Frames(ctx); err != nil {
		return nil, nil, fmt.Errorf("frames: %w", err)
	}
	in := ask{Texts: verify.Wanted(states...), Find: find, Role: q.Target.Role, Name: resolve.Normalise(q.Target.Name)}
	in.Soft = []string{}
	for _, t := range in.Texts {
		if s, ok := resolve.SoftenNumbers(t); ok {
			in.Soft = append(in.Soft, s)
		}
	}
	if in.Texts == nil {
		in.Texts = []string{}
	}
	all := verify.Probe{URL: p.URL(), Counts: map[string]int{}}
	var target *axtree.Node
	for i, f := range v.frames {
		got, element, err := r.probeFrame(ctx, v, f, in)
		if err != nil {
			return nil, nil, err
		}
		if find && (got.Closed || !got.Known) {
			return nil, nil, errors.New("the index does not know all that may have the name")
		}
		if i == 0 {
			v.title = got.Title
		}
		for t, n := range got.Counts {
			all.Counts[t] += n
		}
		all.Similar = append(all.Similar, got.Similar...)
		all.Messages = append(all.Messages, got.Messages...)
		if !find {
			continue
		}
		if got.Modal || got.Matches > 1 || i > 0 && got.Matches > 0 {
			return nil, nil, errors.New("not plain")
		}
		if element != "" {
			if target, err = r.single(ctx, f, element, got); err != nil {
				return nil, nil, err
			}
			v.beside = got.Beside
		}
	}
	if p.Documents() != v.docs {
		return nil, nil, errors.New("the page changed while it was read")
	}
	all.Title = v.title
	v.url = p.URL()
	v.sight, v.probe = verify.Probed(all), &all
	return v, target, nil
}

// probeFrame asks the index of one document, which is made when there is none. The element is the only match.
func (r *runner) probeFrame(ctx context.Context, v *view, f browser.Frame, in ask) (facts, runtime.RemoteObjectID, error) {
	var got facts
	world, err := v.page.World(ctx, f.ID)
	if err != nil {
		return got, "", err
	}
	data, err := json.Marshal(in)
	if err != nil {
		return got, "", err
	}
	evaluate := func(script string, byValue bool) (*runtime.RemoteObject, error) {
		p := runtime.EvaluateParams{Expression: script, ContextID: world, ReturnByValue: &byValue}
		if !byValue {
			p.ObjectGroup = act.ObjectGroup
		}
		res, err := cdp.Call(ctx, f.Session, runtime.Evaluate, p)
		if err != nil {
			return nil, err
		}
		if res.ExceptionDetails != nil || res.Result == nil {
			return nil, errProbe
		}
		return res.Result, nil
	}
	question := fmt.Sprintf(indexed, "x ? x.ask("+string(data)+") : ''")
	res, err := evaluate(question, true)
	if err == nil && string(res.Value) == `""` {
		res, err = evaluate(indexScript+";"+question, true)
	}
	if err != nil {
		return got, "", err
	}
	if err := got.decode(res.Value); err != nil || !in.Find || got.Matches != 1 {
		return got, "", err
	}
	res, err = evaluate(fmt.Sprintf(indexed, "x.last"), false)
	if err != nil || res.ObjectID == "" {
		return got, "", errProbe
	}
	return got, res.ObjectID, nil
}

var errProbe = errors.New("the probe failed")

// decode reads the facts from the text of JSON that the script gave.
func (f *facts) decode(value []byte) error {
	var s string
	if json.Unmarshal(value, &s) != nil || json.Unmarshal([]byte(s), f) != nil {
		return errProbe
	}
	return nil
}

// single asks Chrome what the found element is.
func (r *runner) single(ctx context.Context, f browser.Frame, element runtime.RemoteObjectID, got facts) (*axtree.Node, error) {
	alone := false
	res, err := cdp.Call(ctx, f.Session, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: element, FetchRelatives: &alone})
	if err != nil {
		return nil, err
	}
	if len(res.Nodes) == 0 || res.Nodes[0].Ignored || res.Nodes[0].BackendDOMNodeID == 0 {
		return nil, errors.New("not in the accessibility tree")
	}
	n := axtree.Single(res.Nodes[0], axtree.Frame{ID: f.ID, Session: f.Session}, got.Tag, got.Type)
	if world, err := r.page.World(ctx, f.ID); err == nil {
		r.held(f.Session).Keep(world, n.Live.Backend, element)
	}
	return n, nil
}

// quick tries to find the target of an intent on a large page without its whole tree. When it has not found it, later says
// that the page is certainly not there yet, so that the whole tree would not help.
func (r *runner) quick(ctx context.Context, it *plan.Intent, i int, q resolve.Query) (fd found, d resolve.Decision, ok, later bool) {
	beside, plain := q.Plain()
	if !plain || it.Suggest || it.Step.Target == nil || !r.large(ctx) {
		return fd, d, false, false
	}
	v, n, err := r.probe(ctx, q, true, it.Before, it.After, r.ahead(i))
	if err != nil {
		return fd, d, false, false
	}
	if _, open := r.gate(it, v); !open || n == nil {
		return fd, d, false, true
	}
	if d, ok = q.Fits(n); !ok {
		return fd, d, false, false
	}
	if len(beside) > 0 && v.beside != "" {
		text := strings.ReplaceAll(resolve.Normalise(v.beside), " ", "")
		if !slices.ContainsFunc(beside, func(t string) bool { return strings.Contains(text, strings.ReplaceAll(t, " ", "")) }) {
			return fd, d, false, false
		}
	}
	fd = found{view: v, node: n, query: q}
	if fd.el, err = r.element(ctx, v, n); err != nil {
		return fd, d, false, false
	}
	return fd, d, true, false
}
