package resolve

import (
	"fmt"
	"slices"
	"strings"

	"retrace/resolve/axtree"
)

// lone decides about the only candidate of its tier. To be the only one is not enough: when the recorded surroundings are
// gone, the one that is left may belong to another.
func (s *search) lone(m *match, lower []*match) (*axtree.Node, Decision) {
	d := Decision{Outcome: One, Tier: m.tier, Why: "the only " + s.q.Target.Describe()}
	var why refusal
	switch name := displayName(m.node); {
	case m.tier == TierTolerant && opposed(Normalise(s.q.Target.Name), name):
		why = missing("no %s; the only similar one is %s, which may do the opposite", s.q.Target.Describe(), quote(name))
	case s.anchor.line == nil:
		why = s.unanchored(m)
	case len(s.anchor.twins) > 1:
		why = s.leftOver(m)
		d.Warnings = append(d.Warnings, fmt.Sprintf("the recorded page had %d %s; one is left, in the recorded place", len(s.anchor.twins), s.plural()))
	default:
		why = s.displaced(m)
	}
	if why.text == "" && s.anchor.line != nil {
		why = s.uncertainName(m)
	}
	if why.text == "" {
		why = s.namedByNeighbour(m)
	}
	if why.text == "" {
		why = s.rivalled(m, lower)
	}
	if why.text == "" && s.anchor.line == nil {
		why = s.otherSubject(m)
	}
	if why.text == "" {
		why = s.openedByOther(m)
	}
	if why.text != "" {
		return nil, Decision{Outcome: why.outcome, Tier: m.tier, Why: why.text}
	}
	return m.node, s.warn(d, m)
}

// refusal says why the only candidate is not taken; the zero value takes it.
type refusal struct {
	outcome Outcome
	text    string
}

func missing(format string, args ...any) refusal {
	return refusal{Missing, fmt.Sprintf(format, args...)}
}

func ambiguous(format string, args ...any) refusal {
	return refusal{Ambiguous, fmt.Sprintf(format, args...)}
}

// unanchored: the recording does not say which line the target was.
func (s *search) unanchored(m *match) refusal {
	twins := len(s.anchor.twins)
	if twins > 1 {
		if f := s.follow([]*match{m}); f.chosen == nil {
			return ambiguous("the recorded page had %d %s and the recording does not say which was meant; one is left", twins, s.plural())
		}
	}
	recorded := s.q.Before != nil && len(s.q.Before.Nodes) > 0
	if m.tier.weak() && recorded && twins != 1 {
		return missing("no %s; the only similar one is %s, and the recording does not say what stood around it", s.q.Target.Describe(), quote(displayName(m.node)))
	}
	return refusal{}
}

// leftOver: there were several, and one is there now.
func (s *search) leftOver(m *match) refusal {
	switch {
	case m.score < 0:
		return ambiguous("the recorded page had %d %s and nothing tells them apart; one is left", len(s.anchor.twins), s.plural())
	case m.stranger || m.score < loneScore || m.contra > maxContra:
		return missing("the only %s left is not the recorded one: it %s", s.q.Target.Describe(), m.against())
	}
	then, now := textBefore(s.anchor.line), textBefore(m.node)
	if now == "" || softSame(then, now) {
		return refusal{}
	}
	for _, t := range s.anchor.twins {
		if t != s.anchor.line && softSame(textBefore(t), now) {
			return missing("the only %s left stands after %s, as another one did; recorded after %s", s.q.Target.Describe(), quote(now), quote(then))
		}
	}
	return refusal{}
}

// textBefore is the nearest text before a node that means something.
func textBefore(n *axtree.Node) string {
	before, _ := splitTexts(root(n), n)
	for _, t := range before {
		if !meaningless(t) {
			return t
		}
	}
	return ""
}

// displaced: there was one and there is one, yet the live one may be part of something else.
func (s *search) displaced(m *match) refusal {
	name, line := s.q.Target.Describe(), s.anchor.line
	if want := itemOf(line); want != nil && m.stranger && itemOf(m.node) != nil {
		return missing("the only %s is in another %s: it %s", name, want.Role, m.against())
	}
	if groups := landmarksOf(line); len(groups) > 0 {
		if why := s.elsewhere(m, groups[0]); why != "" {
			return missing("the only %s %s", name, why)
		}
	}
	if now, then, yes := s.replaced(m); yes {
		return missing("the only %s stands with %s, and the recorded one stood with %s", name, quoteAll(now, 3), quoteAll(then, 3))
	}
	if h, g, yes := s.otherHeading(m); yes {
		return missing("the only %s is under the heading %s, which is new; recorded under %s, which is gone", name, quote(g), quote(h))
	}
	return refusal{}
}

// elsewhere says that a candidate is not in the named group in which the target was recorded, and why the group has not only
// got another name.
func (s *search) elsewhere(m *match, group landmark) string {
	if hasLandmark(m.node, group) {
		return ""
	}
	for _, n := range s.live.Nodes {
		if n.Role == group.role && softSame(Normalise(n.Name), group.name) {
			return "is not in " + group.String() + ", which is there without it"
		}
	}
	mine := landmarksOf(m.node)
	for _, g := range mine {
		if g.role != group.role {
			continue
		}
		if !similar(group.node, g.node) {
			return "is in " + g.String() + "; recorded in " + group.String()
		}
		m.note("ancestors", false, "is in %s; recorded in %s, which held the same", g, group)
		return ""
	}
	held := slices.DeleteFunc(textsIn(group.node, s.anchor.line, maxNear), meaningless)
	around, soft := set(newEquals(s.q.Target.Name, nil).tight(m.node, nearby{before: held}).inside())
	if len(held) > 0 && !slices.ContainsFunc(held, func(t string) bool { return around[t] || soft[softKey(t)] }) {
		return "is not in " + group.String() + ", and nothing that it held stands around it"
	}
	return ""
}

// smallBox is the number of texts up to which a part of a page is one thing with a name (a card), and not a list of things.
const smallBox = 12

// replaced reports whether the candidate is part of another thing than the recorded one: nothing that stands closest to it was
// on the recorded page, or it stands in a small box that begins with something new.
func (s *search) replaced(m *match) (now, then []string, yes bool) {
	if m.node.Role == "option" || m.node.Role == "treeitem" {
		return nil, nil, false // a list is told by its entries, and each entry by its own name
	}
	near := s.closest(m.node)
	recorded := newEquals(s.q.Target.Name, s.anchor.twins).around(s.anchor.line)
	then = slices.DeleteFunc(append(first(recorded.before, 3), first(recorded.after, 1)...), silent)
	now = slices.DeleteFunc(near.inside(), silent)
	if len(now) == 0 || len(then) == 0 || inMargin(m.node) && alike(now, then) {
		return nil, nil, false
	}
	if !slices.ContainsFunc(now, s.recordedText) {
		return now, then, true
	}
	if len(near.before)+len(near.after) > smallBox || slices.ContainsFunc(near.box.Children, hasField(m.node)) {
		return nil, nil, false
	}
	reading := slices.Clone(near.before)
	slices.Reverse(reading)
	reading = slices.DeleteFunc(append(reading, near.after...), silent)
	return reading, then, !s.recordedText(reading[0])
}

// silent reports whether a text says nothing of the thing that it stands with.
func silent(text string) bool { return meaningless(text) && !oneMonth.MatchString(text) }

// closest are the texts in the smallest part of the page that holds a node and any text that is not its own name. Messages
// that a page shows for a while do not count.
func (s *search) closest(n *axtree.Node) nearby {
	own := Normalise(s.q.Target.Name)
	passing := map[string]bool{own: true, displayName(n): true}
	for a := range n.Ancestors() {
		if a.Role == "main" || a.Role == "RootWebArea" || a.Role == "Iframe" {
			break
		}
		for _, c := range a.Children {
			if passingRoles[c.Role] {
				for _, t := range textsIn(c, nil, maxNear) {
					passing[t] = true
				}
			}
		}
		b, f := splitTexts(a, n)
		isPassing := func(t string) bool { return passing[t] }
		b, f = slices.DeleteFunc(b, isPassing), slices.DeleteFunc(f, isPassing)
		if len(b)+len(f) > 0 {
			return nearby{box: a, before: b, after: f}
		}
	}
	return nearby{box: n}
}

// passingRoles hold messages that come and go.
var passingRoles = map[string]bool{"status": true, "alert": true, "log": true, "timer": true, "marquee": true, "progressbar": true}

// hasField reports of a part of a page whether it has a field to fill beside n, so that it is a form and not a card.
func hasField(n *axtree.Node) func(*axtree.Node) bool {
	return func(part *axtree.Node) bool {
		for c := range part.Subtree() {
			if c != n && (Family(c.Role) == "text field" || Family(c.Role) == "choice") {
				return true
			}
		}
		return false
	}
}

// recordedText reports whether the recorded page shows a text, up to a number that is not a key.
func (s *search) recordedText(text string) bool {
	key := softKey(text)
	return slices.ContainsFunc(s.anchor.tree.Nodes, func(n *axtree.Node) bool {
		name := Normalise(n.Name)
		return name == text || name != "" && softKey(name) == key
	})
}

// otherHeading reports whether the heading above was replaced and little of the rest agrees; or it is that of a part of the page,
// and has become that of another part.
func (s *search) otherHeading(m *match) (recorded, live string, yes bool) {
	then, now := headings(s.anchor.tree), headings(s.live)
	recorded, live = then[s.anchor.line.Index], now[m.node.Index]
	if recorded == "" || live == "" || softSame(recorded, live) || s.recordedText(live) || slices.Contains(names(s.live), recorded) {
		return "", "", false
	}
	part := partHeading(then, recorded) && partHeading(now, live) && !wordsIn(recorded, live) && !wordsIn(live, recorded)
	return recorded, live, m.score < clearScore || part
}

// partHeading reports whether a heading is not the first of its page.
func partHeading(above []string, heading string) bool {
	first := slices.IndexFunc(above, func(h string) bool { return h != "" })
	return first >= 0 && above[first] != heading
}

// wordsIn reports whether all words of a name are in another.
func wordsIn(a, b string) bool {
	return len(without(strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b)))) == 0
}

// alike reports whether a text of the one list is a text of the other with another word in it ("Signed in as Anna").
func alike(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool {
		return slices.ContainsFunc(b, func(t string) bool { return shareWords(s, t) })
	})
}

// inMargin reports whether an element belongs to the margins of the page (its head, foot or navigation), where there is one of
// each control, and not to its content.
func inMargin(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		if a.Role == "banner" || a.Role == "contentinfo" || a.Role == "navigation" {
			return true
		}
	}
	return false
}

// uncertainName: what is not called exactly so, or is another kind of control, must at least stand in the recorded place.
func (s *search) uncertainName(m *match) refusal {
	name := s.q.Target.Describe()
	if (m.tier.weak() || m.tier == TierRole) && m.score >= 0 && m.score < loneScore {
		return missing("no %s; the nearest is %s, but it %s", name, quote(displayName(m.node)), m.against())
	}
	if m.tier == TierStructural && m.score >= 0 && m.score < clearScore {
		return missing("the only %s stands elsewhere: it %s", name, m.against())
	}
	return refusal{}
}

// namedByNeighbour: an unlabelled control that the recorder named after the text before it may have its own text behind it;
// then the name says nothing about the control, and the text behind must be the recorded one.
func (s *search) namedByNeighbour(m *match) refusal {
	n, line := m.node, s.anchor.line
	if m.tier != TierRecorder || n.Name != "" || n.Live.DOMName != "" || n.Parent == nil {
		return refusal{}
	}
	var controls []*axtree.Node
	for _, c := range n.Parent.Children {
		if Family(c.Role) == Family(n.Role) {
			controls = append(controls, c)
		}
	}
	if labelSide(controls).side == sideBefore {
		return refusal{}
	}
	if line == nil {
		return ambiguous("the text %s stands before a %s, and nothing says that it belongs to it", quote(s.q.Target.Name), n.Role)
	}
	_, then := splitTexts(root(line), line)
	_, now := splitTexts(root(n), n)
	if len(then) > 0 && (len(now) == 0 || !softSame(then[0], now[0])) {
		return missing("the %s after %s has another text behind it now: recorded with %s", n.Role, quote(s.q.Target.Name), quote(then[0]))
	}
	return refusal{}
}

// root is the outermost node around n in its document.
func root(n *axtree.Node) *axtree.Node {
	for n.Parent != nil && n.Role != "Iframe" {
		n = n.Parent
	}
	return n
}

// softTwins counts the recorded controls whose names differ from the target's at most in numbers.
func (s *search) softTwins() int {
	line := s.anchor.line
	if line == nil {
		return 0
	}
	n, want := 0, soften(line.Name)
	for _, m := range s.anchor.tree.Nodes {
		if Family(m.Role) == Family(line.Role) && m.Ref != "" && soften(m.Name) == want {
			n++
		}
	}
	return n
}

func soften(name string) string {
	s, _ := Soften(Normalise(name))
	return s
}

// rivalled: another element has the name, is a less likely kind of control, and stands clearly better.
func (s *search) rivalled(m *match, lower []*match) refusal {
	if s.anchor.line == nil || m.score < 0 || len(lower) == 0 {
		return refusal{}
	}
	rivals := slices.DeleteFunc(slices.Clone(lower), func(r *match) bool { return r.tier.weak() || r.tier == TierStructural })
	if rivals = innermost(rivals); len(rivals) == 0 {
		return refusal{}
	}
	both := append([]*match{}, m)
	for _, r := range rivals {
		if !within(r.node, m.node) && !within(m.node, r.node) && !labelOf(r.node, m.node) {
			both = append(both, &match{node: r.node, tier: r.tier})
		}
	}
	both[0] = &match{node: m.node, tier: m.tier}
	scale := newScale(s.anchor, s.live, both)
	for _, r := range both {
		scale.weigh(r)
	}
	for _, r := range both[1:] {
		if !r.stranger && r.score-both[0].score >= clearMargin {
			return ambiguous("%s is a %s, and a %s of that name stands where the recorded one stood", s.q.Target.Describe(), m.node.Role, r.node.Role)
		}
	}
	return refusal{}
}

// labelOf reports whether a live node is the label of another one.
func labelOf(label, n *axtree.Node) bool {
	c := label.Live.Control
	return c != nil && c.Backend == n.Live.Backend && label.Live.Frame == n.Live.Frame
}

func within(n, ancestor *axtree.Node) bool {
	for a := range n.Ancestors() {
		if a == ancestor {
			return true
		}
	}
	return false
}

// against is what speaks against a candidate, for the end of a sentence that begins with "it".
func (m *match) against() string {
	for _, e := range m.verdicts {
		if !e.Agrees {
			return e.Text
		}
	}
	return "agrees with nothing that was recorded around it"
}
