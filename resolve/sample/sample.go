// Package sample keeps a search for a target in one file: what was recorded, the live page of that moment, and what a search
// must come to. Decisions are tested on such files without a browser, and a fault that was seen once stays a test.
//
// A sample is a txtar archive. Its comment says in words what it is about. Its files are
//
//	query.json   the recorded target and what it is wanted for
//	before.txt   the recorded page text in which the target was, if any
//	after.txt    the recorded page text after the step, if any
//	nextN.txt    the page text of the Nth later step, if it has one
//	live.json    the live tree, as axtree.Encode writes it
//	want.json    the outcome: which element, or which refusal
package sample

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/rogpeppe/go-internal/txtar"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Sample is a search for a target.
type Sample struct {
	Comment string
	Query   resolve.Query
	Live    *axtree.Tree
	Want    Want
}

// Want is what a search must come to.
type Want struct {
	Outcome resolve.Outcome `json:"outcome"`
	Tier    resolve.Tier    `json:"tier,omitempty"`
	// Backend and Frame are the element to be found: the DOM node and its frame as the live tree names them.
	Backend cdp.BackendNodeID `json:"backend,omitempty"`
	Frame   cdp.FrameID       `json:"frame,omitempty"`
	// Why is the reason that the decision gives, and Warned whether it carries warnings.
	Why    string `json:"why"`
	Warned bool   `json:"warned,omitempty"`
}

// Decide runs the search and says what it came to.
func (s *Sample) Decide() (Want, resolve.Decision) {
	n, d := resolve.Find(s.Query, s.Live)
	w := Want{Outcome: d.Outcome, Tier: d.Tier, Why: d.Why, Warned: len(d.Warnings) > 0}
	if n != nil {
		w.Backend, w.Frame = n.Live.Backend, n.Live.Frame
	}
	return w, d
}

// target is a descriptor as it stands in a file.
type target struct {
	Ref         string `json:"ref,omitempty"`
	Role        string `json:"role,omitempty"`
	Name        string `json:"name,omitempty"`
	Ctx         string `json:"ctx,omitempty"`
	Unmatched   bool   `json:"unmatched,omitempty"`
	Tag         string `json:"tag,omitempty"`
	NameAttr    string `json:"name_attr,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	NearbyLabel string `json:"nearby_label,omitempty"`
}

type query struct {
	Target    target       `json:"target"`
	Use       resolve.Use  `json:"use"`
	Mode      resolve.Mode `json:"mode,omitempty"`
	Truncated bool         `json:"truncated,omitempty"`
	BeforeURL string       `json:"before_url,omitempty"` // when of the page nothing but the address is known
	AfterURL  string       `json:"after_url,omitempty"`
	Next      []target     `json:"next,omitempty"`
}

// Format writes a sample. The live tree is written with ids of its own, counted from 1, so that two captures of the same page
// give the same file; the wanted element is renamed with them.
func Format(s *Sample) ([]byte, error) {
	live, want, err := renumber(s.Live, s.Want)
	if err != nil {
		return nil, err
	}
	q := query{Target: target(s.Query.Target), Use: s.Query.Use, Mode: s.Query.Mode, Truncated: s.Query.Truncated}
	a := &txtar.Archive{Comment: []byte(strings.TrimSpace(s.Comment) + "\n\n")}
	add := func(name string, data []byte) { a.Files = append(a.Files, txtar.File{Name: name, Data: data}) }
	addTree := func(name string, t *axtree.Tree) {
		if t != nil && len(t.Nodes) > 0 {
			add(name, []byte(axtree.Format(t)))
		}
	}
	for _, n := range s.Query.Next {
		q.Next = append(q.Next, target(n.Target))
	}
	for _, p := range []struct {
		tree *axtree.Tree
		url  *string
	}{{s.Query.Before, &q.BeforeURL}, {s.Query.After, &q.AfterURL}} {
		if p.tree != nil && len(p.tree.Nodes) == 0 {
			*p.url = p.tree.URL
		}
	}
	head, err := marshal(q)
	if err != nil {
		return nil, fmt.Errorf("sample: query: %w", err)
	}
	add("query.json", head)
	addTree("before.txt", s.Query.Before)
	addTree("after.txt", s.Query.After)
	for i, n := range s.Query.Next {
		addTree(fmt.Sprintf("next%d.txt", i+1), n.Tree)
	}
	tree, err := axtree.Encode(live)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	add("live.json", tree)
	result, err := marshal(want)
	if err != nil {
		return nil, fmt.Errorf("sample: want: %w", err)
	}
	add("want.json", result)
	return txtar.Format(a), nil
}

// Parse reads what Format wrote.
func Parse(data []byte) (*Sample, error) {
	a := txtar.Parse(data)
	files := map[string][]byte{}
	for _, f := range a.Files {
		files[f.Name] = f.Data
	}
	var q query
	if err := json.Unmarshal(files["query.json"], &q); err != nil {
		return nil, fmt.Errorf("sample: query.json: %w", err)
	}
	s := &Sample{Comment: strings.TrimSpace(string(a.Comment))}
	tree := func(name string) *axtree.Tree {
		if text, ok := files[name]; ok {
			return axtree.Parse(string(text))
		}
		return nil
	}
	s.Query = resolve.Query{Target: resolve.Descriptor(q.Target), Use: q.Use, Mode: q.Mode, Truncated: q.Truncated, Before: tree("before.txt"), After: tree("after.txt")}
	if s.Query.Before == nil && q.BeforeURL != "" {
		s.Query.Before = &axtree.Tree{URL: q.BeforeURL}
	}
	if s.Query.After == nil && q.AfterURL != "" {
		s.Query.After = &axtree.Tree{URL: q.AfterURL}
	}
	for i, n := range q.Next {
		s.Query.Next = append(s.Query.Next, resolve.Follow{Target: resolve.Descriptor(n), Tree: tree(fmt.Sprintf("next%d.txt", i+1))})
	}
	var err error
	if s.Live, err = axtree.Decode(files["live.json"]); err != nil {
		return nil, fmt.Errorf("sample: live.json: %w", err)
	}
	if err := json.Unmarshal(files["want.json"], &s.Want); err != nil {
		return nil, fmt.Errorf("sample: want.json: %w", err)
	}
	return s, nil
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// renumber copies a live tree with ids counted from 1 in reading order.
func renumber(t *axtree.Tree, want Want) (*axtree.Tree, Want, error) {
	data, err := axtree.Encode(t)
	if err != nil {
		return nil, want, fmt.Errorf("sample: %w", err)
	}
	out, err := axtree.Decode(data)
	if err != nil {
		return nil, want, fmt.Errorf("sample: %w", err)
	}
	type id struct {
		frame   cdp.FrameID
		backend cdp.BackendNodeID
	}
	frames, ids := map[cdp.FrameID]cdp.FrameID{}, map[id]cdp.BackendNodeID{}
	rename := func(l *axtree.Live) {
		if l == nil {
			return
		}
		if _, ok := frames[l.Frame]; !ok {
			frames[l.Frame] = cdp.FrameID(fmt.Sprintf("f%d", len(frames)+1))
		}
		k := id{l.Frame, l.Backend}
		if _, ok := ids[k]; !ok && l.Backend != 0 {
			ids[k] = cdp.BackendNodeID(len(ids) + 1)
		}
		l.Frame, l.Backend = frames[l.Frame], ids[k]
	}
	of, labelled := map[*axtree.Live]id{}, map[*axtree.Control]id{}
	refers := func(l *axtree.Live) {
		if l == nil {
			return
		}
		if l.PopupOf != 0 {
			of[l] = id{l.Frame, l.PopupOf}
		}
		if l.Control != nil {
			labelled[l.Control] = id{l.Frame, l.Control.Backend}
		}
	}
	for _, n := range out.Nodes {
		refers(n.Live)
	}
	for _, h := range out.Hidden {
		refers(h.Node.Live)
		for _, l := range h.Above {
			refers(l)
		}
	}
	for _, n := range out.Nodes {
		rename(n.Live)
	}
	for _, h := range out.Hidden {
		rename(h.Node.Live)
		for _, l := range h.Above {
			rename(l)
		}
	}
	for l, field := range of {
		l.PopupOf = ids[field]
	}
	for c, control := range labelled {
		c.Backend = ids[control] // 0 for one that is not in the tree
	}
	if want.Backend != 0 {
		want.Frame, want.Backend = frames[want.Frame], ids[id{want.Frame, want.Backend}]
	}
	return out, want, nil
}
