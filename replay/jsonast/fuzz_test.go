package jsonast

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// FuzzParse checks that whatever is read is JSON, that the places of values lie in the text, and that an error is one plain line.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a": [1, true, null, "x"], "b": {}}`, `{"a": 1, "a": 2}`, "[[[[", "\ufeff{}", `"\ud800"`, "{\"a\x1b\": nul}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("no plain line: %q", err)
			}
			return
		}
		if !json.Valid(data) {
			t.Errorf("%q is no JSON", data)
		}
		var walk func(v *Value)
		walk = func(v *Value) {
			if v.Start < 0 || v.End > len(data) || v.Start >= v.End {
				t.Fatalf("a value at %d to %d of %d bytes", v.Start, v.End, len(data))
			}
			for _, i := range v.Items {
				walk(i)
			}
			for _, m := range v.Members {
				walk(m.Value)
			}
		}
		walk(v)
	})
}

// The time that an object takes to read grows with its size, and not with the square: this one would take minutes.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	for i := range 400_000 {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	b.WriteString(`"last":1}`)
	v, err := Parse([]byte(b.String()))
	if err != nil || len(v.Members) != 400_001 {
		t.Fatal(err)
	}
}
