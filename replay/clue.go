package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// clues is what a page and its scripts tell of the cause of a failure, beside the failure itself.
type clues struct {
	want, live *axtree.Tree // the recorded page that should have been there, and the live one
	before     *axtree.Tree // the page that was recorded before the step; nil when that is not known
	// target is the recorded target in want, nil when that is not known.
	target *axtree.Node
	// still says that the page is as it was before the action.
	still bool
	step  *StepResult
}

// Bounds of what a hint quotes.
const (
	clueText  = 120
	clueNames = 3
)

// hint is the next thing to try for a failure as far as the clues tell of one; else "".
func (c clues) hint(f *Failure) string {
	switch f.Code {
	case EffectNotSeen, ValueRejected:
		return c.silent()
	case TargetCovered:
		if f.Hint == "" { // its own style may be the reason, which is told already
			return c.wall()
		}
	case TargetAmbiguous:
		return c.twins()
	case TargetMissing:
		return c.gone()
	}
	return ""
}

// silent is about an action that the page did not answer as recorded: an error that it logged, a request that failed, or nothing at
// all.
func (c clues) silent() string {
	if d := c.dialog(); d != nil {
		return fmt.Sprintf("a dialog is open that the recording does not show (%s): see why it came, or record the step that answers it", quoted(says(d)))
	}
	switch s := c.step; {
	case len(s.Requests) > 0:
		return "a request failed meanwhile, see what its server says: " + clip(s.Requests[0], 2*clueText)
	case len(s.Console) > 0:
		return "the page logged an error meanwhile, look there first: " + clip(s.Console[0], 2*clueText)
	case s.Effect != nil && len(s.Effect.Instead) > 0:
		return fmt.Sprintf("the page says %s itself, and no request that failed and no error were seen: look in its script and in the log of its server for where that comes from", strconv.Quote(clip(s.Effect.Instead[0], clueText)))
	case c.still && s.Effect != nil && len(s.Effect.Instead) == 0:
		return "the page did nothing at all: nothing on it changed, no error was logged and no request failed; see whether the script that should answer was loaded, and still answers this"
	}
	return ""
}

// dialog is one that is open on the live page and that the recording does not show; nil when there is none.
func (c clues) dialog() *axtree.Node {
	old, before := names(c.want), names(c.before)
	for _, n := range c.live.Nodes {
		if (n.Role == "dialog" || n.Role == "alertdialog") && n.Live != nil && !n.Live.Hidden && !old[label(n)] && !before[label(n)] {
			return n
		}
	}
	return nil
}

// says lists the texts of a part of a page, each once: its name, then what is in it.
func says(n *axtree.Node) []string {
	var out []string
	for d := range n.Subtree() {
		if t := resolve.Normalise(d.Name); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// wall is about what covers a target: a dialog that waits for an answer, or something that only the page can take away.
func (c clues) wall() string {
	if n := c.dialog(); n != nil {
		var offers []string
		for d := range n.Subtree() {
			if k := resolve.Family(d.Role); (k == "button" || k == "link") && resolve.Normalise(d.Name) != "" {
				offers = append(offers, resolve.Normalise(d.Name))
			}
		}
		if len(offers) > 0 {
			return fmt.Sprintf("%s is not in the recording; it offers %s: record the step that answers it, or keep it from coming (its cookie can be kept with --auth)", called(n), quoted(offers))
		}
	}
	old := names(c.want)
	for _, n := range c.live.Nodes {
		if n.Live != nil && n.Live.Clickable && !n.Live.Hidden && !old[label(n)] {
			return ""
		}
	}
	return "nothing that is new on the page could close it, so that the page has to take it away by itself: see what it waits for"
}

// twins is about equals of which several agree with the recording in all.
func (c clues) twins() string {
	d := c.step.Decision
	if d == nil {
		return ""
	}
	var whole []string
	for i, k := range d.Candidates {
		if !slices.ContainsFunc(k.Evidence, func(e resolve.Evidence) bool { return !e.Agrees && e.Kind != "state" }) {
			whole = append(whole, strconv.Itoa(i+1))
		}
	}
	if len(whole) < 2 || len(whole) == d.Total {
		return ""
	}
	return fmt.Sprintf("candidates %s each have all that the recording shows around the target; see why the page shows it more than once, or give them names of their own", joined(whole, "and"))
}

// gone is about things that the recording shows beside the target and that the live page has nowhere.
func (c clues) gone() string {
	if c.target == nil {
		return ""
	}
	have := map[string]bool{}
	for _, n := range c.live.Nodes {
		have[resolve.Normalise(n.Name)] = true
	}
	for a := range c.target.Ancestors() {
		if name := resolve.Normalise(a.Name); a.Role == "Iframe" && name != "" && !have[name] {
			return fmt.Sprintf("%s, in which the recording shows it, is not on the page: see whether it is loaded", called(a))
		}
	}
	item := c.target
	for a := c.target; a != nil; a = a.Parent {
		if repeated[a.Role] {
			item = a
			break
		}
	}
	if item == c.target {
		return ""
	}
	var lost []string
	for n := range item.Subtree() {
		name := resolve.Normalise(n.Name)
		if name == "" || have[name] || slices.Contains(lost, name) || n == c.target || n == item || len(n.Children) > 0 {
			continue
		}
		lost = append(lost, name)
	}
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("not on the page at all, and recorded in the same %s: %s. See whether the data of the recording is there; --propose looks for a correction if it was renamed", item.Role, quoted(lost))
}

// repeated are the roles of what a page has many of.
var repeated = map[string]bool{"row": true, "listitem": true, "article": true, "LayoutTableRow": true}

// differs are lines of evidence about what the live page says otherwise, when that is little. It often is the reason why a control
// is not ready.
func differs(f *Failure, c *Comparison) []string {
	switch f.Code {
	case TargetDisabled, TargetReadOnly, TargetHidden, TargetCovered:
	default:
		return nil
	}
	if c == nil || c.Cut > 0 || c.Appeared+c.Disappeared+c.Changed > 4 {
		return nil
	}
	var out []string
	for _, r := range c.Rows {
		switch r.Change {
		case verify.Appeared:
			out = append(out, "the recording does not show "+clip(r.Live, clueText))
		case verify.Disappeared:
			out = append(out, "the page lacks "+clip(r.Recorded, clueText))
		case verify.Altered:
			out = append(out, "the page shows "+clip(r.Live, clueText)+" instead of "+clip(r.Recorded, clueText))
		}
	}
	return out
}

// names are the nodes of a page, which may be nil, by role and name.
func names(t *axtree.Tree) map[string]bool {
	out := map[string]bool{}
	if t == nil {
		return out
	}
	for _, n := range t.Nodes {
		out[label(n)] = true
	}
	return out
}

func label(n *axtree.Node) string { return resolve.Family(n.Role) + " " + resolve.Normalise(n.Name) }

func called(n *axtree.Node) string {
	if n.Name == "" {
		return "a " + n.Role
	}
	if n.Role == "Iframe" {
		return "the frame " + strconv.Quote(clip(resolve.Normalise(n.Name), clueText))
	}
	return n.Role + " " + strconv.Quote(clip(resolve.Normalise(n.Name), clueText))
}

// quoted lists the first few names.
func quoted(list []string) string {
	var out []string
	for i, s := range list {
		if i == clueNames {
			out = append(out, "…")
			break
		}
		out = append(out, strconv.Quote(clip(s, clueText/2)))
	}
	return strings.Join(out, ", ")
}

// joined writes "a, b and c".
func joined(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
}
