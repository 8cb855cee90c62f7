package act

import (
	"context"
	"fmt"
	"strings"
)

// Kind is how a control takes its value.
type Kind string

// Kinds of controls.
const (
	KindText     Kind = "text"     // typed: text, search, tel, url, email, password, number, textarea
	KindAssigned Kind = "assigned" // set as a whole: date, time, month, week, datetime-local, color, range
	KindRich     Kind = "rich"     // contenteditable
	KindSelect   Kind = "select"   // native list
	KindToggle   Kind = "toggle"   // checkbox, radio
	KindFile     Kind = "file"
	KindButton   Kind = "button"
	KindOther    Kind = "other"
)

// FieldState is what a control holds. Value may be a secret: it is left out of the JSON form and of every printed
// form.
type FieldState struct {
	Kind Kind `json:"kind"`
	// Tag is the lower-case tag, Type the type of an input or a button.
	Tag  string `json:"tag"`
	Type string `json:"type,omitempty"`
	// Value is the value of a field or a list, and the text content of an editable element.
	Value string `json:"-"`
	// Text is the text of an editable element as it is drawn, line breaks included.
	Text string `json:"-"`
	// Checked is the native state of a checkbox or radio button, AriaChecked, Pressed and Selected those of custom
	// ones: "", "true", "false" or "mixed". Expanded is aria-expanded, or the state of a <details>: "", "true", "false".
	Checked     string `json:"checked,omitempty"`
	AriaChecked string `json:"aria_checked,omitempty"`
	Pressed     string `json:"pressed,omitempty"`
	Selected    string `json:"selected,omitempty"`
	Expanded    string `json:"expanded,omitempty"`
	// Options are those of a list, Multiple says whether several may be selected.
	Options  []Option `json:"options,omitempty"`
	Multiple bool     `json:"multiple,omitempty"`
	Enabled  bool     `json:"enabled"`
	ReadOnly bool     `json:"readonly,omitempty"`
	// Editable says that text can be put in now.
	Editable bool `json:"editable"`
	// MaxLength is the most characters that may be typed, or -1.
	MaxLength int  `json:"max_length"`
	Focused   bool `json:"focused,omitempty"`
	// HasForm says that the control belongs to a form.
	HasForm bool `json:"has_form,omitempty"`

	bad bool // the browser cannot read what was typed
}

// Option is one option of a native list. Label has its whitespace collapsed.
type Option struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"selected,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

// String tells what kind of control it is, without its value.
func (f FieldState) String() string {
	if f.Type != "" {
		return fmt.Sprintf("%s (%s)", f.Tag, f.Type)
	}
	return f.Tag
}

// Format keeps the value out of every verb.
func (f FieldState) Format(s fmt.State, _ rune) { fmt.Fprint(s, f.String()) }

// Toggled reports whether the two states differ in something that a click switches: checked, pressed, selected or
// expanded, native or ARIA.
func (f FieldState) Toggled(after FieldState) bool { return f.switches() != after.switches() }

// Toggles reports whether the control has a state that a click switches.
func (f FieldState) Toggles() bool { return f.switches() != "" }

// switches are the states that a click switches, as the page joins them too; empty when the control has none.
func (f FieldState) switches() string {
	states := strings.Join([]string{f.Checked, f.AriaChecked, f.Pressed, f.Selected, f.Expanded}, ",")
	if strings.Trim(states, ",") == "" {
		return ""
	}
	return states
}

// SelectedOptions are the options that are selected.
func (f FieldState) SelectedOptions() []Option {
	var out []Option
	for _, o := range f.Options {
		if o.Selected {
			out = append(out, o)
		}
	}
	return out
}

// wireField is a FieldState as the page sends it.
type wireField struct {
	Kind        Kind     `json:"kind"`
	Tag         string   `json:"tag"`
	Type        string   `json:"type"`
	Value       string   `json:"value"`
	Text        string   `json:"text"`
	Checked     string   `json:"checked"`
	AriaChecked string   `json:"ariaChecked"`
	Pressed     string   `json:"pressed"`
	Selected    string   `json:"selected"`
	Expanded    string   `json:"expanded"`
	Options     []Option `json:"options"`
	Multiple    bool     `json:"multiple"`
	Enabled     bool     `json:"enabled"`
	ReadOnly    bool     `json:"readOnly"`
	Editable    bool     `json:"editable"`
	MaxLength   int      `json:"maxLength"`
	Focused     bool     `json:"focused"`
	HasForm     bool     `json:"hasForm"`
	Bad         bool     `json:"bad"`
}

func (w wireField) field() FieldState {
	return FieldState{
		Kind: w.Kind, Tag: w.Tag, Type: w.Type, Value: w.Value, Text: w.Text, Checked: w.Checked,
		AriaChecked: w.AriaChecked, Pressed: w.Pressed, Selected: w.Selected, Expanded: w.Expanded, Options: w.Options,
		Multiple: w.Multiple, Enabled: w.Enabled, ReadOnly: w.ReadOnly, Editable: w.Editable, MaxLength: w.MaxLength,
		Focused: w.Focused, HasForm: w.HasForm, bad: w.Bad,
	}
}

// ReadField reads what the control holds now: the element, or the only control inside it. It waits for nothing. A
// gone element is a [Stale].
func ReadField(ctx context.Context, e Element) (FieldState, error) {
	h, err := hold(ctx, e)
	if err != nil {
		return FieldState{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	a, err := h.run(ctx, "read", nil)
	if err != nil {
		return FieldState{}, verdict(ctx, err, nil)
	}
	if a.State == Detached {
		return FieldState{}, gone(a)
	}
	return a.Field.field(), nil
}
