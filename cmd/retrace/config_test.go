package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/project"
	"retrace/replay/report"
)

// Every flag of run has its place in project files, or is known to have none; and a value of the wrong form is impossible.
func TestProjectFileKnowsEveryFlag(t *testing.T) {
	o := &runOptions{}
	f := pflag.NewFlagSet("run", pflag.ContinueOnError)
	o.addFlags(f)
	none := map[string]bool{"config": true, "no-config": true, "shard": true, "timings": true} // the last two are of one machine
	seen := map[string]bool{}
	f.VisitAll(func(flag *pflag.Flag) {
		key, ok := project.Known(flag.Name)
		seen[flag.Name] = true
		if flag.Hidden || none[flag.Name] {
			if ok {
				t.Errorf("--%s is not for project files", flag.Name)
			}
			return
		}
		if !ok {
			t.Errorf("--%s has no place in the table of package project: say which project files it is taken from", flag.Name)
			return
		}
		_, list := flag.Value.(pflag.SliceValue)
		if want := key.Form == project.List || key.Form == project.Pairs; list != want {
			t.Errorf("--%s is a list: %v, and in project files: %v", flag.Name, list, want)
		}
		if want := key.Form == project.Switch; (flag.Value.Type() == "bool") != want {
			t.Errorf("--%s is a switch in project files: %v", flag.Name, want)
		}
	})
	for _, name := range project.Names() {
		if !seen[name] {
			t.Errorf("%q is a setting of project files and no flag", name)
		}
	}
}

// bundles makes a directory with copies of a recording and a project file, and gives its path.
func bundles(t *testing.T, config string, names ...string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, project.FileName), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(recording)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestProjectFile(t *testing.T) {
	root := bundles(t, `{"timeout": "20s", "viewport": "1440x900", "block-url": ["*/ads/*"], "header": {"X-Env": "staging"},
		"traces": {"slow-*": {"timeout": "60s", "locale": "de-AT", "block-url": ["*/b.js"]}}}`, "quick", "slow-one")
	b := newBench(result(replay.Passed, ""), result(replay.Passed, ""))
	code := b.execute(t.Context(), []string{"run", filepath.Join(root, "quick"), filepath.Join(root, "slow-one"), "--viewport", "390x844", "--workers", "1"})
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	type some struct {
		Timeout time.Duration
		Width   int
		Locale  string
		Blocked []string
		Header  string
		Config  string
	}
	var got []some
	for _, o := range b.options {
		got = append(got, some{o.Timeout, o.Width, o.Emulation.Locale, o.Emulation.BlockURLs, o.Emulation.Headers[0].Value, o.Config})
	}
	config := filepath.Join(root, project.FileName)
	want := []some{
		{20 * time.Second, 390, "", []string{"*/ads/*"}, "staging", config},
		{60 * time.Second, 390, "de-AT", []string{"*/b.js"}, "staging", config},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}

	b = newBench(result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", filepath.Join(root, "quick"), "--no-config", "--block-url", "*/mine"}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	if o := b.options[0]; o.Timeout != 10*time.Second || o.Config != "" || o.Width != 0 || !cmp.Equal(o.Emulation.BlockURLs, []string{"*/mine"}) {
		t.Errorf("options without the project file: %+v", o)
	}
}

// A named file may set what a found one may not, for the whole run too, and its paths are relative to it.
func TestNamedProjectFile(t *testing.T) {
	root := bundles(t, `{}`, "one")
	if err := os.WriteFile(filepath.Join(root, "s.json"), []byte(`{"Password": "harbour-42"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(root, "ci.json")
	if err := os.WriteFile(named, []byte(`{"report": "out", "secrets": "s.json", "proxy": "http://127.0.0.1:3128", "no-sandbox": true, "github": false, "header": {"X-Key": "env:PW"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", filepath.Join(root, "one"), "--config", named}); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	o := b.options[0]
	if o.Secrets["Password"] != "harbour-42" || o.Emulation.Proxy != "http://127.0.0.1:3128" || !o.NoSandbox || o.Emulation.Headers[0].Value != "harbour-42" {
		t.Errorf("options %+v", o)
	}
	page, err := os.ReadFile(filepath.Join(root, "out", report.IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page)+b.out.String(), "harbour-42") {
		t.Error("the report or the terminal has the secret of the project file")
	}
}
