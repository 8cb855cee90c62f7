package act

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/dom"
	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	text := func(v string) FieldState {
		return FieldState{Kind: KindText, Tag: "input", Type: "text", Value: v, MaxLength: -1}
	}
	typed := func(kind Kind, typ, v string) FieldState {
		return FieldState{Kind: kind, Tag: "input", Type: typ, Value: v, MaxLength: -1}
	}
	tests := []struct {
		name string
		f    FieldState
		want string
		ok   bool
		note string
	}{
		{"same", text("a"), "a", true, ""},
		{"other", text("b"), "a", false, ""},
		{"empty", text(""), "a", false, ""},
		{"erased", text(""), "", true, ""},
		{"not erased", text("a"), "", false, ""},
		{"spaces added", text("4111 1111"), "41111111", true, "the page formatted the value"},
		{"brackets added", text("(555) 123-4567"), "5551234567", true, "the page formatted the value"},
		{"prefix added", text("+1 555"), "555", false, ""},
		{"point lost", text("1250"), "12.50", false, ""},
		{"digit lost", text("41-1"), "4111", false, ""},
		{"case changed", text("AB"), "ab", false, ""},
		{"punctuation alone", text("--"), "-", false, ""},
		{"password is never formatted", typed(KindText, "password", "a b"), "ab", false, ""},
		{"trimmed", text("a"), " a ", true, "the page trimmed the value"},
		{"number in another form", typed(KindText, "number", "7"), "07.0", true, ""},
		{"other number", typed(KindText, "number", "7"), "8", false, ""},
		{"range", typed(KindAssigned, "range", "50"), "50.0", true, ""},
		{"colour", typed(KindAssigned, "color", "#00ff00"), "#00FF00", true, ""},
		{"time with seconds", typed(KindAssigned, "time", "14:30"), "14:30:00", true, ""},
		{"time with other seconds", typed(KindAssigned, "time", "14:30"), "14:30:01", false, ""},
		{"date with a space", typed(KindAssigned, "datetime-local", "2026-08-10T14:30"), "2026-08-10 14:30:00.000", true, ""},
		{"line breaks", FieldState{Kind: KindText, Tag: "textarea", Value: "a\nb"}, "a\r\nb", true, ""},
		{"no-break space", FieldState{Kind: KindRich, Tag: "div", Value: "a\u00a0b", Text: "a\u00a0b\n"}, "a b", true, ""},
		{"blocks", FieldState{Kind: KindRich, Tag: "div", Value: "ab", Text: "a\nb"}, "ab", true, ""},
		{"rich and other", FieldState{Kind: KindRich, Tag: "div", Value: "ac", Text: "ac"}, "ab", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compare(tt.f, tt.want)
			if got.ok != tt.ok || got.note != tt.note || (got.why == "") != tt.ok {
				t.Errorf("got %+v, want ok %v, note %q", got, tt.ok, tt.note)
			}
		})
	}
}

func TestPlanFill(t *testing.T) {
	rich := FieldState{Kind: KindRich, Tag: "div", Value: "onetwo", Text: "one\ntwo"}
	tests := []struct {
		name  string
		f     FieldState
		caret bool
		want  string
		plan  fillPlan
	}{
		{"already", FieldState{Kind: KindText, Value: "a"}, false, "a", fillPlan{way: leave, note: "it had the value already"}},
		{"date", FieldState{Kind: KindAssigned, Type: "date"}, false, "2026-08-10", fillPlan{way: assign, text: "2026-08-10"}},
		{"erase", FieldState{Kind: KindText, Value: "a"}, false, "", fillPlan{way: erase}},
		{"replace", FieldState{Kind: KindText, Value: "a"}, false, "ab", fillPlan{way: insert, text: "ab"}},
		{"append", FieldState{Kind: KindText, Value: "a"}, true, "ab", fillPlan{way: insert, text: "b"}},
		{"append text content", rich, true, "onetwo three", fillPlan{way: insert, text: " three"}},
		{"append drawn text", rich, true, "one\ntwo three", fillPlan{way: insert, text: " three"}},
		{"append to something else", rich, true, "other", fillPlan{way: insert, text: "other", note: replaceNote}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := planFill(tt.f, tt.caret, FillOptions{Value: tt.want, Append: tt.caret}); got != tt.plan {
				t.Errorf("got %+v, want %+v", got, tt.plan)
			}
		})
	}
}

func TestStale(t *testing.T) {
	protocol := func(s string) error {
		return fmt.Errorf("doing: %w", &cdproto.Error{Code: -32000, Message: s})
	}
	tests := []struct {
		err         error
		stale, gone bool // gone: a function was running
	}{
		{protocol("Node with given id does not belong to the document"), true, false},
		{protocol("Could not find node with given id"), true, false},
		{protocol("Cannot find context with specified id"), true, false},
		{protocol("No node with given id found"), true, false},
		{protocol("Frame is detached"), true, false},
		{protocol("Execution context was destroyed."), true, true},
		{protocol("Inspected target navigated or closed"), true, true},
		{protocol("Invalid parameters"), false, false},
		{context.DeadlineExceeded, false, false},
		{errors.New("exit status 1"), false, false},
		{nil, false, false},
	}
	for _, tt := range tests {
		if got := stale(tt.err); got != tt.stale {
			t.Errorf("stale(%v) = %v", tt.err, got)
		}
		if got := interrupted(tt.err); got != tt.gone {
			t.Errorf("interrupted(%v) = %v", tt.err, got)
		}
	}
}

func TestMatch(t *testing.T) {
	options := []Option{
		{Value: "", Label: "Choose"}, {Value: "1", Label: "Red"}, {Value: "2", Label: "Green (12)"},
		{Value: "3", Label: "Blue", Disabled: true}, {Value: "4", Label: "Other"}, {Value: "5", Label: "Other"},
	}
	tests := []struct {
		c     Choice
		index int // -1: none
		weak  bool
		note  bool
		why   string
	}{
		{Choice{"1", "Red"}, 1, false, false, ""},
		{Choice{"1", ""}, 1, false, false, ""},
		{Choice{"", "Red"}, 1, false, false, ""},
		{Choice{"", "Choose"}, 0, false, false, ""},
		{Choice{"", ""}, 0, false, false, ""},
		{Choice{"9", " Red "}, 1, false, true, ""},
		{Choice{"2", "Red"}, 1, false, true, ""}, // numbered anew: the label is what the person saw
		{Choice{"2", "Green (9)"}, 2, false, true, ""},
		{Choice{"1", "Rot"}, 1, true, true, ""},
		{Choice{"3", "Blue"}, -1, false, false, "it is disabled"},
		{Choice{"4", "Other"}, 4, false, false, ""},
		{Choice{"", "Other"}, -1, false, false, "several options have this label"},
		{Choice{"9", "Pink"}, -1, false, false, ""},
		{Choice{"", "Pink"}, -1, false, false, ""},
	}
	for _, tt := range tests {
		p, ok, why := match(options, tt.c)
		if ok != (tt.index >= 0) || why != tt.why || (ok && p.index != tt.index) || p.weak != tt.weak || (p.note != "") != tt.note {
			t.Errorf("match(%+v) = %+v, %v, %q", tt.c, p, ok, why)
		}
	}
}

func TestAlignment(t *testing.T) {
	var got []string
	for n := range 6 {
		got = append(got, alignment(n, Covered))
	}
	if diff := cmp.Diff([]string{"", "end", "center", "start", "nearest", "end"}, got); diff != "" {
		t.Error(diff)
	}
	if a := alignment(3, Disabled); a != "" {
		t.Errorf("a disabled element is scrolled to %s", a)
	}
}

func TestRuns(t *testing.T) {
	var got []string
	for _, r := range runs("aé漢B\t\n!") {
		if r.key != nil {
			got = append(got, "key "+r.key.Key)
		} else {
			got = append(got, "text "+r.text)
		}
	}
	if diff := cmp.Diff([]string{"key a", "text é漢", "key B", "text \t", "key Enter", "key !"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCandidates(t *testing.T) {
	turned := dom.Quad{10, 0, 20, 10, 10, 20, 0, 10} // a square on its corner
	got := candidates([]dom.Quad{turned, {900, 0, 999, 0, 999, 10, 900, 10}, {1, 2}}, viewport{w: 100, h: 11})
	want := []Point{{10, 10}, {7, 7}, {12, 7}, {10, 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOutward(t *testing.T) {
	// A box of 100 by 50 with a border of 10, at (200, 100).
	straight := &dom.BoxModel{Width: 100, Height: 50, Border: dom.Quad{200, 100, 300, 100, 300, 150, 200, 150}, Content: dom.Quad{210, 110, 290, 110, 290, 140, 210, 140}}
	// The same turned by a quarter to the right and drawn twice as large.
	turned := &dom.BoxModel{Width: 100, Height: 50, Border: dom.Quad{300, 100, 300, 300, 200, 300, 200, 100}, Content: dom.Quad{280, 120, 280, 280, 220, 280, 220, 120}}
	tests := []struct {
		m    *dom.BoxModel
		want Point
		ok   bool
	}{
		{straight, Point{215, 117}, true},
		{turned, Point{280 - 14, 120 + 10}, true},
		{&dom.BoxModel{}, Point{}, false},
		{nil, Point{}, false},
	}
	for _, tt := range tests {
		if got, ok := outward(tt.m, Point{5, 7}); got != tt.want || ok != tt.ok {
			t.Errorf("got %v, %v, want %v", got, ok, tt.want)
		}
	}
}

func TestPatience(t *testing.T) {
	now := time.Now()
	ctx, cancel := context.WithDeadline(t.Context(), now.Add(8*time.Second))
	defer cancel()
	if got := patience(ctx, now); !got.Equal(now.Add(4 * time.Second)) {
		t.Errorf("with a deadline: %v", got.Sub(now))
	}
	if got := patience(context.Background(), now); !got.Equal(now.Add(10 * time.Second)) {
		t.Errorf("without: %v", got.Sub(now))
	}
}

func TestNothingTellsAValue(t *testing.T) {
	const secret = "hunter2"
	f := FieldState{Tag: "input", Type: "password", Value: secret, Text: secret}
	rejected := &ValueRejected{Want: secret, Got: secret, Why: "it is too long"}
	for _, v := range []any{f, &f, Report{Before: f, After: f}, rejected, fmt.Errorf("filling: %w", rejected)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, secret) {
				t.Errorf("%s: %s", verb, got)
			}
		}
	}
}
