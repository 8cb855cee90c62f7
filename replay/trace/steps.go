package trace

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"retrace/keymap"
	"retrace/resolve"
)

var (
	ops     = []Op{Navigate, SwitchTab, Click, Hover, Fill, Select, Press, Scroll}
	causes  = []Cause{UserTyped, Link, FormSubmit, Reload, History, Script, Browser}
	commits = []Commit{CommitEnter, CommitSuggestion, CommitBlur}
)

// version3 reads states and steps of a v3 recording.
func (d *decoder) version3(root object, t *Trace, texts fs.FS) {
	r := &stateReader{
		d: d, texts: texts, byID: map[string]*State{},
		budget: budget{bytes: maxTextBytes, lines: maxLines},
	}
	t.States = r.read(root)
	if texts == nil && anyPage(root) {
		d.warnings = append(d.warnings, Problem{
			File: d.file, Field: "states",
			Text: "name files for their page texts, but there is no directory states beside the recording",
		})
	}
	t.Steps = d.steps(root, func(s *Step, o object) { r.bind(s, o) })
}

// anyPage reports whether a state names a file.
func anyPage(root object) bool {
	list, ok := root.fields.get("states")
	if !ok || list.kind() != "an array" {
		return false
	}
	for _, v := range list.elements() {
		if v.kind() == "an object" && v.pick("page").count() > 0 && v.pick("body").count() == 0 {
			return true
		}
	}
	return false
}

// bind connects a step with the states before and after it.
func (r *stateReader) bind(s *Step, o object) {
	s.State = r.lookup(o, "state")
	if result, ok := o.child("result", "state"); ok {
		s.Result = r.lookup(result, "state")
	} else if !o.has("result") {
		o.absent("result", "an object")
	}
}

func (r *stateReader) lookup(o object, name string) *State {
	id, ok := o.needWord(name)
	if !ok {
		return nil
	}
	s := r.byID[id]
	if s == nil && r.listed {
		o.refuse(name, "is %s, which is not in states", quote(id))
	}
	return s
}

var stepFields = []string{
	"op", "id", "state", "result", "page", "effect", "target", "to", "cause", "value", "commit", "redacted", "selection",
	"key", "modifiers",
}

// steps reads the list of steps. What binds a step to its states differs between versions, and is left to bind.
func (d *decoder) steps(root object, bind func(*Step, object)) []*Step {
	if !root.has("steps") {
		root.absent("steps", "an array")
		return nil
	}
	list, ok := root.typed("steps", "an array")
	if !ok {
		return nil
	}
	var steps []*Step
	last := 0
	for i, v := range list.elements() {
		if i == maxSteps {
			root.refuse("steps", "has more than %d entries", maxSteps)
			break
		}
		name := "steps[" + strconv.Itoa(i) + "]"
		if v.kind() != "an object" {
			root.refuse(name, "is %s, want an object", v.kind())
			last++
			continue
		}
		fields := v.pick(stepFields...)
		id := d.stepID(object{d: d, path: name + ": ", fields: fields}, last)
		last = id
		steps = append(steps, d.step(object{d: d, step: id, fields: fields}, bind))
	}
	return steps
}

// stepID reads the id of a step. Ids count from 1 in the order of the steps; in the v2 form, where navigations were merged,
// some may be left out. For a step without a right one it returns the number that it should have.
func (d *decoder) stepID(o object, last int) int {
	id, ok := o.needWhole("id")
	switch {
	case !ok:
		return last + 1
	case id == last && last > 0:
		o.refuse("id", "is %d a second time", id)
		return last
	case id < 1 || id <= last:
		o.refuse("id", "is %d, want %d", id, last+1)
		return last + 1
	case id != last+1 && d.version != 2:
		o.refuse("id", "is %d, want %d", id, last+1)
	}
	return id
}

// step reads one step with the fields that its kind has.
func (d *decoder) step(o object, bind func(*Step, object)) *Step {
	s := &Step{ID: o.step}
	op, ok := choice(o, "op", ops)
	if !ok {
		return s
	}
	s.Op = op
	o.path = string(op) + ": "
	bind(s, o)
	switch op {
	case Navigate:
		s.To, _ = o.needWord("to")
		if o.has("cause") || d.version != 2 {
			s.Cause, _ = choice(o, "cause", causes)
		}
	case Click, Hover:
		s.Target = needTarget(o)
	case Fill:
		s.Target = needTarget(o)
		s.Value, _ = o.needText("value")
		s.Redacted = o.flag("redacted")
		s.Commit = CommitBlur
		if o.has("commit") {
			s.Commit, _ = choice(o, "commit", commits)
		}
	case Select:
		s.Target = needTarget(o)
		s.Selection = selection(o)
	case Press:
		s.Target = target(o)
		s.Key, _ = o.needWord("key")
		s.Modifiers = modifiers(o)
	case SwitchTab, Scroll:
		// nothing but the states
	}
	return s
}

func needTarget(o object) *resolve.Descriptor {
	if !o.has("target") {
		o.absent("target", "an object")
		return nil
	}
	return target(o)
}

// target reads the description of an element, both in the v3 form and in the v2 form.
func target(o object) *resolve.Descriptor {
	t, ok := o.child("target",
		"ref", "role", "name", "ctx", "unmatched", "tag", "name_attr", "placeholder", "nearby_label")
	if !ok {
		return nil
	}
	return &resolve.Descriptor{
		Ref:         strings.TrimPrefix(t.text("ref"), "@"),
		Role:        t.text("role"),
		Name:        t.text("name"),
		Ctx:         t.text("ctx"),
		Unmatched:   t.flag("unmatched"),
		Tag:         t.text("tag"),
		NameAttr:    t.text("name_attr"),
		Placeholder: t.text("placeholder"),
		NearbyLabel: t.text("nearby_label"),
	}
}

// selection reads the options of a select. Nothing selected and nothing recorded are the same: nil.
func selection(o object) []Option {
	list, ok := o.typed("selection", "an array")
	if !ok {
		return nil
	}
	var options []Option
	for i, v := range list.elements() {
		if i == maxListed {
			o.refuse("selection", "has more than %d entries", maxListed)
			break
		}
		name := fmt.Sprintf("selection[%d]", i)
		if v.kind() != "an object" {
			o.refuse(name, "is %s, want an object", v.kind())
			continue
		}
		option := object{o.d, o.step, o.path + name + ".", v.pick("value", "label")}
		chosen, _ := option.needText("value")
		options = append(options, Option{Value: chosen, Label: option.text("label")})
	}
	return options
}

// modifiers folds the names of held keys into one set.
func modifiers(o object) keymap.Modifiers {
	list, ok := o.typed("modifiers", "an array")
	if !ok {
		return 0
	}
	var held keymap.Modifiers
	for i, v := range list.elements() {
		if i == maxListed {
			o.refuse("modifiers", "has more than %d entries", maxListed)
			break
		}
		name := fmt.Sprintf("modifiers[%d]", i)
		if v.kind() != "a string" {
			o.refuse(name, "is %s, want a string", v.kind())
			continue
		}
		m, err := keymap.ParseModifiers([]string{v.text()})
		if err != nil {
			o.refuse(name, "is %s, want alt, ctrl, meta or shift", quote(v.text()))
		}
		held |= m
	}
	return held
}
