// Package keymap turns key names and chords into the key events that a keyboard would make.
package keymap

// Modifiers is a set of held modifier keys, in the bit field that the DevTools protocol uses.
type Modifiers int

// The four modifiers.
const (
	Alt   Modifiers = 1
	Ctrl  Modifiers = 2
	Meta  Modifiers = 4
	Shift Modifiers = 8
)
