package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"retrace/keymap"
)

// keyEvent is a key event as the page saw it.
type keyEvent struct {
	Type     string `json:"type"`
	Key      string `json:"key"`
	Code     string `json:"code"`
	Location int    `json:"location"`
	KeyCode  int    `json:"keyCode"`
	Repeat   bool   `json:"repeat"`
	Alt      bool   `json:"alt"`
	Ctrl     bool   `json:"ctrl"`
	Meta     bool   `json:"meta"`
	Shift    bool   `json:"shift"`
	Trusted  bool   `json:"trusted"`
}

// TestEveryKey presses every key of the table in Chrome and compares what a page sees with the table.
func TestEveryKey(t *testing.T) {
	page := openKeysPage(t)
	for _, k := range keymap.Keys() {
		t.Run(keyTitle(k), func(t *testing.T) {
			got := page.press(t, k, 0)
			if diff := cmp.Diff(wantEvents(k, 0), got); diff != "" {
				t.Errorf("events that the page saw (-table +page):\n%s", diff)
			}
		})
	}
}

// TestEveryKeyWithModifiers presses every key that types a character, and the keys that people use in shortcuts, with
// each set of modifiers.
func TestEveryKeyWithModifiers(t *testing.T) {
	page := openKeysPage(t)
	var chords []keymap.Key
	for _, name := range []string{"a", "z", "1", "/", " ", "Enter", "Escape", "Tab", "Backspace", "Delete", "ArrowLeft", "ArrowUp", "Home", "End", "PageDown", "F5", "Numpad7", "NumpadEnter"} {
		k, err := keymap.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		chords = append(chords, k)
	}
	for _, k := range chords {
		for mods := range keymap.Modifiers(16) {
			t.Run(mods.String()+"+"+keyTitle(k), func(t *testing.T) {
				got := page.press(t, k, mods)
				if diff := cmp.Diff(wantEvents(k, mods), got); diff != "" {
					t.Errorf("events that the page saw (-table +page):\n%s", diff)
				}
			})
		}
	}
}

// TestTyping types all characters of the keyboard into a text field.
func TestTyping(t *testing.T) {
	page := openKeysPage(t)
	page.evaluate(t, `window.allow = true`)
	const text = "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./ \n~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:\"ZXCVBNM<>?\nDone"
	for _, r := range text {
		k, ok := keymap.Text(r)
		if !ok {
			t.Fatalf("no key types %q", r)
		}
		page.send(t, keymap.Press(k, 0, false))
	}
	if got := page.value(t); got != text {
		t.Errorf("field holds %q, want %q", got, text)
	}
}

// TestKeypress checks which keys make a keypress, which is what submits a form or types.
func TestKeypress(t *testing.T) {
	page := openKeysPage(t)
	page.evaluate(t, `window.allow = true`)
	for _, test := range []struct {
		chord string
		want  bool
	}{
		{"a", true}, {"Shift+a", true}, {"Enter", true}, {"Shift+Enter", true}, {"NumpadEnter", true}, {"Space", true},
		{"Escape", false}, {"Backspace", false}, {"Delete", false}, {"ArrowLeft", false}, {"Shift", false},
		{"Ctrl+Enter", false}, {"Ctrl+a", false}, {"Alt+x", false}, {"Meta+k", false},
	} {
		t.Run(test.chord, func(t *testing.T) {
			k, mods, err := keymap.ParseChord(test.chord)
			if err != nil {
				t.Fatal(err)
			}
			got := false
			for _, e := range page.press(t, k, mods) {
				got = got || e.Type == "keypress"
			}
			if got != test.want {
				t.Errorf("keypress seen: %v, want %v", got, test.want)
			}
		})
	}
}

// TestMacCommands checks that the commands which macOS would send are ones that Chrome carries out. The protocol carries
// them on every system.
func TestMacCommands(t *testing.T) {
	page := openKeysPage(t)
	for _, test := range []struct {
		chords []string
		want   string
	}{
		{[]string{"Meta+A", "x"}, "x"},
		{[]string{"Alt+ArrowLeft", "x"}, "one two xthree"},
		{[]string{"Alt+Shift+ArrowLeft", "x"}, "one two x"},
		{[]string{"Meta+ArrowLeft", "x"}, "xone two three"},
		{[]string{"Meta+ArrowLeft", "Alt+ArrowRight", "x"}, "onex two three"},
		{[]string{"Meta+Shift+ArrowLeft", "x"}, "x"},
		{[]string{"Alt+Backspace"}, "one two "},
		{[]string{"Meta+Backspace"}, ""},
		{[]string{"Meta+ArrowUp", "Alt+Delete"}, " two three"},
		{[]string{"Ctrl+A", "Ctrl+K"}, ""},
		{[]string{"Ctrl+A", "Ctrl+F", "Ctrl+D"}, "oe two three"},
		{[]string{"Backspace"}, "one two thre"},
		{[]string{"ArrowLeft", "x"}, "one two threxe"},
		{[]string{"x", "Meta+Z"}, "one two three"},
		{[]string{"x", "Meta+Z", "Meta+Shift+Z"}, "one two threex"},
	} {
		t.Run(strings.Join(test.chords, " "), func(t *testing.T) {
			page.evaluate(t, `window.allow = true; field.value = "one two three"; field.setSelectionRange(99, 99)`)
			for _, spec := range test.chords {
				k, mods, err := keymap.ParseChord(spec)
				if err != nil {
					t.Fatal(err)
				}
				page.send(t, keymap.Press(k, mods, true))
			}
			if got := page.value(t); got != test.want {
				t.Errorf("field holds %q, want %q", got, test.want)
			}
		})
	}
}

// wantEvents is what a page must see when the key is pressed with the modifiers held and every event is prevented, so that no
// keypress follows.
func wantEvents(k keymap.Key, mods keymap.Modifiers) []keyEvent {
	var events []keyEvent
	for _, e := range keymap.Press(k, mods, false) {
		kind := "keydown"
		if e.Type == input.DispatchKeyEventTypeKeyUp {
			kind = "keyup"
		}
		location := int(e.Location)
		if e.IsKeypad != nil && *e.IsKeypad {
			location = keymap.Numpad
		}
		held := keymap.Modifiers(e.Modifiers)
		events = append(events, keyEvent{
			Type: kind, Key: e.Key, Code: e.Code, Location: location, KeyCode: int(e.WindowsVirtualKeyCode),
			Alt: held&keymap.Alt != 0, Ctrl: held&keymap.Ctrl != 0, Meta: held&keymap.Meta != 0, Shift: held&keymap.Shift != 0,
			Trusted: true,
		})
	}
	return events
}

// keyTitle names a key in test output.
func keyTitle(k keymap.Key) string {
	if k.Code == "" || k.Shifted {
		return k.Key
	}
	return k.Code
}

// keysPage is a tab that shows testdata/keys.html.
type keysPage struct{ ctx context.Context }

// openKeysPage starts Chrome and opens the page. The browser ends with the test.
func openKeysPage(t *testing.T) keysPage {
	t.Helper()
	path := chromePath(t)
	html, err := os.ReadFile("testdata/keys.html")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(html)
	}))
	t.Cleanup(server.Close)
	temporary, err := os.MkdirTemp("", "keys") // not t.TempDir: the path of Chrome's socket in it must stay short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temporary) })
	t.Setenv("TMPDIR", temporary)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.Flag("disable-features", "Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start browser: %v", err)
	}
	t.Cleanup(func() {
		closing, done := context.WithTimeout(ctx, 10*time.Second)
		defer done()
		if err := chromedp.Cancel(closing); err != nil {
			t.Logf("close browser: %v", err)
		}
	})
	p := keysPage{ctx: ctx}
	p.do(t, "focus emulation", func(ctx context.Context, s cdp.Session) error {
		_, err := cdp.Call(ctx, s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	})
	p.do(t, "open page", func(ctx context.Context, _ cdp.Session) error {
		return chromedp.Do(ctx, chromedp.Navigate(server.URL))
	})
	return p
}

// chromePath finds a browser, or skips the test.
func chromePath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chrome or Chromium in PATH")
	return ""
}

// do runs one thing against the tab within its own deadline.
func (p keysPage) do(t *testing.T, what string, f func(context.Context, cdp.Session) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		return chromedp.Void{}, f(ctx, target)
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func (p keysPage) send(t *testing.T, events []input.DispatchKeyEventParams) {
	t.Helper()
	for _, e := range events {
		p.do(t, "key "+e.Key, func(ctx context.Context, s cdp.Session) error {
			_, err := cdp.Call(ctx, s, input.DispatchKeyEvent, e)
			return err
		})
	}
}

// press sends the events of one key and returns those that the page saw.
func (p keysPage) press(t *testing.T, k keymap.Key, mods keymap.Modifiers) []keyEvent {
	t.Helper()
	p.evaluate(t, `window.seen = []`)
	p.send(t, keymap.Press(k, mods, false))
	var seen []keyEvent
	if err := json.Unmarshal([]byte(p.evaluate(t, `JSON.stringify(window.seen)`)), &seen); err != nil {
		t.Fatal(err)
	}
	return seen
}

func (p keysPage) value(t *testing.T) string {
	t.Helper()
	return p.evaluate(t, `document.getElementById("field").value`)
}

// evaluate runs a script in the page and returns its value as text.
func (p keysPage) evaluate(t *testing.T, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String(eval("+quoteScript(script)+"))"))
	if err != nil {
		t.Fatalf("evaluate %s: %v", script, err)
	}
	return text
}

func quoteScript(script string) string {
	quoted, _ := json.Marshal(script)
	return string(quoted)
}
