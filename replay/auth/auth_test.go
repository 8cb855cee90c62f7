package auth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// playwright is a file as Playwright writes it.
const playwright = `{
  "cookies": [
    {"name": "sid", "value": "s3cr3t-value", "domain": "shop.example", "path": "/", "expires": -1, "httpOnly": true, "secure": true, "sameSite": "Lax"},
    {"name": "old", "value": "g0ne-g0ne", "domain": ".shop.example", "path": "/a", "expires": 1700000000.5, "httpOnly": false, "secure": false, "sameSite": "None"},
    {"name": "later", "value": "x", "domain": "cdn.example", "path": "/", "expires": 4000000000, "httpOnly": false, "secure": false, "sameSite": "Strict"}
  ],
  "origins": [
    {"origin": "https://shop.example", "localStorage": [{"name": "token", "value": "{\"access\": \"abc123def456\", \"theme\": \"light\"}"}, {"name": "theme", "value": "darkdark"}], "indexedDB": []}
  ]
}`

func TestParse(t *testing.T) {
	s, warnings, err := Parse([]byte(playwright), "a.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.json: origins.indexedDB is not used"}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	want := Cookie{Name: "sid", Value: "s3cr3t-value", Domain: "shop.example", Path: "/", Expires: -1, HTTPOnly: true, Secure: true, SameSite: "Lax"}
	if diff := cmp.Diff(want, s.Cookies[0]); diff != "" {
		t.Errorf("cookie (-want +got):\n%s", diff)
	}
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, warnings, err := Parse(data, "a.json")
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %v", warnings, err)
	}
	if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
}

func TestParseProblems(t *testing.T) {
	cookie := func(member string) string {
		return `{"cookies": [{"name": "a", "value": "hunter22", "domain": "x.example", ` + member + `}]}`
	}
	for text, want := range map[string]string{
		`[]`:                                "line 1: is an array, want an object",
		"{\n\"cookies\": [\n3]}":            "line 3: cookies[0]: is a number, want an object",
		`{}`:                                "it is no saved state",
		cookie(`"domain2": 1, "path": "a"`): "cookies[0].path: does not begin with /",
		cookie(`"sameSite": "Maybe"`):       "cookies[0].sameSite: is none of Strict, Lax, None",
		cookie(`"expires": "soon"`):         "cookies[0].expires: is a string, want a number",
		cookie(`"expires": -2`):             "cookies[0].expires: is no time",
		cookie(`"secure": "yes"`):           "cookies[0].secure: is a string, want a boolean",
		`{"cookies": [{"name": "a", "value": "hunter22", "domain": "https://x.example/"}]}`:           "cookies[0].domain: is no host",
		`{"cookies": [{"name": "a", "value": "hunter22"}]}`:                                           "cookies[0].domain: is no host",
		`{"origins": [{"origin": "file:///etc", "localStorage": []}]}`:                                "origins[0].origin: is no origin",
		`{"origins": [{"origin": "https://x.example/path"}]}`:                                         "origins[0].origin: is no origin",
		`{"origins": [{"origin": "https://x.example", "localStorage": [{"name": 1, "value": "v"}]}]}`: "origins[0].localStorage[0].name: is a number",
	} {
		_, _, err := Parse([]byte(text), "a.json")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

func TestCurrent(t *testing.T) {
	s, _, err := Parse([]byte(playwright), "a.json")
	if err != nil {
		t.Fatal(err)
	}
	now, warning := s.Current(time.Unix(1800000000, 0))
	if len(now.Cookies) != 2 || now.Cookies[0].Name != "sid" || now.Cookies[1].Name != "later" || len(s.Cookies) != 3 {
		t.Errorf("cookies %v", now.Cookies)
	}
	if want := "a.json: 1 of 3 cookies has expired (old; 2023-11-14 22:13 UTC): the pages may ask for a login"; !strings.HasPrefix(warning, want) {
		t.Errorf("warning %q", warning)
	}
	if _, warning := s.Current(time.Unix(1600000000, 0)); warning != "" {
		t.Errorf("warning %q before any has expired", warning)
	}
}

func TestCredentials(t *testing.T) {
	s, _, err := Parse([]byte(playwright), "a.json")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"s3cr3t-value", "g0ne-g0ne", `{"access": "abc123def456", "theme": "light"}`, "abc123def456"}
	if diff := cmp.Diff(want, s.Credentials()); diff != "" {
		t.Errorf("credentials (-want +got):\n%s", diff)
	}
}

func TestMoved(t *testing.T) {
	s := &State{
		Cookies: []Cookie{
			{Name: "host", Domain: "shop.example", Secure: true, SameSite: "None"}, {Name: "wide", Domain: ".example", Secure: true, SameSite: "Lax"}, {Name: "other", Domain: "cdn.test", Secure: true},
		},
		Origins: []Origin{{Origin: "https://shop.example"}, {Origin: "https://sso.test"}},
	}
	tests := []struct {
		to      string
		cookies []Cookie
		origin  string
	}{
		{"http://localhost:3000/app", []Cookie{{Name: "host", Domain: "localhost", Secure: true, SameSite: "None"}, {Name: "wide", Domain: "localhost", Secure: true, SameSite: "Lax"}, s.Cookies[2]}, "http://localhost:3000"},
		{"http://staging.lan", []Cookie{{Name: "host", Domain: "staging.lan", SameSite: "Lax"}, {Name: "wide", Domain: "staging.lan", SameSite: "Lax"}, s.Cookies[2]}, "http://staging.lan"},
		{"https://beta.example", []Cookie{{Name: "host", Domain: "beta.example", Secure: true, SameSite: "None"}, s.Cookies[1], s.Cookies[2]}, "https://beta.example"},
	}
	for _, tt := range tests {
		got := s.Moved("https://shop.example/start", tt.to)
		if diff := cmp.Diff(tt.cookies, got.Cookies); diff != "" {
			t.Errorf("%s: cookies (-want +got):\n%s", tt.to, diff)
		}
		if got.Origins[0].Origin != tt.origin || got.Origins[1].Origin != "https://sso.test" {
			t.Errorf("%s: origins %v", tt.to, got.Origins)
		}
	}
	if s.Cookies[0].Domain != "shop.example" || s.Origins[0].Origin != "https://shop.example" {
		t.Error("the state itself was changed")
	}
	// A file that was saved on the other origin already is taken as it is.
	there := &State{Origins: []Origin{{Origin: "http://localhost:3000", LocalStorage: []Item{{"a", "new"}}}, {Origin: "https://shop.example", LocalStorage: []Item{{"a", "old"}}}}}
	if diff := cmp.Diff(there.Origins, there.Moved("https://shop.example", "http://localhost:3000").Origins); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var none *State
	if none.Moved("https://a.test", "https://b.test") != nil || none.Name() != "" || none.Credentials() != nil {
		t.Error("no state became one")
	}
}

func TestLoadWarnsOfReaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(`{"cookies": []}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := Load(file); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "can be read by other users (mode 0644)") {
		t.Errorf("warnings %q, error %v", warnings, err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := Load(file); err != nil || len(warnings) != 0 {
		t.Errorf("warnings %q, error %v", warnings, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(playwright))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Parse(data, "f")
		if (s == nil) == (err == nil) {
			t.Fatalf("state %v, error %v", s, err)
		}
		if s == nil {
			return
		}
		s.Current(time.Unix(1800000000, 0))
		s.Credentials()
		s.Moved("https://shop.example", "http://localhost")
		again, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Parse(again, "f"); err != nil {
			t.Fatalf("%s\nwas written as\n%s\n%v", data, again, err)
		}
	})
}
