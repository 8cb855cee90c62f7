package verify

import (
	"slices"
	"strings"

	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Sight is a page at one moment, in the form in which recorded changes are looked up in it.
type Sight struct{ *index }

// See makes the sight of a whole tree.
func See(t *axtree.Tree, url, title string) Sight { return Sight{newIndex(t, url, title, nil)} }

// Probe is what was counted on a page of which the tree was not read, because it is large.
type Probe struct {
	URL, Title string
	// Counts says how often each of the asked texts is shown: [Wanted] lists them.
	Counts map[string]int
	// Similar are shown texts that differ from an asked one only in numbers, Messages those that stand in live regions.
	Similar, Messages []string
}

// Probed makes the sight of a probe. Only sights of the same kind may be compared with each other: a tree counts nodes, a
// probe counts places of a text.
func Probed(p Probe) Sight {
	x := &index{url: p.URL, title: p.Title, counts: map[key]int{}, texts: map[string]int{}, soft: map[string]map[string]bool{}, messages: p.Messages, probed: true}
	for t, n := range p.Counts {
		if n > 0 {
			x.texts[t] = n
		}
	}
	for _, t := range append(slices.Clone(p.Similar), p.Messages...) {
		t = resolve.Normalise(t)
		s, _ := resolve.Soften(t)
		if x.soft[s] == nil {
			x.soft[s] = map[string]bool{}
		}
		x.soft[s][t] = true
		if x.texts[t] == 0 {
			x.texts[t] = 1
		}
	}
	return Sight{x}
}

// maxWanted bounds the texts that are asked for.
const maxWanted = 400

// Wanted lists the normalised names in the recorded pages: what a probe has to count so that it can tell whether a page is
// one of them, and which changes between them it shows.
func Wanted(states ...*trace.State) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range states {
		if s == nil {
			continue
		}
		for _, n := range s.Tree.Nodes {
			name := resolve.Normalise(n.Name)
			if name != "" && n.Role != "option" && !seen[name] && len(out) < maxWanted && len(name) < 500 {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// index is what a sight knows.
type index struct {
	probed     bool
	url, title string
	counts     map[key]int
	texts      map[string]int
	soft       map[string]map[string]bool // softened text → the texts that soften to it
	all        string                     // the page's text without white space
	blocks     string                     // the same with a NUL between the parts that are read apart
	messages   []string                   // texts in live regions
	boxes      []key                      // dialogs
	modals     []key                      // those of a live page that are modal: what is behind them is not in its tree
}

type key struct{ family, name string }

// recorded is the index of a recorded page. What a live page shows only as the value of a field is not counted: it would be
// wanted of the live page once more.
func recorded(t *axtree.Tree) *index {
	inDocument := hasDocument(t)
	return newIndex(t, "", "", func(n *axtree.Node) bool { return innerPart(n, inDocument) })
}

// newIndex counts what a tree shows, without the nodes to be left out; nil leaves out none.
func newIndex(t *axtree.Tree, url, title string, leaveOut func(*axtree.Node) bool) *index {
	x := &index{url: url, title: title, counts: map[key]int{}, texts: map[string]int{}, soft: map[string]map[string]bool{}}
	if t == nil {
		return x
	}
	var all, blocks strings.Builder
	var block *axtree.Node
	for _, n := range t.Nodes {
		name := resolve.Normalise(n.Name)
		if n.Role == "dialog" || n.Role == "alertdialog" {
			x.boxes = append(x.boxes, key{n.Role, name})
			if n.Live != nil && n.Live.Modal && !n.Live.Hidden {
				x.modals = append(x.modals, key{n.Role, name})
			}
		}
		if name == "" || n.Role == "option" || leaveOut != nil && leaveOut(n) {
			continue
		}
		x.counts[key{resolve.Family(n.Role), name}]++
		x.texts[name]++
		s, _ := resolve.Soften(name)
		if x.soft[s] == nil {
			x.soft[s] = map[string]bool{}
		}
		x.soft[s][name] = true
		if n.Role == "StaticText" || len(n.Children) == 0 {
			if b := blockOf(n); b != block {
				block = b
				blocks.WriteByte(0)
			}
			text := strings.ReplaceAll(name, " ", "")
			all.WriteString(text)
			blocks.WriteString(text)
		}
		if n.Role == "StaticText" && inLiveRegion(n) {
			x.messages = append(x.messages, name)
		}
	}
	x.all, x.blocks = all.String(), blocks.String()
	return x
}

// inline are the roles that stand in the midst of a text.
var inline = map[string]bool{
	"StaticText": true, "strong": true, "emphasis": true, "code": true, "mark": true, "time": true, "link": true, "generic": true,
	"insertion": true, "deletion": true, "subscript": true, "superscript": true, "Abbr": true, "LabelText": true,
}

// blockOf is the node whose text the node's text is a part of. What stands in two blocks is no text together: a message that
// ends where a list begins does not name the list's first entry.
func blockOf(n *axtree.Node) *axtree.Node {
	for a := range n.Ancestors() {
		if !inline[a.Role] {
			return a
		}
	}
	return nil
}

// liveRegions are the roles in which pages put messages about what just happened.
var liveRegions = map[string]bool{"status": true, "alert": true, "log": true, "alertdialog": true}

func inLiveRegion(n *axtree.Node) bool {
	for a := range n.Ancestors() {
		if liveRegions[a.Role] {
			return true
		}
	}
	return false
}

// textual are the roles whose recorded names are only text: where the text stands is what counts, not the role.
var textual = map[string]bool{
	"StaticText": true, "paragraph": true, "listitem": true, "cell": true, "gridcell": true, "row": true, "LabelText": true, "heading": true,
	"status": true, "alert": true, "columnheader": true, "rowheader": true, "caption": true, "figure": true, "image": true, "time": true,
	"strong": true, "emphasis": true, "code": true, "term": true, "definition": true, "blockquote": true, "section": true, "article": true,
}

// count says how often the index shows a node of that role and name. Where only the text counts, every place of the text does.
func (x *index) count(role, name string) int {
	if x.probed {
		return x.texts[name]
	}
	if !textual[role] {
		return x.counts[key{resolve.Family(role), name}]
	}
	if n := x.texts[name]; n > 0 {
		return n
	}
	text := x.all // the name of a cell or an item may be made of several blocks
	if role == "StaticText" {
		text = x.blocks
	}
	if len([]rune(name)) >= 4 && strings.Contains(text, strings.ReplaceAll(name, " ", "")) {
		return 1
	}
	return 0
}

// any says how often the index shows the node of a key.
func (x *index) any(k key) int {
	if x.probed {
		return x.texts[k.name]
	}
	return x.counts[k]
}
