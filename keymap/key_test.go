package keymap

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestLookup(t *testing.T) {
	enter := Key{Key: "Enter", Code: "Enter", KeyCode: 13, Text: "\r"}
	for name, want := range map[string]Key{
		"Enter":       enter,
		"enter":       enter,
		"return":      enter,
		"NumpadEnter": {Key: "Enter", Code: "NumpadEnter", KeyCode: 13, Text: "\r", Location: Numpad, Keypad: true},
		"esc":         {Key: "Escape", Code: "Escape", KeyCode: 27},
		"Spacebar":    {Key: " ", Code: "Space", KeyCode: 32, Text: " "},
		" ":           {Key: " ", Code: "Space", KeyCode: 32, Text: " "},
		"a":           {Key: "a", Code: "KeyA", KeyCode: 65, Text: "a"},
		"A":           {Key: "A", Code: "KeyA", KeyCode: 65, Text: "A", Shifted: true},
		"keya":        {Key: "a", Code: "KeyA", KeyCode: 65, Text: "a"},
		"!":           {Key: "!", Code: "Digit1", KeyCode: 49, Text: "!", Shifted: true},
		"1":           {Key: "1", Code: "Digit1", KeyCode: 49, Text: "1"},
		"Numpad1":     {Key: "1", Code: "Numpad1", KeyCode: 97, Text: "1", Location: Numpad, Keypad: true},
		"+":           {Key: "+", Code: "Equal", KeyCode: 187, Text: "+", Shifted: true},
		"plus":        {Key: "+", Code: "Equal", KeyCode: 187, Text: "+", Shifted: true},
		"\\":          {Key: "\\", Code: "Backslash", KeyCode: 220, Text: "\\"},
		"\n":          enter,
		"Shift":       {Key: "Shift", Code: "ShiftLeft", KeyCode: 16, Location: Left, Modifier: Shift},
		"shiftright":  {Key: "Shift", Code: "ShiftRight", KeyCode: 16, Location: Right, Modifier: Shift},
		"cmd":         {Key: "Meta", Code: "MetaLeft", KeyCode: 91, Location: Left, Modifier: Meta},
		"super":       {Key: "Meta", Code: "MetaLeft", KeyCode: 91, Location: Left, Modifier: Meta},
		"opt":         {Key: "Alt", Code: "AltLeft", KeyCode: 18, Location: Left, Modifier: Alt},
		"control":     {Key: "Control", Code: "ControlLeft", KeyCode: 17, Location: Left, Modifier: Ctrl},
		"AltRight":    {Key: "Alt", Code: "AltRight", KeyCode: 18, Location: Right, Modifier: Alt},
		"altgraph":    {Key: "AltGraph", Code: "AltRight", KeyCode: 225, Location: Right},
		"up":          {Key: "ArrowUp", Code: "ArrowUp", KeyCode: 38},
		"del":         {Key: "Delete", Code: "Delete", KeyCode: 46},
		"ins":         {Key: "Insert", Code: "Insert", KeyCode: 45},
		"pgup":        {Key: "PageUp", Code: "PageUp", KeyCode: 33},
		"pgdn":        {Key: "PageDown", Code: "PageDown", KeyCode: 34},
		"f24":         {Key: "F24", Code: "F24", KeyCode: 135},
		"Cancel":      {Key: "Cancel", Code: "Abort", KeyCode: 3},
		"abort":       {Key: "Cancel", Code: "Abort", KeyCode: 3},
		"¥":           {Key: "¥", Code: "IntlYen", KeyCode: 220, Text: "¥"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Lookup(%q) (-want +got):\n%s", name, diff)
			}
		})
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, name := range []string{"", "é", "金", "\x00", "\xff", "F25", "Entr", " Enter", "Unidentified", "Dead", "Process", "ab", "Ctrl+A"} {
		k, err := Lookup(name)
		var unknown *UnknownKeyError
		if !errors.As(err, &unknown) || unknown.Name != name {
			t.Errorf("Lookup(%q) = %+v, %v; want an UnknownKeyError", name, k, err)
		}
	}
}

// TestTable checks what must hold for every row, so that a new row cannot break another.
func TestTable(t *testing.T) {
	// sharedCodes are the physical keys that have two names besides the pair of characters.
	sharedCodes := map[string]bool{"AltRight": true}
	type place struct {
		code    string
		shifted bool
	}
	seen := map[place]string{}
	for i, k := range keys {
		name := k.Code + "/" + k.Key
		if k.Key == "" || k.KeyCode < 0 || k.KeyCode > 255 {
			t.Errorf("%s: no key name, or key code %d out of range", name, k.KeyCode)
		}
		if other, taken := seen[place{k.Code, k.Shifted}]; taken && k.Code != "" && !sharedCodes[k.Code] {
			t.Errorf("%s: code is also that of %s", name, other)
		}
		seen[place{k.Code, k.Shifted}] = name
		if k.Keypad != (k.Location == Numpad) {
			t.Errorf("%s: keypad %v at location %d", name, k.Keypad, k.Location)
		}
		if strings.HasPrefix(k.Code, "Numpad") != k.Keypad {
			t.Errorf("%s: keypad %v", name, k.Keypad)
		}
		if strings.HasSuffix(k.Code, "Left") && k.Modifier != 0 && k.Location != Left || strings.HasSuffix(k.Code, "Right") && k.Modifier != 0 && k.Location != Right {
			t.Errorf("%s: location %d", name, k.Location)
		}
		single := utf8.RuneCountInString(k.Key) == 1
		switch {
		case single && k.Text != k.Key:
			t.Errorf("%s: types %q", name, k.Text)
		case !single && k.Text != "" && k.Key != "Enter":
			t.Errorf("%s: types %q", name, k.Text)
		}
		if k.Shifted {
			plain := keys[i-1]
			if plain.Code != k.Code || plain.Shifted || plain.KeyCode != k.KeyCode || plain.Key == k.Key {
				t.Errorf("%s: follows %+v, which is not its key without Shift", name, plain)
			}
			if got := shiftedKey(plain); got != k {
				t.Errorf("%s: Shift gives %+v", name, got)
			}
		}
		if k.Code != "" && !k.Shifted && k.Key != "AltGraph" {
			if got, err := Lookup(k.Code); err != nil || got != k {
				t.Errorf("%s: Lookup(%q) = %+v, %v", name, k.Code, got, err)
			}
		}
		if got, err := Lookup(k.Key); err != nil || got.Key != k.Key {
			t.Errorf("%s: Lookup(%q) = %+v, %v", name, k.Key, got, err)
		}
	}
	for name, code := range shortNames {
		if k, err := Lookup(name); err != nil || k.Code != code {
			t.Errorf("short name %q = %+v, %v; want %s", name, k, err, code)
		}
		for _, k := range keys {
			if strings.EqualFold(k.Key, name) && k.Code != code && k.Modifier == 0 {
				t.Errorf("short name %q hides the key %s", name, k.Key)
			}
		}
	}
	for chord, commands := range macBindings {
		if _, err := Lookup(chord.code); err != nil {
			t.Errorf("macOS binding of %s+%s: %v", chord.mods, chord.code, err)
		}
		if len(commands) == 0 {
			t.Errorf("macOS binding of %s+%s is empty", chord.mods, chord.code)
		}
	}
}

// TestStandardCodes checks that the table has every code of a keyboard that the standard lists. Codes for which it defines no
// key name (the memory keys of a keypad) are not in it.
func TestStandardCodes(t *testing.T) {
	const codes = `Backquote Backslash BracketLeft BracketRight Comma Digit0 Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7
	Digit8 Digit9 Equal IntlBackslash IntlRo IntlYen KeyA KeyB KeyC KeyD KeyE KeyF KeyG KeyH KeyI KeyJ KeyK KeyL KeyM KeyN
	KeyO KeyP KeyQ KeyR KeyS KeyT KeyU KeyV KeyW KeyX KeyY KeyZ Minus Period Quote Semicolon Slash AltLeft AltRight
	Backspace CapsLock ContextMenu ControlLeft ControlRight Enter MetaLeft MetaRight ShiftLeft ShiftRight Space Tab Convert
	KanaMode Lang1 Lang2 Lang3 Lang4 Lang5 NonConvert Delete End Help Home Insert PageDown PageUp ArrowDown ArrowLeft
	ArrowRight ArrowUp NumLock Numpad0 Numpad1 Numpad2 Numpad3 Numpad4 Numpad5 Numpad6 Numpad7 Numpad8 Numpad9 NumpadAdd
	NumpadBackspace NumpadClear NumpadComma NumpadDecimal NumpadDivide NumpadEnter NumpadEqual NumpadMultiply
	NumpadParenLeft NumpadParenRight NumpadSubtract Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18
	F19 F20 F21 F22 F23 F24 Fn FnLock PrintScreen ScrollLock Pause BrowserBack BrowserFavorites BrowserForward BrowserHome
	BrowserRefresh BrowserSearch BrowserStop Eject LaunchApp1 LaunchApp2 LaunchMail MediaPlayPause MediaSelect MediaStop
	MediaTrackNext MediaTrackPrevious Power Sleep AudioVolumeDown AudioVolumeMute AudioVolumeUp WakeUp Hyper Abort Again
	Copy Cut Find Open Paste Props Select Undo`
	for code := range strings.FieldsSeq(codes) {
		if k, err := Lookup(code); err != nil || k.Code != code {
			t.Errorf("Lookup(%q) = %+v, %v", code, k, err)
		}
	}
}

func TestText(t *testing.T) {
	for r := rune(' '); r <= '~'; r++ {
		k, ok := Text(r)
		if !ok || k.Text != string(r) || k.Keypad || strings.HasPrefix(k.Code, "Intl") {
			t.Errorf("Text(%q) = %+v, %v; want a key of the main block", r, k, ok)
		}
	}
	for _, r := range "é金🙂\u00a0\x00\x7f" {
		if k, ok := Text(r); ok {
			t.Errorf("Text(%q) = %+v; want none", r, k)
		}
	}
	if k, ok := Text('\t'); !ok || k.Key != "Tab" {
		t.Errorf("Text(tab) = %+v, %v", k, ok)
	}
}

func TestParseChord(t *testing.T) {
	for _, test := range []struct {
		spec string
		code string
		key  string
		mods Modifiers
	}{
		{"Ctrl+Shift+P", "KeyP", "p", Ctrl | Shift},
		{"ctrl + s", "KeyS", "s", Ctrl},
		{"Ctrl+S", "KeyS", "s", Ctrl},
		{"Shift+s", "KeyS", "s", Shift},
		{"S", "KeyS", "S", 0},
		{"Enter", "Enter", "Enter", 0},
		{"Cmd+Option+ArrowUp", "ArrowUp", "ArrowUp", Meta | Alt},
		{"Ctrl++", "Equal", "+", Ctrl},
		{"Ctrl+Plus", "Equal", "+", Ctrl},
		{"+", "Equal", "+", 0},
		{"Shift+Ctrl", "ControlLeft", "Control", Shift},
		{"Ctrl+NumpadAdd", "NumpadAdd", "+", Ctrl},
		{" ", "Space", " ", 0},
		{"Ctrl+Space", "Space", " ", Ctrl},
	} {
		k, mods, err := ParseChord(test.spec)
		if err != nil || k.Code != test.code || k.Key != test.key || mods != test.mods {
			t.Errorf("ParseChord(%q) = %+v, %v, %v; want %s %q with %v", test.spec, k, mods, err, test.code, test.key, test.mods)
		}
	}
	for _, spec := range []string{"", "Ctrl+", "  ", "Ctrl+Entr", "Ctrl+é", "Ctrl+ +s", "+s"} {
		_, _, err := ParseChord(spec)
		var key *UnknownKeyError
		var modifier *UnknownModifierError
		if !errors.As(err, &key) && !errors.As(err, &modifier) {
			t.Errorf("ParseChord(%q): %v; want an unknown key or modifier", spec, err)
		}
	}
	_, _, err := ParseChord("Hyper+a")
	var modifier *UnknownModifierError
	if !errors.As(err, &modifier) || modifier.Name != "Hyper" {
		t.Errorf("ParseChord(Hyper+a): %v; want an UnknownModifierError", err)
	}
}

func TestModifiers(t *testing.T) {
	m, err := ParseModifiers([]string{"Shift", "command", "control", "option", "ctrl"})
	if err != nil || m != Alt|Ctrl|Meta|Shift {
		t.Errorf("ParseModifiers = %d, %v", m, err)
	}
	if diff := cmp.Diff([]string{"alt", "ctrl", "meta", "shift"}, m.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if got := m.String(); got != "Ctrl+Alt+Shift+Meta" {
		t.Errorf("String() = %q", got)
	}
	if got := Modifiers(0); got.String() != "" || got.Names() != nil {
		t.Errorf("none: %q, %q", got.String(), got.Names())
	}
	if _, err := ParseModifiers([]string{"ctrl", "fn"}); err == nil {
		t.Error("ParseModifiers took fn")
	}
	for m := range Modifiers(16) {
		if got, err := ParseModifiers(m.Names()); err != nil || got != m {
			t.Errorf("ParseModifiers(%q) = %d, %v; want %d", m.Names(), got, err, m)
		}
	}
}
