package act

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestObjectsAreLetGoOfTogether: the objects of many actions cost one command, and none is let go of while an action still
// needs its own.
func TestObjectsAreLetGoOfTogether(t *testing.T) {
	f := &fake{}
	e := element(f)
	e.Objects = new(Objects)
	const group = "Runtime.releaseObjectGroup"
	for range maxHeld - 1 {
		if _, err := ReadField(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	outer, err := hold(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadField(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if n := f.count(group); n != 0 {
		t.Errorf("let go %d times while a handle was in use", n)
	}
	outer.release(t.Context())
	if n := f.count(group); n != 1 {
		t.Errorf("let go %d times, want once", n)
	}
	if n := f.count("Runtime.releaseObject"); n != 0 {
		t.Errorf("%d objects were let go of alone", n)
	}
}

// TestObjectsAreUsedAgain: an element is resolved once for several actions, and again in another world or when its object was let
// go of.
func TestObjectsAreUsedAgain(t *testing.T) {
	f := &fake{}
	e := element(f)
	e.Objects = new(Objects)
	const resolve = "DOM.resolveNode"
	for i, step := range []struct {
		with func()
		want int
	}{
		{func() {}, 1},
		{func() {}, 1},
		{func() { e.Backend++ }, 2},
		{func() { e.World++ }, 3},
		{func() { e.Objects.used = maxHeld - 1 }, 3},
		{func() {}, 4},
	} {
		step.with()
		if _, err := ReadField(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if n := f.count(resolve); n != step.want {
			t.Errorf("resolved %d times after action %d, want %d", n, i+1, step.want)
		}
	}
}

// TestObjectsThatAreGoneAreForgotten: an object that the browser has not any more is no reason to fail a second time.
func TestObjectsThatAreGoneAreForgotten(t *testing.T) {
	lost := false
	f := &fake{fault: func(_ context.Context, command string, n int) (any, error) {
		if lost && strings.HasPrefix(command, "Runtime.callFunctionOn") {
			return nil, errGone
		}
		return nil, nil
	}}
	e := element(f)
	e.Objects = new(Objects)
	for i, want := range []struct {
		lost  bool
		calls int
	}{{false, 1}, {true, 1}, {false, 2}} {
		lost = want.lost
		if _, err := ReadField(t.Context(), e); errors.As(err, new(*Stale)) != lost {
			t.Errorf("action %d: %v", i+1, err)
		}
		if n := f.count("DOM.resolveNode"); n != want.calls {
			t.Errorf("resolved %d times after action %d, want %d", n, i+1, want.calls)
		}
	}
}

// TestMeanwhile: what is done meanwhile comes after the input and before the wait that ends an action.
func TestMeanwhile(t *testing.T) {
	fill := func(ctx context.Context, e Element) error {
		_, err := Fill(ctx, e, FillOptions{Value: "new"})
		return err
	}
	choose := func(ctx context.Context, e Element) error {
		_, err := Select(ctx, e, []Choice{{Value: "b"}})
		return err
	}
	options := func(selected int) map[string]any {
		var list []any
		for i, v := range []string{"a", "b"} {
			list = append(list, map[string]any{"value": v, "label": v, "selected": i == selected})
		}
		return map[string]any{"kind": "select", "tag": "select", "options": list}
	}
	text := func(value string) map[string]any {
		return map[string]any{"kind": "text", "tag": "input", "value": value}
	}
	for _, c := range []struct {
		name          string
		do            func(context.Context, Element) error
		before, after map[string]any
		late          error // of the last operation
		changed       bool  // the document, meanwhile
		want          []string
		still         bool
	}{
		{"fill", fill, text("old"), text("new"), nil, false, []string{"typed", "meanwhile", "later"}, true},
		{"fill, and the page changes", fill, text("old"), text("new"), nil, true, []string{"typed", "meanwhile", "later"}, false},
		{"fill, and the page leaves", fill, text("old"), text("new"), errGone, false, []string{"typed", "meanwhile", "later"}, false},
		{"select", choose, options(0), options(1), nil, false, []string{"choose", "meanwhile", "later"}, true},
		{"select, and the page leaves", choose, options(0), options(1), errGone, false, []string{"choose", "meanwhile", "later"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{field: c.before}
			f.fault = func(_ context.Context, command string, _ int) (any, error) {
				switch op := strings.TrimPrefix(command, "Runtime.callFunctionOn "); op {
				case "typed", "choose":
					return value(map[string]any{"state": "ready", "field": c.after}), nil
				case "later":
					return value(map[string]any{"state": "ready", "after": c.after, "changed": c.changed}), c.late
				}
				return nil, nil
			}
			e := element(f)
			var told []bool
			e.Meanwhile = func() func(bool) {
				f.sent = append(f.sent, "meanwhile")
				return func(still bool) { told = append(told, still) }
			}
			if err := c.do(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range f.sent {
				if s = strings.TrimPrefix(s, "Runtime.callFunctionOn "); slices.Contains([]string{"typed", "choose", "meanwhile", "later"}, s) {
					got = append(got, s)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]bool{c.still}, told); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestLibraryIsSentOnce: the text of the library goes to a document that does not have it yet, and to no other.
func TestLibraryIsSentOnce(t *testing.T) {
	f := &fake{}
	f.fault = func(_ context.Context, command string, n int) (any, error) {
		if command == "Runtime.callFunctionOn read" && n == 0 {
			return value(map[string]any{"state": "unknown"}), nil
		}
		return nil, nil
	}
	for range 2 {
		if _, err := ReadField(t.Context(), element(f)); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.count("Runtime.callFunctionOn read"); n != 3 {
		t.Errorf("%d calls, want one that finds no library, the same again with it, and one more", n)
	}
}
