package trace

import (
	"strconv"

	"retrace/resolve/axtree"
)

// version2 reads a recording of the older form. It has pages (an address each, no text) where v3 has states, and its
// steps say on which page they happened and, if the address changed, to which page they led.
func (d *decoder) version2(root object, t *Trace) {
	byID := map[string]*State{}
	list, ok := root.typed("pages", "an array")
	if !ok {
		return
	}
	for i, v := range list.elements() {
		if i == maxStates {
			root.refuse("pages", "has more than %d entries", maxStates)
			return
		}
		name := "pages[" + strconv.Itoa(i) + "]"
		if v.kind() != "an object" {
			root.refuse(name, "is %s, want an object", v.kind())
			continue
		}
		o := object{d: d, path: name + ": ", fields: v.pick("id", "url", "title")}
		s := &State{Title: o.text("title"), Tree: &axtree.Tree{}}
		s.URL, _ = o.needText("url")
		s.Tree.URL, s.Tree.Title = s.URL, s.Title
		s.ID, ok = o.needWord("id")
		if ok && byID[s.ID] != nil {
			o.refuse("id", "is %s a second time", quote(s.ID))
		}
		byID[s.ID] = s
		t.States = append(t.States, s)
	}
	t.Steps = d.steps(root, func(s *Step, o object) {
		s.State = page(o, "page", byID)
		s.Result = s.State
		if effect, ok := o.child("effect", "navigated_to"); ok && effect.has("navigated_to") {
			s.Result = page(effect, "navigated_to", byID)
		}
	})
}

func page(o object, name string, byID map[string]*State) *State {
	id, ok := o.needWord(name)
	if !ok {
		return nil
	}
	s := byID[id]
	if s == nil {
		o.refuse(name, "is %s, which is not in pages", quote(id))
	}
	return s
}
