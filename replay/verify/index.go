package verify

import (
	"strings"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// index is a tree in the form in which items are looked up.
type index struct {
	url, title string
	counts     map[key]int
	texts      map[string]int
	soft       map[string]map[string]bool // softened text → the texts that soften to it
	all        string                     // the page's text without white space
	messages   []string                   // texts in live regions
	dialogs    int
}

type key struct{ family, name string }

func newIndex(t *axtree.Tree, url, title string) *index {
	x := &index{url: url, title: title, counts: map[key]int{}, texts: map[string]int{}, soft: map[string]map[string]bool{}}
	if t == nil {
		return x
	}
	var all strings.Builder
	for _, n := range t.Nodes {
		if n.Role == "dialog" || n.Role == "alertdialog" {
			x.dialogs++
		}
		name := resolve.Normalise(n.Name)
		if name == "" || n.Role == "option" {
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
			all.WriteString(strings.ReplaceAll(name, " ", ""))
		}
		if n.Role == "StaticText" && inLiveRegion(n) {
			x.messages = append(x.messages, name)
		}
	}
	x.all = all.String()
	return x
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
	if !textual[role] {
		return x.counts[key{resolve.Family(role), name}]
	}
	if n := x.texts[name]; n > 0 {
		return n
	}
	if len([]rune(name)) >= 4 && strings.Contains(x.all, strings.ReplaceAll(name, " ", "")) {
		return 1
	}
	return 0
}
