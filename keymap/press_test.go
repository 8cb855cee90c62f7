package keymap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/google/go-cmp/cmp"
)

// line writes an event on one line: type, key, code, key code, modifiers, then what else is set.
func line(e input.DispatchKeyEventParams) string {
	s := fmt.Sprintf("%s %s %s %d [%s]", e.Type, e.Key, e.Code, e.WindowsVirtualKeyCode, strings.Join(Modifiers(e.Modifiers).Names(), " "))
	if e.Text != "" {
		s += fmt.Sprintf(" text=%q/%q", e.Text, e.UnmodifiedText)
	}
	if e.Location != 0 {
		s += fmt.Sprintf(" location=%d", e.Location)
	}
	if e.IsKeypad != nil {
		s += fmt.Sprintf(" keypad=%v", *e.IsKeypad)
	}
	if e.Commands != nil {
		s += fmt.Sprintf(" commands=%v", e.Commands)
	}
	if e.AutoRepeat != nil {
		s += " repeat"
	}
	return s
}

func TestPress(t *testing.T) {
	for _, test := range []struct {
		name  string
		chord string
		mac   bool
		want  []string
	}{
		{"character", "a", false, []string{
			`keyDown a KeyA 65 [] text="a"/"a"`,
			`keyUp a KeyA 65 []`,
		}},
		{"capital letter holds Shift", "A", false, []string{
			`rawKeyDown Shift ShiftLeft 16 [shift] location=1`,
			`keyDown A KeyA 65 [shift] text="A"/"A"`,
			`keyUp A KeyA 65 [shift]`,
			`keyUp Shift ShiftLeft 16 [] location=1`,
		}},
		{"Shift changes the character", "Shift+1", false, []string{
			`rawKeyDown Shift ShiftLeft 16 [shift] location=1`,
			`keyDown ! Digit1 49 [shift] text="!"/"!"`,
			`keyUp ! Digit1 49 [shift]`,
			`keyUp Shift ShiftLeft 16 [] location=1`,
		}},
		{"Enter", "Enter", false, []string{
			`keyDown Enter Enter 13 [] text="\r"/"\r"`,
			`keyUp Enter Enter 13 []`,
		}},
		{"Shift with Enter types", "Shift+Enter", false, []string{
			`rawKeyDown Shift ShiftLeft 16 [shift] location=1`,
			`keyDown Enter Enter 13 [shift] text="\r"/"\r"`,
			`keyUp Enter Enter 13 [shift]`,
			`keyUp Shift ShiftLeft 16 [] location=1`,
		}},
		{"keypad", "NumpadEnter", false, []string{
			`keyDown Enter NumpadEnter 13 [] text="\r"/"\r" keypad=true`,
			`keyUp Enter NumpadEnter 13 [] keypad=true`,
		}},
		{"no text", "Escape", false, []string{
			`rawKeyDown Escape Escape 27 []`,
			`keyUp Escape Escape 27 []`,
		}},
		{"ctrl types nothing", "Ctrl+a", false, []string{
			`rawKeyDown Control ControlLeft 17 [ctrl] location=1`,
			`rawKeyDown a KeyA 65 [ctrl]`,
			`keyUp a KeyA 65 [ctrl]`,
			`keyUp Control ControlLeft 17 [] location=1`,
		}},
		{"all modifiers in order", "Meta+Shift+Alt+Ctrl+p", false, []string{
			`rawKeyDown Control ControlLeft 17 [ctrl] location=1`,
			`rawKeyDown Alt AltLeft 18 [alt ctrl] location=1`,
			`rawKeyDown Shift ShiftLeft 16 [alt ctrl shift] location=1`,
			`rawKeyDown Meta MetaLeft 91 [alt ctrl meta shift] location=1`,
			`rawKeyDown P KeyP 80 [alt ctrl meta shift]`,
			`keyUp P KeyP 80 [alt ctrl meta shift]`,
			`keyUp Meta MetaLeft 91 [alt ctrl shift] location=1`,
			`keyUp Shift ShiftLeft 16 [alt ctrl] location=1`,
			`keyUp Alt AltLeft 18 [ctrl] location=1`,
			`keyUp Control ControlLeft 17 [] location=1`,
		}},
		{"modifier as the key", "Shift", false, []string{
			`rawKeyDown Shift ShiftLeft 16 [shift] location=1`,
			`keyUp Shift ShiftLeft 16 [] location=1`,
		}},
		{"modifier as the key, held too", "Ctrl+ControlRight", false, []string{
			`rawKeyDown Control ControlRight 17 [ctrl] location=2`,
			`keyUp Control ControlRight 17 [] location=2`,
		}},
		{"macOS command", "Meta+A", true, []string{
			`rawKeyDown Meta MetaLeft 91 [meta] location=1`,
			`rawKeyDown a KeyA 65 [meta] commands=[selectAll]`,
			`keyUp a KeyA 65 [meta]`,
			`keyUp Meta MetaLeft 91 [] location=1`,
		}},
		{"macOS command that depends on Shift", "Meta+Shift+z", true, []string{
			`rawKeyDown Shift ShiftLeft 16 [shift] location=1`,
			`rawKeyDown Meta MetaLeft 91 [meta shift] location=1`,
			`rawKeyDown Z KeyZ 90 [meta shift] commands=[redo]`,
			`keyUp Z KeyZ 90 [meta shift]`,
			`keyUp Meta MetaLeft 91 [shift] location=1`,
			`keyUp Shift ShiftLeft 16 [] location=1`,
		}},
		{"macOS without a command", "Meta+k", true, []string{
			`rawKeyDown Meta MetaLeft 91 [meta] location=1`,
			`rawKeyDown k KeyK 75 [meta]`,
			`keyUp k KeyK 75 [meta]`,
			`keyUp Meta MetaLeft 91 [] location=1`,
		}},
		{"macOS text needs no command", "Enter", true, []string{
			`keyDown Enter Enter 13 [] text="\r"/"\r"`,
			`keyUp Enter Enter 13 []`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, mods, err := ParseChord(test.chord)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range Press(k, mods, test.mac) {
				got = append(got, line(e))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events of %s (-want +got):\n%s", test.chord, diff)
			}
		})
	}
}

// TestPressBalance checks for every key and every set of modifiers that what goes down comes up, and that nothing is
// held in the end.
func TestPressBalance(t *testing.T) {
	for _, k := range Keys() {
		for mods := range Modifiers(16) {
			down := map[string]int{}
			events := Press(k, mods, false)
			for _, e := range events {
				name := e.Code + "/" + e.Key
				if e.Type == input.DispatchKeyEventTypeKeyUp {
					down[name]--
				} else {
					down[name]++
				}
			}
			for name, n := range down {
				if n != 0 {
					t.Errorf("%s+%s: %s is %+d times down", mods, k.Key, name, n)
				}
			}
			if last := events[len(events)-1]; last.Modifiers != 0 {
				t.Errorf("%s+%s: ends with modifiers %v held", mods, k.Key, Modifiers(last.Modifiers))
			}
		}
	}
}
