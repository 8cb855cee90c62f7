// Package keymap turns key names and chords into the key events that a keyboard would make.
//
// Its one idea is a table. Every key of a US keyboard is a row of it: the name that the page sees (KeyboardEvent.key),
// the physical key (KeyboardEvent.code), the legacy key code, the side of the keyboard that it is on, and the text that
// it types. [Lookup] finds a row by name, [Text] by the character that a person wants to type, and [ParseChord] reads
// a chord such as "Ctrl+Shift+P". None of them guesses: a name that no key has is an [UnknownKeyError].
//
// [Press] writes down what happens when a person presses the key while holding modifiers: each modifier goes down,
// the key goes down and up, the modifiers come up in reverse. The caller only sends the events, in order.
//
// # Names
//
// Named keys are found by KeyboardEvent.key ("Enter"), by KeyboardEvent.code ("NumpadEnter", "KeyA", "ShiftRight") and by the
// short names that people and other tools use ("esc", "del", "pgup", "cmd"). Case does not matter in them. A name of one
// character is that character, and its case does matter: "A" is the A key with Shift held. Where several keys share one
// KeyboardEvent.key, its plain name means the key of the main block, or the left one ("Enter", "7", "Shift"); the
// others have the name of their code ("NumpadEnter", "Numpad7", "ShiftRight").
//
// # What the table assumes
//
// The layout is US, NumLock is on, and CapsLock is off. A character without a key on this layout ("é", "金", an emoji)
// has no events: text of that kind is inserted as an input method would do it, which is not a matter of keys.
// Names and codes are those of the W3C's UI Events KeyboardEvent key and code values, as far as a keyboard has a key for
// them; buttons that only remote controls, phones and television sets have are left out. A page in Chrome sees every
// key of the table: no key and no chord is kept back by the browser when it comes over the protocol.
package keymap
