package keymap

import (
	"fmt"
	"strings"
)

// Modifiers is a set of held modifier keys, in the bit field that the DevTools protocol uses.
type Modifiers int

// The four modifiers.
const (
	Alt   Modifiers = 1
	Ctrl  Modifiers = 2
	Meta  Modifiers = 4
	Shift Modifiers = 8
)

// heldModifiers are the modifiers in the order in which a person presses them for a chord, which is also the order in which
// chords are written ("Ctrl+Alt+Shift+Meta"), each with the code of the key that is held for it.
var heldModifiers = []struct {
	flag  Modifiers
	code  string
	label string
}{
	{Ctrl, "ControlLeft", "Ctrl"},
	{Alt, "AltLeft", "Alt"},
	{Shift, "ShiftLeft", "Shift"},
	{Meta, "MetaLeft", "Meta"},
}

// modifierNames are the lower-case names by which a modifier may be called.
var modifierNames = map[string]Modifiers{
	"alt": Alt, "option": Alt, "opt": Alt,
	"ctrl": Ctrl, "control": Ctrl,
	"meta": Meta, "cmd": Meta, "command": Meta, "super": Meta, "win": Meta,
	"shift": Shift,
}

// UnknownModifierError says that a name is not the name of a modifier.
type UnknownModifierError struct{ Name string }

func (e *UnknownModifierError) Error() string {
	return fmt.Sprintf("unknown modifier %q (known: alt, ctrl, meta, shift)", e.Name)
}

// ParseModifiers reads modifier names in any order and any case. Besides "alt", "ctrl", "meta" and "shift" it takes
// "control", "option", "opt", "cmd", "command", "super" and "win". A name that is given twice counts once.
// The error is an [*UnknownModifierError].
func ParseModifiers(names []string) (Modifiers, error) {
	var m Modifiers
	for _, name := range names {
		flag, ok := modifierNames[strings.ToLower(strings.TrimSpace(name))]
		if !ok {
			return 0, &UnknownModifierError{Name: name}
		}
		m |= flag
	}
	return m, nil
}

// Names returns the names of the modifiers in the order that recordings use: alt, ctrl, meta, shift.
// It returns nil for none.
func (m Modifiers) Names() []string {
	var names []string
	for _, n := range []struct {
		flag Modifiers
		name string
	}{{Alt, "alt"}, {Ctrl, "ctrl"}, {Meta, "meta"}, {Shift, "shift"}} {
		if m&n.flag != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// String returns the modifiers as the beginning of a chord, "Ctrl+Shift"; it is empty for none.
func (m Modifiers) String() string {
	var labels []string
	for _, h := range heldModifiers {
		if m&h.flag != 0 {
			labels = append(labels, h.label)
		}
	}
	return strings.Join(labels, "+")
}
