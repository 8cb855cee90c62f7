package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"

	"retrace/keymap"
)

// acting reports whether a command of the fake does something to a page; letting go of a button or a key ends what was begun.
func acting(command string) bool {
	switch command {
	case released, "Input.dispatchKeyEvent keyUp":
		return false
	case "DOM.setFileInputFiles":
		return true
	}
	return strings.HasPrefix(command, "Input.") ||
		slices.Contains([]string{"edit", "assign", "choose", "focus"}, strings.TrimPrefix(command, "Runtime.callFunctionOn "))
}

// Whatever goes wrong with whichever command of an action, an action that fails has not acted after the fault.
func TestNothingIsDoneAfterAFault(t *testing.T) {
	text := map[string]any{"kind": "text", "tag": "input", "type": "text", "value": "", "maxLength": -1}
	list := map[string]any{"kind": "select", "tag": "select"}
	date := map[string]any{"kind": "set", "tag": "input", "type": "date", "value": ""}
	actions := map[string]struct {
		field map[string]any
		do    func(ctx context.Context, f *fake) error
	}{
		"click": {nil, func(ctx context.Context, f *fake) error { _, err := Click(ctx, element(f), ClickOptions{}); return err }},
		"hover": {nil, func(ctx context.Context, f *fake) error { _, err := Hover(ctx, element(f)); return err }},
		"fill": {text, func(ctx context.Context, f *fake) error {
			_, err := Fill(ctx, element(f), FillOptions{Value: "Ada"})
			return err
		}},
		"date": {date, func(ctx context.Context, f *fake) error {
			_, err := Fill(ctx, element(f), FillOptions{Value: "2026-01-02"})
			return err
		}},
		"select": {list, func(ctx context.Context, f *fake) error {
			_, err := Select(ctx, element(f), []Choice{{Value: "a", Label: "A"}})
			return err
		}},
		"press": {nil, func(ctx context.Context, f *fake) error {
			e := element(f)
			_, err := Press(ctx, &e, "a", keymap.Modifiers(0))
			return err
		}},
		"pick": {list, func(ctx context.Context, f *fake) error { _, err := PickByKeys(ctx, element(f), "a"); return err }},
	}
	faults := map[string]func(ctx context.Context) (any, error){
		"stale":    func(context.Context) (any, error) { return nil, errGone },
		"refused":  func(context.Context) (any, error) { return nil, &cdproto.Error{Code: -32000, Message: "refused"} },
		"broken":   func(context.Context) (any, error) { return nil, errors.New("pipe broke") },
		"dropped":  never,
		"nonsense": func(context.Context) (any, error) { return []any{1, nil}, nil },
	}
	for name, action := range actions {
		try := func(fault func(ctx context.Context, n int) (any, error)) ([]string, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
			defer cancel()
			n := -1
			f := &fake{field: action.field, fault: func(ctx context.Context, _ string, _ int) (any, error) {
				n++
				return fault(ctx, n)
			}}
			err := action.do(ctx, f)
			return f.sent, err
		}
		usual, _ := try(func(context.Context, int) (any, error) { return nil, nil })
		if len(usual) == 0 {
			t.Errorf("%s sends nothing", name)
		}
		for kind, fault := range faults {
			for at := range usual {
				t.Run(fmt.Sprintf("%s/%s/%d %s", name, kind, at, usual[at]), func(t *testing.T) {
					sent, err := try(func(ctx context.Context, n int) (any, error) {
						if n == at {
							return fault(ctx)
						}
						return nil, nil
					})
					if err == nil || len(sent) <= at {
						return
					}
					if i := slices.IndexFunc(sent[at+1:], acting); i >= 0 {
						t.Errorf("%q was sent after the fault, and the action failed: %v\n%q", sent[at+1+i], err, sent)
					}
				})
			}
		}
	}
}
