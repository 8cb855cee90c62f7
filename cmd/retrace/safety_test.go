package main

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrace/replay"
	"retrace/replay/report"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// planted is a secret that the forms of output write in different ways.
const planted = `Harbour-42 "ä&<>é'\x|$`

// leaks looks for the secret in a text, in every form in which outputs write texts.
func leaks(text string) string {
	encoded, err := json.Marshal(planted)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	quoted := strconv.Quote(planted)
	for _, form := range []string{
		planted, string(encoded[1 : len(encoded)-1]), quoted[1 : len(quoted)-1], html.EscapeString(planted), url.QueryEscape(planted), url.PathEscape(planted),
		strings.ReplaceAll(planted, "|", `\|`), "Harbour-42", "Harbour%2D42",
	} {
		if strings.Contains(text, form) {
			return form
		}
	}
	return ""
}

// spoken is a result in which everything that a page or an error can say holds the secret.
func spoken() *replay.Result {
	s := "before " + planted + " after"
	fail := &replay.Failure{Code: replay.ValueRejected, Text: s, Hint: s, Evidence: []string{s}}
	step := replay.StepResult{
		Op: "fill", Title: s, Verdict: replay.Failed, Failure: fail, Notes: []string{s}, Planned: []string{s}, URL: "http://shop.example/?q=" + url.QueryEscape(planted),
		Console: []string{s}, Requests: []string{"http://shop.example/" + url.PathEscape(planted)}, Downloads: []string{s}, Dialogs: []replay.Dialog{{Type: "alert", Text: s, Answer: "accept"}}, Steps: []int{1},
		Decision: &resolve.Decision{Outcome: resolve.Missing, Why: s, Warnings: []string{s}, Total: 1, Candidates: []resolve.Candidate{{Role: "textbox", Name: s, Where: s, Evidence: []resolve.Evidence{{Kind: "near", Text: s}}}}},
	}
	r := &replay.Result{Schema: replay.SchemaVersion, Purpose: s, Verdict: replay.Failed, Failure: fail, Warnings: []string{s}, Attempt: 2, Steps: []replay.StepResult{step}}
	r.Assertions = []replay.Assertion{{Text: s, Line: 1, Verdict: replay.Failed, Instead: []string{s}}}
	earlier := *r
	earlier.Attempt = 1
	r.Earlier = []*replay.Result{&earlier}
	return r
}

// No output of any command shows a secret, whatever a page, an error or a panic says.
func TestSecretsStayOut(t *testing.T) {
	engine := map[string]func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error){
		"failed": nil, // the bench's own
		"error": func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error) {
			return nil, errors.New(planted)
		},
		"panic": func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error) { panic(planted) },
	}
	for name, run := range engine {
		for _, stream := range []bool{false, true} {
			t.Run(name+" "+strconv.FormatBool(stream), func(t *testing.T) {
				dir := t.TempDir()
				secrets := filepath.Join(dir, "secrets")
				data, err := json.Marshal(map[string]string{"Password": planted})
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(secrets, data, 0o600); err != nil {
					t.Fatal(err)
				}
				out := filepath.Join(dir, "out")
				if err := os.Mkdir(out, 0o700); err != nil {
					t.Fatal(err)
				}
				env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": filepath.Join(out, "summary.md")}
				b := newBench(spoken())
				b.lookupEnv = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
				usual := b.replay
				b.replay = func(ctx context.Context, tr *trace.Trace, o replay.Options) (*replay.Result, error) {
					o.Log.Info(planted, "value", planted)
					if run != nil {
						return run(ctx, tr, o)
					}
					return usual(ctx, tr, o)
				}
				results := filepath.Join(out, "results.json")
				if stream {
					results = "-"
				}
				args := []string{"run", recording, "--secrets", secrets, "--verbose", "--report", filepath.Join(out, "report"), "--json", results, "--junit", filepath.Join(out, "junit.xml"), "--ctrf", filepath.Join(out, "ctrf.json")}
				if code := b.execute(t.Context(), args); code == exitPassed {
					t.Error("the run passed")
				}
				texts := map[string]string{"standard output": b.out.String(), "standard error": b.err.String()}
				err = filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
					if err != nil || !d.Type().IsRegular() {
						return err
					}
					data, err := os.ReadFile(path)
					texts[path] = path + string(data)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				if len(texts) < 5 {
					t.Errorf("only %d outputs", len(texts))
				}
				for where, text := range texts {
					if form := leaks(text); form != "" {
						t.Errorf("%s holds %q", where, form)
					}
				}
			})
		}
	}
	t.Run("explain and tree", func(t *testing.T) {
		b := newBench()
		b.lookupEnv = func(name string) (string, bool) { return planted, name == "PW" }
		b.explain = func(context.Context, *trace.Trace, replay.Options, int, string) (*replay.Explanation, error) {
			r := spoken()
			return &replay.Explanation{Title: planted, URL: planted, PageTitle: planted, Decision: r.Steps[0].Decision, Failure: r.Failure, Notes: []string{planted}, Before: r.Steps}, nil
		}
		b.tree = func(context.Context, *trace.Trace, replay.Options, int, string) (*axtree.Tree, error) {
			return axtree.Parse("L1 page\n  RootWebArea \"x\"\n    button " + strconv.Quote(planted) + "\n"), nil
		}
		for _, args := range [][]string{{"explain", recording, "--step", "2"}, {"explain", recording, "--step", "2", "--json"}, {"tree", "http://localhost/"}, {"tree", "http://localhost/", "--json"}} {
			b.out.Reset()
			b.err.Reset()
			b.execute(t.Context(), append(args, "--secret", "Password=env:PW"))
			if form := leaks(b.out.String() + b.err.String()); form != "" {
				t.Errorf("%q shows %q", args, form)
			}
			if b.out.Len() == 0 {
				t.Errorf("%q shows nothing: %s", args, &b.err)
			}
		}
	})
}

// While a run goes on, results.json is whole and tells of this run only: a program that is killed leaves no success of another.
func TestResultsOfKilledRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	b := newBench(result(replay.Passed, ""), result(replay.Passed, ""), result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", recording, "--report", dir}); code != exitPassed {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	read := func() report.Document {
		t.Helper()
		var d report.Document
		data, err := os.ReadFile(filepath.Join(dir, report.ResultsFile))
		if err == nil {
			err = json.Unmarshal(data, &d)
		}
		if err != nil {
			t.Error(err)
		}
		return d
	}
	if d := read(); len(d.Results) != 1 || d.Verdict != replay.Passed || d.Unfinished {
		t.Fatalf("%+v", d)
	}
	usual, seen := b.replay, 0
	b.replay = func(ctx context.Context, tr *trace.Trace, o replay.Options) (*replay.Result, error) {
		if d := read(); len(d.Results) != seen || !d.Unfinished || d.Verdict != replay.Error {
			t.Errorf("in the middle of run %d: %d results, %s", seen+1, len(d.Results), d.Verdict)
		}
		r, err := usual(ctx, tr, o)
		seen++
		return r, err
	}
	if code := b.execute(t.Context(), []string{"run", recording, "../../e2e/traces/admin-settings", "--workers", "1", "--report", dir}); code != exitPassed {
		t.Fatalf("exit code %d\n%s", code, &b.err)
	}
	if d := read(); len(d.Results) != 2 || seen != 2 {
		t.Errorf("%d results of %d runs", len(d.Results), seen)
	}
}

// A directory of somebody else is not written into.
func TestForeignRunDir(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "cart-voucher", "mine.txt")
	if err := os.MkdirAll(filepath.Dir(foreign), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(foreign, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(result(replay.Passed, ""))
	if code := b.execute(t.Context(), []string{"run", recording, "--report", dir}); code != exitUsage || !strings.Contains(b.err.String(), "will not be overwritten") {
		t.Errorf("exit code %d\n%s", code, &b.err)
	}
	if len(b.options) > 0 {
		t.Error("the run began")
	}
}
