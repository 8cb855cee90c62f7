package jsonast

import (
	"errors"
	"strings"
	"testing"
)

// Every value is where it says it is.
func TestParsePlaces(t *testing.T) {
	const text = " {\n\t\"a\" : [1, -2.5e3,\"x\\\"ä\"],\n  \"b\":{\"c\": null , \"d\":true}, \"e\": [] }\n"
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		v    *Value
		kind Kind
		want string
	}{
		{"root", v, Object, strings.TrimSpace(text)},
		{"a", v.Get("a"), Array, `[1, -2.5e3,"x\"ä"]`},
		{"a[0]", v.Get("a").Items[0], Number, "1"},
		{"a[1]", v.Get("a").Items[1], Number, "-2.5e3"},
		{"a[2]", v.Get("a").Items[2], String, `"x\"ä"`},
		{"b", v.Get("b"), Object, `{"c": null , "d":true}`},
		{"b.c", v.Get("b").Get("c"), Null, "null"},
		{"b.d", v.Get("b").Get("d"), Bool, "true"},
		{"e", v.Get("e"), Array, "[]"},
	}
	for _, tt := range tests {
		if tt.v == nil {
			t.Errorf("%s is missing", tt.name)
			continue
		}
		if got := text[tt.v.Start:tt.v.End]; got != tt.want || tt.v.Kind != tt.kind {
			t.Errorf("%s is %s %q, want %s %q", tt.name, tt.v.Kind, got, tt.kind, tt.want)
		}
	}
	if got := v.Get("a").Items[2].Text; got != `x"ä` {
		t.Errorf("text %q", got)
	}
	if line, column := Position([]byte(text), v.Members[1].At); line != 3 || column != 3 {
		t.Errorf("b is at %d:%d, want 3:3", line, column)
	}
	if v.Get("z") != nil || (*Value)(nil).Get("a") != nil {
		t.Error("a key that is not there was found")
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "line 1, column 1: unexpected end of JSON input"},
		{"{\n  \"a\": 1,\n  \"a\": 2\n}", "line 3, column 3: the key \"a\" is there a second time"},
		{"[1,\n 2", "line 2, column 2: unexpected end of JSON input"},
		{"[1] [2]", "line 1, column 5: invalid character '[' after top-level value"},
		{"{\n \"a\": tru\n}", "line 2, column 10: invalid character"},
		{"{\"a\" 1}", "line 1, column 6: invalid character '1'"},
		{strings.Repeat("[", 200) + strings.Repeat("]", 200), "line 1, column 102: nested too deeply"},
	}
	for _, tt := range tests {
		_, err := Parse([]byte(tt.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("Parse(%.20q) = %v, want %s…", tt.text, err, tt.want)
		}
	}
}

// A file of more values than are read is refused before they are in memory.
func TestManyValues(t *testing.T) {
	for most, want := range map[int]error{4: errTooMany, 5: nil} {
		if _, err := parse([]byte(`{"a": [1, 2], "b": {}}`), most); err != want {
			t.Errorf("at most %d: %v, want %v", most, err, want)
		}
	}
	_, _, err := NewChecker([]byte("["+strings.Repeat("1,", maxValues)+"1]"), "f")
	if err == nil || err.Error() != "f: has more than 200000 values" {
		t.Error(err)
	}
}
