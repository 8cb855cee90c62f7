package axtree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domsnapshot"
	"golang.org/x/sync/errgroup"
)

// Capture reads a live page: for every frame its accessibility tree, for every target a snapshot of the DOM with layout,
// all asked for at once. The result has the shape of a recorded tree, with three differences: generic containers that hold
// several nodes are kept (they show what belongs together), elements that only look clickable are there too, and every
// node carries [Live].
//
// Frames come parents first; frames[0] is the top document. A frame that goes away meanwhile is left out. The error of the
// top frame is returned, and that of ctx.
func Capture(ctx context.Context, frames []Frame) (*Tree, error) {
	if len(frames) == 0 {
		return nil, errors.New("capture: no frames")
	}
	c := &capture{ax: map[cdp.FrameID]axNodes{}, doms: map[cdp.Session]*dom{}}
	g, gctx := errgroup.WithContext(ctx)
	for i, f := range frames {
		g.Go(func() error {
			p := accessibility.GetFullAXTreeParams{FrameID: f.ID}
			r, err := cdp.Call(gctx, f.Session, accessibility.GetFullAXTree, p)
			if err != nil {
				if i == 0 || ctx.Err() != nil {
					return fmt.Errorf("accessibility tree of frame %s: %w", f.ID, err)
				}
				return nil
			}
			nodes := make(axNodes, len(r.Nodes))
			for _, n := range r.Nodes {
				if n != nil && n.BackendDOMNodeID != 0 {
					if have, ok := nodes[n.BackendDOMNodeID]; !ok || have.Ignored && !n.Ignored {
						nodes[n.BackendDOMNodeID] = n
					}
				}
			}
			c.mu.Lock()
			c.ax[f.ID] = nodes
			c.mu.Unlock()
			return nil
		})
	}
	seen := map[cdp.Session]bool{}
	for i, f := range frames {
		if seen[f.Session] {
			continue
		}
		seen[f.Session] = true
		g.Go(func() error {
			order := true
			p := domsnapshot.CaptureSnapshotParams{ComputedStyles: snapshotStyles, IncludePaintOrder: &order}
			r, err := cdp.Call(gctx, f.Session, domsnapshot.CaptureSnapshot, p)
			if err != nil {
				if i == 0 || ctx.Err() != nil {
					return fmt.Errorf("dom snapshot: %w", err)
				}
				return nil
			}
			d := newDOM(r)
			c.mu.Lock()
			c.doms[f.Session] = d
			c.mu.Unlock()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return c.build(frames), nil
}

type axNodes map[cdp.BackendNodeID]*accessibility.Node

type capture struct {
	mu   sync.Mutex
	ax   map[cdp.FrameID]axNodes
	doms map[cdp.Session]*dom

	frames   []Frame
	children map[frameOwner]int
	tree     *Tree
	owned    []owned
}

type frameOwner struct {
	session cdp.Session
	backend cdp.BackendNodeID
}

func (c *capture) build(frames []Frame) *Tree {
	c.frames = frames
	c.children = map[frameOwner]int{}
	byID := map[cdp.FrameID]int{}
	for i, f := range frames {
		byID[f.ID] = i
	}
	for i, f := range frames {
		if p, ok := byID[f.Parent]; ok && f.Owner != 0 {
			c.children[frameOwner{frames[p].Session, f.Owner}] = i
		}
	}
	c.tree = &Tree{URL: frames[0].URL, Focus: "L1"}
	if d := c.doms[frames[0].Session]; d != nil {
		c.tree.ScrollX, c.tree.ScrollY = d.scrollX, d.scrollY
	}
	root := &Node{Role: "RootWebArea", Live: &Live{Frame: frames[0].ID, Session: frames[0].Session}}
	c.document(0, root)
	c.tree.Title = root.Name
	c.own(root)
	prune(root)
	c.tree.Layers = []Layer{{Name: "L1", Kind: "page", Roots: []*Node{root}}}
	for n := range root.Subtree() {
		n.Index = len(c.tree.Nodes)
		c.tree.Nodes = append(c.tree.Nodes, n)
	}
	return c.tree
}

// document adds the content of frames[fi] below parent.
func (c *capture) document(fi int, parent *Node) {
	f := c.frames[fi]
	d := c.doms[f.Session]
	ax := c.ax[f.ID]
	if d == nil || ax == nil {
		return
	}
	root := d.document(ax)
	if root < 0 {
		return
	}
	if n := ax[d.nodes[root].backend]; n != nil && parent.Role == "RootWebArea" {
		parent.Name = text(n.Name)
		parent.Live.Backend = n.BackendDOMNodeID
	}
	w := &walker{c: c, frame: f, dom: d, ax: ax}
	w.children(root, parent, scope{})
}

// document returns the index of the document that the accessibility nodes belong to, or -1.
func (d *dom) document(ax axNodes) int {
	for i := range d.nodes {
		if d.nodes[i].kind == documentNode && ax[d.nodes[i].backend] != nil {
			return i
		}
	}
	return -1
}

func text(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(v.Value, &s) == nil {
		return bound(s)
	}
	return string(v.Value) // numbers and booleans as they stand
}

// maxString bounds every text that a page gives, in bytes. A recorded page text, all of it, is shorter than that unless the
// recorder was told otherwise, so that no longer name can have been recorded; reading one again and again would cost seconds.
const maxString = 16 << 10

// bound cuts a text to maxString, between two characters.
func bound(s string) string {
	if len(s) <= maxString {
		return s
	}
	end := maxString
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// prune replaces generic containers that hold at most one node by what they hold, so that only those that group remain.
func prune(n *Node) {
	var kept []*Node
	for _, c := range n.Children {
		prune(c)
		if c.Role == "generic" && c.Name == "" && len(c.Children) <= 1 && !c.Live.Clickable {
			kept = append(kept, c.Children...)
			continue
		}
		kept = append(kept, c)
	}
	for _, c := range kept {
		c.Parent = n
	}
	n.Children = kept
}
