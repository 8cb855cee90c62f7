package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// trialPage is the page of a trial: its body, and a script that says what the button does.
func trialPage(body, script string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trial</title></head><body><h1>Trial</h1>` + body + `<script>
function done() { const h = document.createElement('h2'); h.textContent = 'Done'; document.body.append(h); }
` + script + `</script></body></html>`
}

const goes = `document.querySelector('button').onclick = done;`

// serveTrial serves one page, which may depend on the request, and gives its address.
func serveTrial(t *testing.T, page func(w http.ResponseWriter, r *http.Request) string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/trial" {
			http.NotFound(w, r)
			return
		}
		text := page(w, r)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/trial"
}

// A run that fails once passes at its second attempt, which has a fresh profile: the page knows its visitors by a cookie, and
// works for new ones only.
func TestRetries(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	tests := []struct {
		name    string
		broken  int64 // visits at which the button does nothing
		flags   []string
		code    int
		verdict replay.Verdict
		earlier int
	}{
		{"flaky", 1, []string{"--retries", "2"}, 0, replay.Flaky, 1},
		{"always", 9, []string{"--retries", "1"}, 1, replay.Failed, 1},
		{"passes at once", 0, []string{"--retries", "2"}, 0, replay.Passed, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var visits atomic.Int64
			address := serveTrial(t, func(w http.ResponseWriter, r *http.Request) string {
				_, err := r.Cookie("visitor")
				http.SetCookie(w, &http.Cookie{Name: "visitor", Value: "1"})
				if visits.Add(1) <= tt.broken || !errors.Is(err, http.ErrNoCookie) {
					return trialPage("<button>Go</button>", "")
				}
				return trialPage("<button>Go</button>", goes)
			})
			var events []replay.Event
			tr := try(t, hostile.Click(address), func(_ running, e replay.Event) { events = append(events, e) }, tt.flags...)
			if tr.code != tt.code || tr.result.Verdict != tt.verdict || len(tr.result.Earlier) != tt.earlier {
				t.Fatalf("exit code %d, %s after %d attempts, want %d, %s after %d\n%s", tr.code, tr.result.Verdict, len(tr.result.Earlier), tt.code, tt.verdict, tt.earlier, tr.text())
			}
			if got := int(visits.Load()); got != tt.earlier+1 {
				t.Errorf("%d visits, want %d", got, tt.earlier+1)
			}
			for i, e := range tr.result.Earlier {
				if e.Failure == nil || e.Failure.Code != replay.EffectNotSeen || e.Attempt != i+1 || len(e.Earlier) > 0 {
					t.Errorf("earlier attempt %d: %+v", i+1, e)
				}
			}
			checkAttempts(t, events, tt.earlier+1)
			shots := map[string]bool{}
			for _, r := range append(slices.Clone(tr.result.Earlier), &tr.result) {
				for _, s := range r.Steps {
					if s.Screenshot != "" && shots[s.Screenshot] {
						t.Errorf("two attempts have the screenshot %s", s.Screenshot)
					}
					shots[s.Screenshot] = true
				}
			}
		})
	}
}

// checkAttempts looks whether the steps in the events belong to attempts that follow each other.
func checkAttempts(t *testing.T, events []replay.Event, attempts int) {
	t.Helper()
	var kinds []string
	for _, e := range events {
		if e.Kind != replay.StepStarted {
			kinds = append(kinds, fmt.Sprintf("%s %d", e.Kind, e.Attempt))
		}
	}
	want := []string{"run_started 1"}
	for n := 1; n <= attempts; n++ {
		want = append(want, fmt.Sprintf("step_finished %d", n), fmt.Sprintf("step_finished %d", n))
		if n < attempts {
			want = append(want, fmt.Sprintf("run_retried %d", n))
		}
	}
	want = append(want, fmt.Sprintf("run_finished %d", attempts))
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// Assertions are waited for, fail the step or the run, and say what was there instead.
func TestAssertions(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	address := serveTrial(t, func(http.ResponseWriter, *http.Request) string {
		return trialPage(`<label>Mail <input value="ada@example.org"></label><label><input type="checkbox" checked> News</label><button>Go</button>`,
			`document.querySelector('button').onclick = () => { done(); setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p role="status">Sent <b>2</b> letters</p><a href="/x">Back</a>'), 600); };`)
	})
	tests := []struct {
		name, file string
		code       int
		reason     replay.Code
		evidence   string
	}{
		{"all hold", `{"assertions": [{"after": 1, "role": "heading", "name": "Done"}, {"after": 1, "text": "Sent 2 letters"}, {"url": "/tri*"}, {"title": "Trial"},
			{"name": "Mail", "value": "ada@example.org"}, {"role": "checkbox", "name": "News", "state": "checked"}, {"role": "alert", "absent": true}, {"role": "link", "name": "Back"}]}`, 0, "", ""},
		{"after a step", `{"assertions": [{"after": 1, "text": "Sent 3 letters"}]}`, 1, replay.AssertionFailed, `it says "Done"`},
		{"at the end", `{"assertions": [{"name": "Mail", "value": "bob@example.org"}]}`, 1, replay.AssertionFailed, `textbox "Mail" holds "ada@example.org"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "checks.json")
			if err := os.WriteFile(file, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			tr := try(t, hostile.Click(address), nil, "--assert", file)
			if tr.code != tt.code || tr.reason() != tt.reason {
				t.Fatalf("exit code %d with reason %q, want %d with %q\n%s", tr.code, tr.reason(), tt.code, tt.reason, tr.text())
			}
			for _, a := range tr.result.Assertions {
				if want := map[int]replay.Verdict{0: replay.Passed, 1: replay.Failed}[tt.code]; a.Verdict != want {
					t.Errorf("%s is %s, want %s", a.Text, a.Verdict, want)
				}
			}
			if tt.code != 0 && !strings.Contains(strings.Join(tr.result.Failure.Evidence, "\n"), tt.evidence) {
				t.Errorf("evidence %q lacks %q", tr.result.Failure.Evidence, tt.evidence)
			}
			last := tr.result.Steps[len(tr.result.Steps)-1]
			if failed := last.Failure != nil; failed != (tt.name == "after a step") {
				t.Errorf("the step failed: %v", failed)
			}
		})
	}
}

// An assertion about a field that holds a secret tells nobody what it holds, however short the secret is.
func TestAssertionsKeepSecrets(t *testing.T) {
	needBrowser(t)
	address := serveTrial(t, func(http.ResponseWriter, *http.Request) string {
		return trialPage(`<label>PIN <input></label><label>Password <input></label><output></output>`, "")
	})
	rec := hostile.Recording{Start: address, States: []hostile.State{{URL: address, Title: "Trial", Lines: []string{`heading "Trial"`, `@e1 textbox "PIN" [empty]`, `@e2 textbox "Password" [empty]`}}}}
	for i, name := range []string{"PIN", "Password"} {
		rec.Steps = append(rec.Steps, hostile.Step{
			"op": "fill", "state": "s1", "result": map[string]any{"state": "s1"}, "value": "***", "redacted": true, "commit": "blur",
			"target": map[string]any{"ref": fmt.Sprintf("e%d", i+1), "role": "textbox", "name": name},
		})
	}
	file := filepath.Join(t.TempDir(), "checks.json")
	if err := os.WriteFile(file, []byte(`{"assertions": [{"name": "PIN", "value": "q"}, {"name": "Password", "value": "q"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TRIAL_PIN", "z7")
	t.Setenv("TRIAL_PASSWORD", "harbour-42")
	tr := try(t, rec, nil, "--assert", file, "--secret", "PIN=env:TRIAL_PIN", "--secret", "Password=env:TRIAL_PASSWORD")
	if tr.reason() != replay.AssertionFailed {
		t.Fatalf("reason %q\n%s", tr.reason(), tr.text())
	}
	for name, text := range map[string]string{"output": tr.output, "results.json": string(tr.files["results.json"]), "index.html": string(tr.files["index.html"])} {
		for _, secret := range []string{`"z7"`, "&#34;z7&#34;", `\"z7\"`, "harbour-42"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s has %s", name, secret)
			}
		}
	}
}

// A button that was renamed is not clicked. The patch that is proposed makes the recording fit.
func TestPropose(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	tool, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch(1) here")
	}
	var clicks atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			clicks.Add(1)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, trialPage(`<main><h2>Order 7</h2><p>Two ropes</p><p>Total €38</p><button>Send the order now</button></main>`,
			`document.querySelector('button').onclick = () => { fetch('/clicked', {method: 'POST', keepalive: true}); done(); };`))
	}))
	defer site.Close()
	lines := []string{`heading "Trial"`, "main", `  heading "Order 7"`, `  StaticText "Two ropes"`, `  StaticText "Total €38"`, `  @e1 button "Send the order"`}
	rec := hostile.ClickOn(site.URL+"/", "Send the order")
	rec.States[0].Lines, rec.States[1].Lines = lines, append(slices.Clone(lines), `heading "Done"`)

	bin, file := binary(t), filepath.Join(t.TempDir(), "order.json")
	if err := rec.Write(file); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, code := runCommand(t, bin, "run", file, "--timeout", trialTimeout.String(), "--propose")
	if code != 1 || clicks.Load() != 0 || !strings.Contains(out, "target_missing") || !strings.Contains(out, "hint: a correction of the recording is proposed") {
		t.Fatalf("exit code %d, %d clicks\n%s", code, clicks.Load(), out)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the recording was changed (%v)", err)
	}
	patch, err := os.ReadFile(file + ".patch")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, file+".patch") {
		t.Errorf("the output does not name the patch:\n%s", out)
	}
	cmd := exec.CommandContext(t.Context(), tool, "-p1", "-d", filepath.Dir(file))
	cmd.Stdin = bytes.NewReader(patch)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, patch)
	}
	if out, code := runCommand(t, bin, "run", file, "--timeout", trialTimeout.String()); code != 0 || clicks.Load() != 1 {
		t.Errorf("with the patch: exit code %d, %d clicks\n%s", code, clicks.Load(), out)
	}
}

// runCommand runs the program and gives what it wrote and its exit code.
func runCommand(t *testing.T, bin string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The search for a target can be looked at: on the page that a replay gets to, and on any page.
func TestExplainAndTree(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	address := serveTrial(t, func(_ http.ResponseWriter, r *http.Request) string {
		if r.URL.RawQuery == "two" {
			return trialPage("<button>Go</button><h1>Trial</h1><button>Go</button>", goes)
		}
		return trialPage("<button>Go</button>", goes)
	})
	bin, dir := binary(t), t.TempDir()
	file, tree := filepath.Join(dir, "trial.json"), filepath.Join(dir, "tree.json")
	if err := hostile.Click(address).Write(file); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		flags   []string
		code    int
		outcome resolve.Outcome
	}{
		{"on the way", nil, 0, resolve.One},
		{"on a page", []string{"--url", address}, 0, resolve.One},
		{"on a page with two", []string{"--url", address + "?two", "--timeout", "1s"}, 1, resolve.Ambiguous},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), bin, append([]string{"explain", file, "--step", "1", "--json"}, tt.flags...)...)
			out, err := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Fatalf("exit code %d (%v), want %d\n%s", code, err, tt.code, out)
			}
			conforms(t, "explain", out)
			var e replay.Explanation
			if err := json.Unmarshal(out, &e); err != nil {
				t.Fatal(err)
			}
			if e.Decision == nil || e.Decision.Outcome != tt.outcome || len(e.Decision.Candidates) == 0 || (len(e.Certain) == 0) != (tt.outcome == resolve.One) {
				t.Errorf("explanation %s", out)
			}
			if !strings.HasPrefix(e.URL, address) || e.PageTitle != "Trial" {
				t.Errorf("page %q at %s", e.PageTitle, e.URL)
			}
		})
	}
	if out, code := runCommand(t, bin, "tree", "--trace", file, "--step", "1", "-o", tree); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	data, err := os.ReadFile(tree)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := axtree.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(saved.Nodes, func(n *axtree.Node) bool { return n.Role == "button" && n.Name == "Go" }) {
		t.Errorf("the tree lacks the button:\n%s", data)
	}
	if out, code := runCommand(t, bin, "tree", address); code != 0 || !strings.Contains(out, `button "Go"`) {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
