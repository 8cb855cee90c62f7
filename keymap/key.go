package keymap

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Locations of a key, as KeyboardEvent.location counts them.
const (
	Standard = 0
	Left     = 1
	Right    = 2
	Numpad   = 3
)

// Key is one key of the keyboard, or one character of a key that types two.
type Key struct {
	// Key is KeyboardEvent.key: "Enter", "a", "A".
	Key string
	// Code is KeyboardEvent.code, the physical key: "KeyA". It is empty for keys that only exist on keyboards for which the
	// standard has no code ("Attn").
	Code string
	// KeyCode is the legacy KeyboardEvent.keyCode, a Windows virtual key code; 0 when the key has none.
	KeyCode int
	// Location is KeyboardEvent.location.
	Location int
	// Text is what the key types when no modifier but Shift is held: "\r" for Enter, " " for Space, empty for keys that
	// type nothing. Tab, Escape and Backspace type nothing: no keypress event follows them in Chrome.
	Text string
	// Shifted says that Key is what the key gives while Shift is held ("A", "!"), so that Shift must be held for it.
	Shifted bool
	// Keypad says that the key is in the numeric keypad.
	Keypad bool
	// Modifier is the flag that the key itself sets while it is down; 0 for all but modifier keys.
	Modifier Modifiers
}

// UnknownKeyError says that no key of the keyboard has the name.
type UnknownKeyError struct{ Name string }

func (e *UnknownKeyError) Error() string {
	if utf8.RuneCountInString(e.Name) == 1 {
		return fmt.Sprintf("no key of a US keyboard types %q", e.Name)
	}
	return fmt.Sprintf("unknown key %q", e.Name)
}

// Lookup returns the key with the name: a character, a KeyboardEvent.key, a KeyboardEvent.code, or one of the usual
// short names. The package comment says which key a shared name means. The error is an [*UnknownKeyError].
func Lookup(name string) (Key, error) {
	if r, size := utf8.DecodeRuneInString(name); size > 0 && size == len(name) {
		if k, ok := Text(r); ok {
			return k, nil
		}
		return Key{}, &UnknownKeyError{Name: name}
	}
	if i, ok := byName[strings.ToLower(name)]; ok {
		return keys[i], nil
	}
	return Key{}, &UnknownKeyError{Name: name}
}

// Text returns the key that types the character on a US keyboard. Line feed and carriage return are Enter, and a
// horizontal tab is Tab. It reports false when no key types the character.
func Text(r rune) (Key, bool) {
	switch r {
	case '\n':
		r = '\r'
	case '\t':
		return keys[byName["tab"]], true
	}
	i, ok := byText[r]
	if !ok {
		return Key{}, false
	}
	return keys[i], true
}

// Keys returns all keys, the shifted ones after the keys that they belong to. The slice is the caller's.
func Keys() []Key { return append([]Key(nil), keys...) }

// ParseChord reads a chord: modifiers and one key, joined by "+", spaces around the parts allowed. Its last part is the key, which
// may be "+" itself ("Ctrl++") or a modifier ("Ctrl+Shift"). Beside ctrl, alt or meta a capital letter means its key
// without Shift, as people write it ("Ctrl+S"); write "Ctrl+Shift+S" to hold Shift too. The error is, or wraps, an
// [*UnknownKeyError] or an [*UnknownModifierError].
func ParseChord(spec string) (Key, Modifiers, error) {
	before, name := splitChord(spec)
	mods, err := ParseModifiers(before)
	if err != nil {
		return Key{}, 0, fmt.Errorf("chord %q: %w", spec, err)
	}
	if mods&(Ctrl|Alt|Meta) != 0 && len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z' {
		name = strings.ToLower(name)
	}
	k, err := Lookup(name)
	if err != nil {
		return Key{}, 0, fmt.Errorf("chord %q: %w", spec, err)
	}
	return k, mods, nil
}

// splitChord parts a chord into the names of its modifiers and the name of its key.
func splitChord(spec string) (before []string, name string) {
	if utf8.RuneCountInString(spec) == 1 {
		return nil, spec
	}
	spec = strings.TrimSpace(spec)
	if head, ok := strings.CutSuffix(spec, "+"); ok { // this plus is the key, and one before it parts it from the rest
		if head, ok = strings.CutSuffix(strings.TrimSpace(head), "+"); ok {
			return strings.Split(head, "+"), "+"
		}
	}
	parts := strings.Split(spec, "+")
	last := len(parts) - 1
	return parts[:last], strings.TrimSpace(parts[last])
}

// shiftedKey returns what the key gives while Shift is held.
func shiftedKey(k Key) Key {
	if i, ok := byShift[k.Code]; ok && !k.Shifted {
		return keys[i]
	}
	return k
}
