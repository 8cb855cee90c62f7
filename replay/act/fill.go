package act

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// FillOptions say what to fill in and how.
type FillOptions struct {
	// Value is the complete text that the field is to hold.
	Value string
	// Append types only what is missing when the field already holds the beginning of Value, at its end. What is there
	// stays as it is, line breaks of an editable element included.
	Append bool
	// Keys types character by character with key events, for pages that listen to keys. Texts of more than 2000
	// characters, and characters that no key types, are inserted as a whole all the same.
	Keys bool
	// Enter presses Enter in the field afterwards.
	Enter bool
	// Stay leaves the focus in the field. Without it (and without Enter) the field is left, so that the page sees
	// change and blur. A list of suggestions that closes on blur needs it.
	Stay bool
}

// longText is the length from which a text is inserted as a whole in any case, in characters.
const longText = 2000

// Fill replaces the whole value of the field the way a person would: it takes the focus, marks what is there, and
// types over it, so that the page sees beforeinput, input and, when the field is left, change. Dates, times, colours
// and sliders have no text to type; they are set, and the page is told with input and change events. A field that has
// the value already is not typed in.
//
// The field is read back before it is left and a frame later. Errors are [NotReady], [Stale], [Unconfirmed], and
// [ValueRejected] when the field holds something else.
func Fill(ctx context.Context, e Element, o FillOptions) (Report, error) {
	start := time.Now()
	h, err := hold(ctx, e)
	if err != nil {
		return Report{}, verdict(ctx, err, nil)
	}
	defer h.release(ctx)
	var r Report
	a, err := h.edit(ctx, o.Append, &r)
	if err == nil && h.Ready != nil {
		h.ready(ctx)
		a, err = h.edit(ctx, o.Append, &r) // the focus may have gone elsewhere meanwhile
	}
	r.Times.Ready = time.Since(start)
	if err != nil {
		return r, err
	}
	r.Before = a.Field.field()
	r.noteBusy(a)
	p := planFill(r.Before, a.Caret, o)
	r.note(p.note)
	if err := h.enter(ctx, p, o); err != nil {
		return r, err
	}
	err = h.finish(ctx, p, o, &r)
	r.Times.Act = time.Since(start) - r.Times.Ready
	return r, err
}

// edit waits until the field can be filled and has the focus. A field that takes the focus only by the pointer is
// clicked once.
func (h *handle) edit(ctx context.Context, keep bool, r *Report) (answer, error) {
	clicked := false
	return h.until(ctx, func(_ int, hurry bool) (answer, error) {
		a, err := h.run(ctx, "edit", map[string]any{"append": keep, "hurry": hurry})
		if err != nil || !a.Unfocused || clicked {
			return a, err
		}
		clicked = true
		c, err := Click(ctx, h.Element, ClickOptions{})
		if err != nil {
			return a, err
		}
		r.Point = c.Point
		r.note("clicked it, since it takes the focus only so")
		return h.run(ctx, "edit", map[string]any{"append": keep, "hurry": hurry})
	})
}

// way is how a value gets into a field.
type way int

const (
	leave  way = iota // it is there already
	insert            // type the text
	erase             // delete what is there
	assign            // set it as a whole
)

type fillPlan struct {
	way  way
	text string
	note string
}

// planFill decides what to type. caret says that the caret stands at the end of what is there, with nothing marked.
func planFill(f FieldState, caret bool, o FillOptions) fillPlan {
	switch {
	case same(f, o.Value):
		return fillPlan{way: leave, note: "it had the value already"}
	case f.Kind == KindAssigned:
		return fillPlan{way: assign, text: o.Value}
	case o.Value == "":
		return fillPlan{way: erase}
	case caret:
		if rest, ok := missing(f, o.Value); ok {
			return fillPlan{way: insert, text: rest}
		}
		return fillPlan{way: insert, text: o.Value, note: replaceNote}
	}
	return fillPlan{way: insert, text: o.Value}
}

const replaceNote = "it did not hold the beginning of the value; replaced all of it"

// missing is what has to be added to the field's text to make it the value.
func missing(f FieldState, want string) (string, bool) {
	if rest, ok := strings.CutPrefix(want, f.Value); ok {
		return rest, true
	}
	if f.Kind != KindRich {
		return "", false
	}
	for _, have := range []string{richText(f.Text), richText(f.Value)} {
		if rest, ok := strings.CutPrefix(richText(want), have); ok {
			return rest, true
		}
	}
	return strings.CutPrefix(squeeze(want), squeeze(f.Value))
}

// enter puts the value in.
func (h *handle) enter(ctx context.Context, p fillPlan, o FillOptions) error {
	if p.note == replaceNote {
		a, err := h.run(ctx, "edit", map[string]any{"hurry": true})
		if err != nil {
			return verdict(ctx, err, nil)
		}
		if a.State != ready {
			return a.notReady()
		}
	}
	var err error
	switch p.way {
	case leave:
		return nil
	case assign:
		var a answer
		if a, err = h.run(ctx, "assign", map[string]any{"value": p.text}); err == nil && a.State != ready {
			if a.State == Detached {
				return gone(a)
			}
			return a.notReady()
		}
	case erase:
		err = h.keys(ctx, "Backspace")
	case insert:
		err = h.text(ctx, p.text, o.Keys && len([]rune(p.text)) <= longText)
	}
	if err != nil {
		return &Unconfirmed{Err: err}
	}
	return nil
}

// finish leaves the field, or presses Enter in it, and judges what it holds.
func (h *handle) finish(ctx context.Context, p fillPlan, o FillOptions, r *Report) error {
	a, err := h.runBriefly(ctx, "typed", map[string]any{"leave": !o.Enter && !o.Stay}, !o.Enter)
	if err != nil {
		if stale(err) {
			r.note("the page left after the value was filled in")
			return nil
		}
		return &Unconfirmed{Err: fmt.Errorf("reading the field back: %w", err)}
	}
	if a.Gone && a.Field.Tag == "" {
		r.note("the field was gone after the value was filled in")
		return nil
	}
	typed, after := a.Field.field(), a.After.field()
	r.After = after
	note, rejected := judge(r.Before, typed, after, a.Gone, o.Value)
	r.note(note)
	if rejected != nil {
		return rejected
	}
	if !o.Enter {
		return nil
	}
	if err := h.keys(ctx, "Enter"); err != nil && !stale(err) {
		return &Unconfirmed{Err: err}
	}
	return nil
}

// judge compares what the field held when the typing ended, and a frame after it was left, with what was asked for.
// A page may take a good value and change it for its own reasons (a tag field empties itself); it may not put the old
// one back.
func judge(before, typed, after FieldState, gone bool, want string) (note string, rejected error) {
	first := compare(typed, want)
	if gone {
		if !first.ok {
			return "", &ValueRejected{Want: want, Got: typed.Value, Why: first.why}
		}
		return "the field went away after the value was filled in", nil
	}
	last := compare(after, want)
	switch {
	case last.ok:
		return last.note, nil
	case after.Value == before.Value && before.Value != "":
		return "", &ValueRejected{Want: want, Got: after.Value, Why: "the page put the old value back"}
	case !first.ok:
		return "", &ValueRejected{Want: want, Got: after.Value, Why: last.why}
	case after.Value == "":
		return "the page emptied the field afterwards", nil
	}
	return "the page changed the value when the field was left", nil
}
