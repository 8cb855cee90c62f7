package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFor(t *testing.T) {
	f, err := Parse([]byte(`{
		"timeout": "20s",
		"block-url": ["*/ads/*", "*/b.js"],
		"viewport": "1440x900",
		"offline": false,
		"retries": 2,
		"header": {"X-Env": "staging"},
		"traces": {
			"checkout-*": {"timeout": "60s", "file": {"Receipt": "files/receipt.pdf"}},
			"shop/*": {"viewport": "390x844"},
			"checkout-full": {"block-url": []}
		}
	}`), filepath.Join("a", "retrace.json"), true)
	if err != nil {
		t.Fatal(err)
	}
	base := map[string]string{"timeout": "20s", "block-url": "*/ads/*|*/b.js", "viewport": "1440x900", "offline": "false", "retries": "2", "header": "X-Env=staging"}
	for _, tt := range []struct {
		trace string
		more  map[string]string
	}{
		{"", nil},
		{"login", nil},
		{"checkout-guest", map[string]string{"timeout": "60s", "file": "Receipt=" + filepath.Join("a", "files", "receipt.pdf")}},
		{"shop/checkout-guest", map[string]string{"timeout": "60s", "file": "Receipt=" + filepath.Join("a", "files", "receipt.pdf"), "viewport": "390x844"}},
		{"shop/deep/login", nil},
		{"checkout-full/trace.json", map[string]string{"timeout": "60s", "file": "Receipt=" + filepath.Join("a", "files", "receipt.pdf"), "block-url": ""}},
	} {
		want := map[string]string{}
		for k, v := range base {
			want[k] = v
		}
		for k, v := range tt.more {
			want[k] = v
		}
		got := map[string]string{}
		for _, s := range f.For(tt.trace) {
			got[s.Key] = strings.Join(s.Values, "|")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.trace, diff)
		}
	}
}

func TestParseProblems(t *testing.T) {
	const file = "retrace.json: line "
	tests := []struct {
		name, text string
		named      bool
		want       string
	}{
		{"no JSON", "{\n  \"timeout\": }", true, file + "2: is not valid JSON at column 14"},
		{"no object", `[]`, true, file + "1: is an array, want an object"},
		{"unknown key", "{\n\"timout\": \"3s\"}", true, file + `2: timout: is not known; did you mean "timeout"?`},
		{"unknown key below", `{"traces": {"a": {"view-port": "1x1"}}}`, true, `traces["a"].view-port: is not known; did you mean "viewport"?`},
		{"twice", `{"timeout": "1s", "timeout": "2s"}`, true, `the key "timeout" is there a second time`},
		{"wrong kind", `{"timeout": 20}`, true, "timeout: is a number, want a string"},
		{"wrong kind of a switch", `{"offline": "yes"}`, true, "offline: is a string, want a boolean"},
		{"wrong kind in a list", `{"block-url": ["*", 3]}`, true, "block-url[1]: is a number, want a string"},
		{"empty text", `{"timeout": " "}`, true, "timeout: is empty"},
		{"pattern", `{"traces": {"[": {}}}`, true, "is no pattern"},
		{"nested patterns", `{"traces": {"a": {"traces": {}}}}`, true, "patterns are not nested"},
		{"whole run below", `{"traces": {"a": {"report": "r"}}}`, true, "cannot differ between recordings"},
		{"secret in clear", `{"secret": {"Password": "swordfish"}}`, true, "secret.Password: must be env:VARIABLE: a project file holds no secrets"},
		{"header in clear", `{"header": {"Authorization": "swordfish"}}`, true, "header.Authorization: must be env:VARIABLE"},

		{"found: proxy", `{"proxy": "http://evil.example:1"}`, false, "proxy: is taken only from a project file that is named with --config"},
		{"found: secrets", `{"secrets": "s.json"}`, false, "taken only"},
		{"found: secret", `{"secret": {"x": "env:AWS_KEY"}}`, false, "taken only"},
		{"found: certificates", `{"ignore-https-errors": true}`, false, "taken only"},
		{"found: browser", `{"chrome": "./evil.sh"}`, false, "taken only"},
		{"found: remote", `{"remote": "ws://evil.example/"}`, false, "taken only"},
		{"found: sandbox", `{"no-sandbox": true}`, false, "taken only"},
		{"found: report", `{"report": "../../.ssh"}`, false, "taken only"},
		{"found: environment", `{"header": {"X-A": "env:AWS_KEY"}}`, false, "header.X-A: reads the environment"},
		{"found: base", `{"base-url": "https://evil.example/"}`, false, "base-url: is no address of this machine"},
		{"found: base in disguise", `{"base-url": "http://localhost@evil.example/"}`, false, "base-url: is no address of this machine"},
		{"found: upload", `{"file": {"CV": "../../.ssh/id_rsa"}}`, false, "does not lie below"},
		{"found: absolute upload", `{"file": {"CV": "/etc/passwd"}}`, false, "does not lie below"},
		{"found: assertions", `{"assert": "../x.json"}`, false, "does not lie below"},
		{"found: long", `{"timeout": "100h"}`, false, "is more than 300 s"},
		{"found: often", `{"retries": 1e9}`, false, "is more than 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text), FileName, tt.named)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "swordfish") {
				t.Errorf("the error repeats the secret: %v", err)
			}
		})
	}
	for _, good := range []string{`{}`, `{"base-url": "http://localhost:3000"}`, `{"file": {"CV": "files/cv.pdf"}, "assert": "checks.json", "timeout": "5m", "retries": 5, "header": {"X-Env": "a"}}`} {
		if _, err := Parse([]byte(good), FileName, false); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// However much is wrong with a file, what is told of it is short.
func TestProblemsAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteByte('{')
	for i := range 70_000 {
		fmt.Fprintf(&text, `"unknown-%d": 1,`, i)
	}
	text.WriteString(`"last": 1}`)
	if _, err := Parse([]byte(text.String()), FileName, false); err == nil || strings.Count(err.Error(), "\n") >= 60 {
		t.Errorf("%d lines of problems", strings.Count(fmt.Sprint(err), "\n")+1)
	}
}

// Every way in which a setting could widen what a run may do is closed in a file that was found by itself.
func TestFoundFilesWidenNothing(t *testing.T) {
	for _, name := range Names() {
		k, _ := Known(name)
		value := map[Form]string{Text: `"x"`, Number: "1", Switch: "true", List: `["*"]`, Pairs: `{"a": "env:b"}`}[k.Form]
		_, err := Parse([]byte(`{"`+name+`": `+value+`}`), FileName, false)
		if refused := err != nil && strings.Contains(err.Error(), "--config"); refused != (k.Scope >= Local || name == "header") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Parse([]byte(`{"`+name+`": `+value+`}`), FileName, true); err != nil {
			t.Errorf("%s in a named file: %v", name, err)
		}
	}
}

// tree makes files (ending in a slash: directories) and gives their root.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range files {
		p := filepath.Join(root, f)
		if strings.HasSuffix(f, "/") {
			if err := os.MkdirAll(p, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFind(t *testing.T) {
	tests := []struct {
		name      string
		files     []string
		recording string
		working   string
		want      string // relative; "" for none
	}{
		{"in the bundle", []string{"w/t/a/trace.json", "w/t/a/retrace.json", "w/t/retrace.json"}, "w/t/a", "w", "w/t/a/retrace.json"},
		{"beside the bundles", []string{"w/t/a/trace.json", "w/t/retrace.json", "w/retrace.json"}, "w/t/a/trace.json", "w", "w/t/retrace.json"},
		{"in the working directory", []string{"w/t/a/trace.json", "w/retrace.json"}, "w/t/a", "w", "w/retrace.json"},
		{"not above it", []string{"w/t/a/trace.json", "retrace.json"}, "w/t/a", "w", ""},
		{"root of the repository", []string{"r/.git/", "r/retrace.json", "r/t/a/trace.json", "w/"}, "r/t/a", "w", "r/retrace.json"},
		{"not above the repository", []string{"retrace.json", "r/.git/", "r/t/a/trace.json", "w/"}, "r/t/a", "w", ""},
		{"elsewhere: beside", []string{"x/y/z/trace.json", "x/y/retrace.json", "w/"}, "x/y/z", "w", "x/y/retrace.json"},
		{"elsewhere: no further", []string{"x/y/z/trace.json", "x/retrace.json", "w/"}, "x/y/z", "w", ""},
		{"a file by itself", []string{"w/t/a.json", "w/t/retrace.json"}, "w/t/a.json", "w", "w/t/retrace.json"},
		{"no recording", []string{"w/retrace.json"}, "w/none", "w", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := tree(t, tt.files...)
			f, err := Find(filepath.Join(root, tt.recording), filepath.Join(root, tt.working))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f != nil {
				got, _ = filepath.Rel(root, f.Path)
				if f.Named {
					t.Error("a file that was found counts as named")
				}
			}
			if filepath.ToSlash(got) != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFindFollowsNoLinks(t *testing.T) {
	root := tree(t, "w/t/a/trace.json", "elsewhere/retrace.json", "elsewhere/secret.txt", "w/u/b/trace.json")
	if err := os.Symlink(filepath.Join(root, "elsewhere", "retrace.json"), filepath.Join(root, "w", "t", FileName)); err != nil {
		t.Skip(err)
	}
	if _, err := Find(filepath.Join(root, "w", "t", "a"), filepath.Join(root, "w")); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("error %v", err)
	}
	if err := os.Symlink(filepath.Join(root, "elsewhere", "secret.txt"), filepath.Join(root, "w", "u", "innocent.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "w", "u", FileName), []byte(`{"file": {"CV": "innocent.txt"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(filepath.Join(root, "w", "u", "b"), filepath.Join(root, "w")); err == nil || !strings.Contains(err.Error(), "leads out of the directory") {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"timeout": "1s", "traces": {"a*": {"header": {"X": "y"}}}}`), false)
	f.Add([]byte(`{"file": {"a": "../b"}}`), false)
	f.Fuzz(func(t *testing.T, data []byte, named bool) {
		file, err := Parse(data, FileName, named)
		if (file == nil) == (err == nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
		for _, s := range file.For("a/b") {
			k, ok := Known(s.Key)
			if !ok || len(s.Values) == 0 && k.Form != List && k.Form != Pairs {
				t.Fatalf("setting %+v", s)
			}
			if !named && k.Scope >= Named {
				t.Fatalf("believed %+v", s)
			}
		}
	})
}

func TestFindBelievesNoOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs to give files away")
	}
	root := tree(t, "w/a/trace.json", "w/retrace.json")
	for _, give := range []string{"w/retrace.json", "w/a"} {
		if err := os.Chown(filepath.Join(root, give), 1, 1); err != nil {
			t.Fatal(err)
		}
		f, err := Find(filepath.Join(root, "w", "a"), filepath.Join(root, "w"))
		if give == "w/retrace.json" && (err == nil || !strings.Contains(err.Error(), "belongs to another user")) {
			t.Errorf("error %v", err)
		}
		if give == "w/a" && (err != nil || f == nil) { // now both are the other user's, as in a container
			t.Errorf("found %v, error %v", f, err)
		}
	}
}
