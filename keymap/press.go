package keymap

import (
	"strings"

	"github.com/chromedp/cdproto/input"
)

// Press returns the events of a person who presses the key once while holding the modifiers, in the order in which they
// must be sent: the modifiers go down (ctrl, alt, shift, meta), the key goes down and up, the modifiers come up in reverse.
//
// A key that needs Shift ("A", "!") holds it even when mods does not have it. Every event carries the modifiers that are down
// while it happens, as a real keyboard reports them: a modifier's own flag is set in its keydown and clear in its
// keyup. A key types its text with the keydown unless ctrl, alt or meta is held; then it is a command, and types nothing.
// With Shift it types its upper character. Nothing repeats by itself.
//
// On macOS (mac is set, and means the system that the browser runs on) the system, not the browser, turns editing
// shortcuts into commands; the protocol bypasses the system, so the keydown carries them.
func Press(k Key, mods Modifiers, mac bool) []input.DispatchKeyEventParams {
	if k.Shifted {
		mods |= Shift
	}
	mods &^= k.Modifier // a modifier key is pressed once, as itself
	var events, ups []input.DispatchKeyEventParams
	var held Modifiers
	for _, h := range heldModifiers {
		if mods&h.flag == 0 {
			continue
		}
		m := keys[byName[strings.ToLower(h.code)]]
		before := held
		held |= h.flag
		events = append(events, event(input.DispatchKeyEventTypeRawKeyDown, m, held))
		ups = append(ups, event(input.DispatchKeyEventTypeKeyUp, m, before))
	}
	if mods&Shift != 0 {
		k = shiftedKey(k)
	}
	down := event(input.DispatchKeyEventTypeRawKeyDown, k, held|k.Modifier)
	if k.Text != "" && mods&(Ctrl|Alt|Meta) == 0 {
		down.Type = input.DispatchKeyEventTypeKeyDown // keydown with text: the browser adds the keypress
		down.Text = k.Text
		down.UnmodifiedText = k.Text
	}
	if mac {
		down.Commands = macCommands(k, mods)
	}
	events = append(events, down, event(input.DispatchKeyEventTypeKeyUp, k, held))
	for i := len(ups) - 1; i >= 0; i-- {
		events = append(events, ups[i])
	}
	return events
}

// event returns an event of the key without text. The protocol takes the sides of a keyboard as locations, and the keypad as a
// flag of its own.
func event(kind input.DispatchKeyEventType, k Key, held Modifiers) input.DispatchKeyEventParams {
	e := input.DispatchKeyEventParams{
		Type:                  kind,
		Modifiers:             int64(held),
		Key:                   k.Key,
		Code:                  k.Code,
		WindowsVirtualKeyCode: int64(k.KeyCode),
	}
	if k.Keypad {
		e.IsKeypad = new(true)
	} else {
		e.Location = int64(k.Location)
	}
	return e
}
