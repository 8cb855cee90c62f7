package replay

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"retrace/replay/act"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Several things on a page may open a menu with an item of the target's name, and the recording may not say which did. To point
// at one after the other and to take the first item that shows would be a guess: every row of a table can have such a menu. So
// all are pointed at, nothing is acted on meanwhile, and only when a single one shows the target is it pointed at again.

// maxTriggers bounds the things that are tried: a search that cannot try all of them proves nothing.
const maxTriggers = 14

// trigger is something that may show a menu when it is pointed at.
type trigger struct {
	live *axtree.Live
	what string
}

// hiddenTriggers are what holds the elements that are in the document, not shown, and called as the target is.
func hiddenTriggers(t *axtree.Tree, name string) []trigger {
	var out []trigger
	seen := map[cdp.BackendNodeID]bool{}
	for _, h := range t.Hidden {
		if len(h.Above) == 0 || name == "" || resolve.Normalise(h.Node.Live.DOMName) != name && resolve.Normalise(h.Node.Name) != name {
			continue
		}
		if l := h.Above[0]; !seen[l.Backend] {
			seen[l.Backend] = true
			out = append(out, trigger{l, fmt.Sprintf("%s %q", cmp.Or(l.DOMRole, l.Tag), clip(cmp.Or(l.DOMName, l.Tag), 60))})
		}
	}
	return out
}

// shownTriggers are the shown elements that may open a menu when they are pointed at, outermost only.
func shownTriggers(t *axtree.Tree) []trigger {
	var out []trigger
	in := map[*axtree.Node]bool{}
	for _, n := range t.Nodes {
		l := n.Live
		if in[n.Parent] {
			in[n] = true
			continue
		}
		if l == nil || l.Backend == 0 || l.Hidden || l.Clipped || l.OffPage || !opens(n) {
			continue
		}
		in[n] = true
		name := n.Name
		if name == "" {
			name = l.DOMName
		}
		out = append(out, trigger{l, fmt.Sprintf("%s %q", n.Role, clip(name, 60))})
	}
	return out
}

// opens reports whether an element is of a kind that opens menus: whatever says so, buttons, and links of a navigation.
func opens(n *axtree.Node) bool {
	switch {
	case n.Live.HasPopup != "" && n.Live.HasPopup != "false":
		return true
	case n.Role == "button" || n.Role == "menuitem" || n.Role == "image" && n.Live.Clickable:
		return true
	case n.Role != "link":
		return false
	}
	for a := range n.Ancestors() {
		switch a.Role {
		case "navigation", "banner", "menubar", "menu":
			return true
		}
	}
	return false
}

// tryAll points at every trigger and looks whether the target shows. When a single one showed it, that one is pointed at once
// more. True when anything was pointed at.
func (s *search) tryAll(ctx context.Context, v *view, triggers []trigger, res *StepResult) bool {
	if len(triggers) == 0 || len(triggers) > maxTriggers {
		return false
	}
	var by *trigger
	shown := map[cdp.BackendNodeID]bool{}
	for i := range triggers {
		found, err := s.shows(ctx, v, triggers[i].live)
		switch {
		case ctx.Err() != nil || err != nil && fatal(err):
			return true // the time is over, or the page is gone
		case err != nil:
			s.unsure = fmt.Sprintf("%s could not be pointed at, so it cannot be told what opened the menu with the target", triggers[i].what)
			return true
		case found == 0:
			continue
		case shown[found]: // it stays open, or both share one menu, which then stands for whichever was pointed at
			s.unsure = fmt.Sprintf("the same one shows after %s and after %s was pointed at, and the recording does not say which did", by.what, triggers[i].what)
			return true
		case by != nil:
			s.unsure = fmt.Sprintf("%s and %s both show one when they are pointed at, and the recording does not say which did", by.what, triggers[i].what)
			return true
		}
		shown[found] = true
		by = &triggers[i]
	}
	if by == nil {
		res.notef("pointed at %d things that may open a menu; none shows the target", len(triggers))
		return true
	}
	if found, err := s.shows(ctx, v, by.live); err == nil && found != 0 {
		res.warnf("the recording does not say what opened the menu with the target; of %d things that were pointed at only %s shows it", len(triggers), by.what)
	}
	return true
}

// shows points at an element, gives the page time by its own clock to open what that opens, and gives the element that the search
// comes to then; 0 when it finds none. The error is that of the pointing, or of the look.
func (s *search) shows(ctx context.Context, v *view, l *axtree.Live) (cdp.BackendNodeID, error) {
	el, err := s.r.element(ctx, v, &axtree.Node{Live: l})
	if err != nil {
		return 0, err
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := act.Hover(short, el); err != nil {
		return 0, err
	}
	if err := s.pageTime(ctx, v, betweenHover); err != nil {
		return 0, err
	}
	now, err := s.r.look(ctx)
	if err != nil {
		return 0, err
	}
	if n, d := resolve.Find(s.q, now.tree); d.Outcome == resolve.One {
		return n.Live.Backend, nil
	}
	return 0, nil
}
