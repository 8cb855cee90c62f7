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

// What is left of a value where an address was taken apart is masked, and an everyday word like it is not.
func TestMaskPartsOfAddresses(t *testing.T) {
	m := Mask(replay.Secrets{"Password": "Harbour#Walrus?Otter <7>", "Short": "abc#d"})
	for _, tt := range []struct{ in, want string }{
		{"http://host/missing?Harbour (404)", "http://host/missing?••• (404)"},
		{"http://host/?q=Harbour#", "http://host/?q=•••#"},
		{`{"url":"http://host/Harbour","urlFragment":"#Walrus?Otter%20\u003c7>"}`, `{"url":"http://host/•••","urlFragment":"•••"}`},
		{`body="{\"url\":\"http://host/?q=Harbour\"}"`, `body="{\"url\":\"http://host/?q=•••\"}"`},
		{"about:blank#Harbour#Walrus%3FOtter%20%3C7%3E", "about:blank#•••"},
		{"hash #Walrus?Otter <7> of the page", "hash ••• of the page"},
		{"Harbour lights, the Harbour", "Harbour lights, the Harbour"},
		{"http://host/Harbours?Harbour-view", "http://host/Harbours?Harbour-view"},
		{"http://host/?q=abc", "http://host/?q=abc"}, // three letters tell nothing
	} {
		if got := m.String(tt.in); got != tt.want {
			t.Errorf("String(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

// Where a text was cut, also in its middle or in the midst of an escape, nothing is left of a value.
func TestMaskBothEndsOfCuts(t *testing.T) {
	m := Mask(replay.Secrets{"Password": `Harbour <42> Wälrus "Otter"`})
	for _, tt := range []struct{ in, want string }{
		{"Error: Harbour <42> W…s \"Otter\" at x.js", "Error: •••…••• at x.js"},
		{`{"value":"Error: Harbour <42>\u2026rus \"Otter\" at"}`, `{"value":"Error: •••\u2026••• at"}`},
		{"http://h/?q=Harbour%20%3…", "http://h/?q=•••…"},
		{"http://h/?q=Harbour%20%3C42%3E%20W%C3…", "http://h/?q=•••…"},
		{`body="{\"v\":\"Harbour \\u00…"`, `body="{\"v\":\"•••…"`},
		{"…C42%3E%20W%C3%A4lrus%20%22Otter%22&x=1", "…•••&x=1"},
		{"Har… and …er\"", "Har… and …er\""},
		{"one … two", "one … two"},
		{"100%… 5%…", "100%… 5%…"},
	} {
		if got := m.String(tt.in); got != tt.want {
			t.Errorf("String(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}
