package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCredentialsInsideValues(t *testing.T) {
	value := `{"key-that-is-long-1": "value-1234", "list": ["value-1234", {"deep": "value-5678", "not-a-value-9": 9}, "short"], "value-as-key-1": {}}`
	s := &State{Origins: []Origin{{LocalStorage: []Item{{"a", value}, {"b", `"text-1234" trailing`}}}}}
	want := []string{value, "value-1234", "value-5678", `"text-1234" trailing`}
	if diff := cmp.Diff(want, s.Credentials()); diff != "" {
		t.Error(diff)
	}
}

// A file with more credentials than outputs are searched for is refused, wherever they stand, and is not read to its end.
func TestTooManyCredentials(t *testing.T) {
	list := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	inside := func(n int) string {
		value, err := json.Marshal("[" + list(n, `"secret-%d"`) + "]")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"origins": [{"origin": "http://a.test", "localStorage": [{"name": "n", "value": %s}]}]}`, value)
	}
	origins := func(n int) string {
		half := list(n/2, `{"name": "n", "value": "secret-%d"}`)
		return fmt.Sprintf(`{"origins": [{"origin": "http://a.test", "localStorage": [%s]}, {"origin": "http://b.test", "localStorage": [%s]}]}`, half, strings.ReplaceAll(half, "secret", "secret2"))
	}
	tests := []struct{ name, data, want string }{
		{"inside a value", inside(maxCredentials - 1), ""}, // the value itself is one more
		{"too many inside a value", inside(maxCredentials), "values that could be credentials"},
		{"many more inside a value", inside(50_000), "values that could be credentials"},
		{"of two origins", origins(maxCredentials), ""},
		{"too many of two origins", origins(maxCredentials + 2), "values that could be credentials"},
	}
	for _, tt := range tests {
		s, _, err := Parse([]byte(tt.data), "f")
		if (err == nil) != (tt.want == "") || err != nil && (s != nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
