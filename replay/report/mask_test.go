package report

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
)

func TestMaskString(t *testing.T) {
	m := Mask(replay.Secrets{"Password": "harbour 42", "Longer": "harbour 42 and \"more\"", "Country": "NL", "Name": "Jörg", "Code": "a+b/c d"})
	tests := []struct{ in, want string }{
		{"fill harbour 42 in", "fill ••• in"},
		{"/?pw=harbour+42&x=1", "/?pw=•••&x=1"},
		{"/harbour%2042/", "/•••/"},
		{`harbour 42 and "more"`, "•••"},
		{`{"v":"harbour 42 and \"more\""}`, `{"v":"•••"}`},
		{"country NL", "country NL"},
		{"J%C3%B6rg and Jörg", "••• and •••"},
		{"a%2Bb%2Fc+d a%2Bb%2Fc%20d a+b%2Fc%20d", "••• ••• •••"},
	}
	for _, tt := range tests {
		if got := m.String(tt.in); got != tt.want {
			t.Errorf("String(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// A text that was cut in the middle of a value does not tell its beginning.
func TestMaskCutValues(t *testing.T) {
	long := strings.Repeat("Harbour-42 ", 40)
	m := Mask(replay.Secrets{"Token": long, "Password": "Wal\"rus-17"})
	tests := []struct{ in, want string }{
		{"shown: " + long[:80] + "…", "shown: •••…"},
		{"shown: " + long[:80] + "… and " + long[:7] + "…", "shown: •••… and •••…"},
		{"one, Wal\"ru…", "one, •••…"},
		{`"one, Wal\"ru…"`, `"one, •••…"`},
		{"one, Wal…", "one, Wal…"}, // too short to tell anything
		{"walrus and WAL\"RUS-17", "walrus and •••"},
		{"…" + "tail", "…tail"},
	}
	for _, tt := range tests {
		if got := m.String(tt.in); got != tt.want {
			t.Errorf("String(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// A long value of one letter is no more work than another. Where it were, this test would not end.
func TestMaskLongValue(t *testing.T) {
	value := strings.Repeat("a", 1<<20)
	if got := Mask(nil, value).String("x" + value + "y"); got != "x"+Masked+"y" {
		t.Errorf("%d bytes", len(got))
	}
}

// Every string of an event is masked, whatever field it stands in: the event is filled by reflection, so that a new
// field cannot be forgotten.
func TestMaskEventCoversAllFields(t *testing.T) {
	const secret = "harbour-42"
	var e replay.Event
	fillStrings(reflect.ValueOf(&e).Elem(), secret, 0)
	before, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(before), secret); n < 30 {
		t.Fatalf("only %d places hold the secret, the test checks nothing", n)
	}
	after, err := json.Marshal(Mask(replay.Secrets{"x": secret}).Event(e))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(after), secret) {
		t.Errorf("the secret is left in %s", after)
	}
	again, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(again)); diff != "" {
		t.Errorf("masking changed its argument:\n%s", diff)
	}
}

// fillStrings sets every plain string below v, with one element in each slice and map.
func fillStrings(v reflect.Value, s string, depth int) {
	if depth > 12 || v.Type() == timeType {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString("a " + s + " b")
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillStrings(v.Elem(), s, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillStrings(v.Index(0), s, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			fillStrings(v.Field(i), s, depth+1)
		}
	}
}

func TestMaskKeepsOurWords(t *testing.T) {
	e := replay.Event{Kind: replay.StepFinished, Time: time.Unix(1, 0), Step: &replay.StepResult{Verdict: replay.Passed, Title: "passed"}}
	got := Mask(replay.Secrets{"x": "passed", "y": "step_finished"}).Event(e)
	if got.Kind != replay.StepFinished || got.Step.Verdict != replay.Passed || !got.Time.Equal(e.Time) {
		t.Errorf("masking changed a word of ours or a time: %+v", got)
	}
	if got.Step.Title != Masked {
		t.Errorf("title %q", got.Step.Title)
	}
}

func TestMaskWriter(t *testing.T) {
	var b bytes.Buffer
	m := Mask(replay.Secrets{"x": "say \"hi\""})
	slog.New(slog.NewTextHandler(m.Writer(&b), nil)).Info("typed", "value", `say "hi"`)
	if strings.Contains(b.String(), "hi") || !strings.Contains(b.String(), Masked) {
		t.Errorf("log line %q", b.String())
	}
}

func TestNilMasker(t *testing.T) {
	var m *Masker
	if got := m.String("harbour-42"); got != "harbour-42" {
		t.Errorf("nil masker gives %q", got)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("harbour-42", "the field holds harbour-42", "pw=harbour-42&x")
	f.Add("a b", "a+b a%20b", "")
	f.Add("\"q\"", "{\"v\":\"\\\"q\\\"\"}", "")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		got := Mask(replay.Secrets{"x": secret}).String(before + secret + after)
		if utf8.RuneCountInString(secret) < shortestMasked {
			if got != before+secret+after {
				t.Errorf("the short secret %q was masked in %q", secret, got)
			}
			return
		}
		if !strings.Contains(secret, "•") && strings.Contains(got, secret) {
			t.Errorf("secret %q is left in %q", secret, got)
		}
	})
}
