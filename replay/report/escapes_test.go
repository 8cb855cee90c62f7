package report

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"retrace/replay"
)

// A value is masked whatever part of it is escaped, and however often.
func TestMaskEscapes(t *testing.T) {
	const value = "päss wort&<\"'>%=/+?#ẞ😀"
	m := Mask(replay.Secrets{"Password": value, "Path": `C:\new\user`})
	nested := `{"value":` + strconv.Quote(value) + `}`
	for range 3 {
		data, err := json.Marshal(nested)
		if err != nil {
			t.Fatal(err)
		}
		nested = string(data)
	}
	tests := []struct{ in, want string }{
		// As Chrome writes it into the path, the query and the fragment of one address.
		{`http://host/x/p%C3%A4ss%20wort&%3C%22'%3E%=/+?#%E1%BA%9E%F0%9F%98%80 (404)`, "http://host/x/••• (404)"},
		{`?q=p%c3%a4ss wort%26<%22%27>%25%3d/%2b?%23ẞ%f0%9f%98%80&x=%20`, "?q=•••&x=%20"},
		{`{"url":"/p%C3%A4ss%20wort\u0026%3C%22'%3E%=/+?#%E1%BA%9E\ud83d\ude00"}`, `{"url":"/•••"}`},
		{`body="{\"value\":\"p\\u00e4ss wort&<\\\"'>%=/+?#\\u1e9e\\ud83d\\ude00\"}"`, `body="{\"value\":\"•••\"}"`},
		{`"C:\\\\new\\\\user"`, `"•••"`},
		{`/p%C3%A4ss%20wo… and "p\\u00e4ss wo…`, `/•••… and "•••…`},
		{`100% \u00e4 %zz \ %C3 \u12`, `100% \u00e4 %zz \ %C3 \u12`},
	}
	if got := m.String(nested); !strings.Contains(got, "•••") || strings.Contains(got, "wort") {
		t.Errorf("String(%q) = %q", nested, got)
	}
	for _, tt := range tests {
		if got := m.String(tt.in); got != tt.want {
			t.Errorf("String(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}
