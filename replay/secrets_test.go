package replay

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLoadSecrets(t *testing.T) {
	tests := []struct {
		name, text string
		want       Secrets
		err        string // part of the error; empty for none
	}{
		{name: "strings", text: `{"Password": "harbour-42", "7": ""}`, want: Secrets{"Password": "harbour-42", "7": ""}},
		{name: "byte order mark", text: "\ufeff{\"a\": \"b\"}", want: Secrets{"a": "b"}},
		{name: "empty object", text: `{}`, want: Secrets{}},
		{name: "array", text: `["hunter22"]`, err: "must be a JSON object of strings"},
		{name: "number", text: `{"PIN": 123456}`, err: `key "PIN": must be a string`},
		{name: "nested", text: `{"PIN": {"a": "hunter22"}}`, err: `key "PIN": must be a string`},
		{name: "twice", text: `{"PIN": "hunter22", "PIN": "hunter23"}`, err: `key "PIN" occurs twice`},
		{name: "broken value", text: `{"PIN": hunter22}`, err: `key "PIN": is not valid JSON`},
		{name: "cut off", text: `{"PIN": "hunter22"`, err: "is not valid JSON"},
		{name: "two objects", text: `{} {"a": "hunter22"}`, err: "more than one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "secrets.json")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, warnings, err := LoadSecrets(file)
			if tt.err == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("secrets (-want +got):\n%s", diff)
				}
				if len(warnings) != 0 {
					t.Errorf("warnings of a private file: %q", warnings)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), file) {
				t.Fatalf("error %v, want the file and %q", err, tt.err)
			}
			for _, value := range []string{"hunter", "123456"} {
				if strings.Contains(err.Error(), value) {
					t.Errorf("error %v shows a value", err)
				}
			}
		})
	}
}

func TestLoadSecretsWarnsOfReaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secrets.json")
	if err := os.WriteFile(file, []byte(`{"a":"b"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	_, warnings, err := LoadSecrets(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "0644") {
		t.Errorf("warnings %q, want one that names mode 0644", warnings)
	}
}

func TestSecretsSet(t *testing.T) {
	lookup := func(name string) (string, bool) { return "value of " + name, name == "PW" }
	tests := []struct {
		arg  string
		want Secrets
		err  string
	}{
		{arg: "Password=env:PW", want: Secrets{"Password": "value of PW"}},
		{arg: "a=env:b=env:PW", want: Secrets{"a=env:b": "value of PW"}},
		{arg: "Password=env:NONE", err: "environment variable NONE is not set"},
		{arg: "=env:PW", err: "must be KEY=env:NAME"},
		{arg: "Password=env:", err: "must be KEY=env:NAME"},
		{arg: "Password=hunter22", err: ErrLiteralSecret.Error()},
	}
	for _, tt := range tests {
		got := Secrets{}
		err := got.Set(tt.arg, lookup)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "hunter22") {
				t.Errorf("Set(%q): error %v, want %q without the value", tt.arg, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("Set(%q): %v", tt.arg, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Set(%q) (-want +got):\n%s", tt.arg, diff)
		}
	}
	if err := (Secrets{}).Set("x=y", lookup); !errors.Is(err, ErrLiteralSecret) {
		t.Errorf("a literal gives %v", err)
	}
}

// FuzzSecrets checks that there are either secrets or an error, which is one plain line.
func FuzzSecrets(f *testing.F) {
	for _, s := range []string{`{"Password": "x"}`, `{"a": "x", "a": "y"}`, `{"a": ["x"]}`, `{"a": "x"`, `"x"`, `{} {}`, "\ufeff{}", `{"a": "x", b}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseSecrets(data)
		if (got == nil) == (err == nil) {
			t.Errorf("%v, %v", got, err)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("no plain line: %q", err)
		}
	})
}
