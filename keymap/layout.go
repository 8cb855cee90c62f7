package keymap

import (
	"strings"
	"unicode/utf8"
)

// writing are the keys of a US keyboard that type characters: code, key code, the character, and the character with Shift.
// The two extra keys of European and Japanese keyboards type what Chrome's own US layout gives them.
var writing = []struct {
	code        string
	keyCode     int
	plain, with string
}{
	{"Backquote", 192, "`", "~"},
	{"Digit1", 49, "1", "!"},
	{"Digit2", 50, "2", "@"},
	{"Digit3", 51, "3", "#"},
	{"Digit4", 52, "4", "$"},
	{"Digit5", 53, "5", "%"},
	{"Digit6", 54, "6", "^"},
	{"Digit7", 55, "7", "&"},
	{"Digit8", 56, "8", "*"},
	{"Digit9", 57, "9", "("},
	{"Digit0", 48, "0", ")"},
	{"Minus", 189, "-", "_"},
	{"Equal", 187, "=", "+"},
	{"KeyA", 65, "a", "A"},
	{"KeyB", 66, "b", "B"},
	{"KeyC", 67, "c", "C"},
	{"KeyD", 68, "d", "D"},
	{"KeyE", 69, "e", "E"},
	{"KeyF", 70, "f", "F"},
	{"KeyG", 71, "g", "G"},
	{"KeyH", 72, "h", "H"},
	{"KeyI", 73, "i", "I"},
	{"KeyJ", 74, "j", "J"},
	{"KeyK", 75, "k", "K"},
	{"KeyL", 76, "l", "L"},
	{"KeyM", 77, "m", "M"},
	{"KeyN", 78, "n", "N"},
	{"KeyO", 79, "o", "O"},
	{"KeyP", 80, "p", "P"},
	{"KeyQ", 81, "q", "Q"},
	{"KeyR", 82, "r", "R"},
	{"KeyS", 83, "s", "S"},
	{"KeyT", 84, "t", "T"},
	{"KeyU", 85, "u", "U"},
	{"KeyV", 86, "v", "V"},
	{"KeyW", 87, "w", "W"},
	{"KeyX", 88, "x", "X"},
	{"KeyY", 89, "y", "Y"},
	{"KeyZ", 90, "z", "Z"},
	{"BracketLeft", 219, "[", "{"},
	{"BracketRight", 221, "]", "}"},
	{"Backslash", 220, "\\", "|"},
	{"Semicolon", 186, ";", ":"},
	{"Quote", 222, "'", "\""},
	{"Comma", 188, ",", "<"},
	{"Period", 190, ".", ">"},
	{"Slash", 191, "/", "?"},
	{"Space", 32, " ", " "},
	{"IntlBackslash", 226, "\\", "|"},
	{"IntlRo", 193, "\\", "_"},
	{"IntlYen", 220, "¥", "|"},
}

// shortNames are the usual other names of keys, lower case, each with the code that it means. Those of modifiers are the names
// that [ParseModifiers] takes; "super" is Meta there, so the rare key of that name is left out of the table.
var shortNames = map[string]string{
	"alt": "AltLeft", "option": "AltLeft", "opt": "AltLeft",
	"ctrl": "ControlLeft", "control": "ControlLeft",
	"meta": "MetaLeft", "cmd": "MetaLeft", "command": "MetaLeft", "super": "MetaLeft", "win": "MetaLeft", "os": "MetaLeft",
	"shift": "ShiftLeft",
	"esc":   "Escape", "return": "Enter", "spacebar": "Space",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"del": "Delete", "ins": "Insert", "pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown",
	"apps": "ContextMenu",
}

// keys is the whole table; the indexes point into it. Where rows share a name or a text the first one has it, so the
// main block comes before the keypad, and left before right.
var (
	keys    = allKeys()
	byName  = indexNames(keys)
	byText  = indexTexts(keys)
	byShift = indexShifted(keys)
)

func allKeys() []Key {
	var all []Key
	for _, w := range writing {
		all = append(all, Key{Key: w.plain, Code: w.code, KeyCode: w.keyCode, Text: w.plain})
		if w.with != w.plain {
			all = append(all, Key{Key: w.with, Code: w.code, KeyCode: w.keyCode, Text: w.with, Shifted: true})
		}
	}
	for _, group := range [][]Key{functional, numpad, media, international} {
		all = append(all, group...)
	}
	return all
}

// indexNames maps lower-case names to places in the table: codes first, because they are unique, then KeyboardEvent.key
// names, then the short names. Characters are not names here.
func indexNames(all []Key) map[string]int {
	index := map[string]int{}
	for i, k := range all {
		if name := strings.ToLower(k.Code); name != "" {
			if _, taken := index[name]; !taken {
				index[name] = i
			}
		}
	}
	for i, k := range all {
		if utf8.RuneCountInString(k.Key) == 1 {
			continue
		}
		if name := strings.ToLower(k.Key); name != "" {
			if _, taken := index[name]; !taken {
				index[name] = i
			}
		}
	}
	for name, code := range shortNames {
		index[name] = index[strings.ToLower(code)]
	}
	index["plus"] = indexTexts(all)['+']
	return index
}

func indexTexts(all []Key) map[rune]int {
	index := map[rune]int{}
	for i, k := range all {
		r, size := utf8.DecodeRuneInString(k.Text)
		if size == 0 || size != len(k.Text) {
			continue
		}
		if _, taken := index[r]; !taken {
			index[r] = i
		}
	}
	return index
}

func indexShifted(all []Key) map[string]int {
	index := map[string]int{}
	for i, k := range all {
		if k.Shifted {
			index[k.Code] = i
		}
	}
	return index
}
