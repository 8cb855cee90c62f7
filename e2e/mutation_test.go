package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"retrace/e2e/harness"
	"retrace/e2e/site"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
)

// harms are what becomes of a click in place of its effect: nothing, since nobody listens; an error of the server, told on the page; another
// dialog than the recorded one. Each is a statement in the page.
var harms = []struct{ name, instead string }{
	{"unheard", ""},
	{"server error", `const p = document.createElement('p'); p.setAttribute('role', 'alert'); p.textContent = 'Internal Server Error (500)'; document.body.append(p);`},
	{"wrong dialog", `const d = document.createElement('dialog'); d.innerHTML = '<h2>Your session has ended</h2><button>Sign in again</button>'; document.body.append(d); d.showModal();`},
}

// TestMutations breaks the page of each recording so that one step has not its effect: the page never learns of the clicks, the
// choices and the keys that the element of that step gets. A replay must not pass, and must stop at that step and at no later
// one. One step of every third recording is tried with one harm, all of them with each when everything is to be tried.
func TestMutations(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	recordings, err := harness.Recordings("traces")
	if err != nil {
		t.Fatal(err)
	}
	var tried, right atomic.Int64
	t.Run("recordings", func(t *testing.T) {
		for i, r := range recordings {
			steps, kinds := mutable(t, r.Dir), harms
			if os.Getenv(thoroughEnv) == "" {
				if len(steps) > 1 {
					steps = steps[len(steps)/2 : len(steps)/2+1]
				}
				kinds = harms[i/3%len(harms):][:1]
			}
			for _, m := range steps {
				for _, h := range kinds {
					t.Run(fmt.Sprintf("%s/step %d/%s", r.Name, m.step, h.name), func(t *testing.T) {
						oneIn(t, 3, i)
						t.Parallel()
						server := harness.Serve(broken(t, m, h.instead))
						defer server.Close()
						work := t.TempDir()
						o, err := server.Replay(t.Context(), bin, work, r, append(attach, "--timeout", "4s", "--json", filepath.Join(work, "out.json"))...)
						if err != nil {
							t.Fatal(err)
						}
						tried.Add(1)
						if o.Code == 0 || o.Verdict == harness.Wrong {
							t.Fatalf("%s with exit code %d although step %d had no effect; touched %q\n%s", o.Verdict, o.Code, m.step, o.Strays, o.Output)
						}
						if at := failedAt(t, filepath.Join(work, "out.json")); slices.Contains(at, m.step) {
							right.Add(1)
						} else {
							t.Logf("stopped at %v, not at step %d\n%s", at, m.step, o.Output)
						}
					})
				}
			}
		}
	})
	t.Logf("%d of %d mutations stopped at their step", right.Load(), tried.Load())
	if 100*right.Load() < 95*tried.Load() {
		t.Errorf("only %d of %d mutations stopped at their step, want 95 %%", right.Load(), tried.Load())
	}
}

// mutation is a step whose element is cut off from the page.
type mutation struct {
	step  int
	truth string // data-truth name of the element
	nth   int    // how often the element was acted on before
}

// mutable lists the steps of a recording whose effect the recording shows.
func mutable(t *testing.T, dir string) []mutation {
	t.Helper()
	rec, err := trace.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Steps []struct {
			Step  int    `json:"step"`
			Truth string `json:"truth"`
		} `json:"steps"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	names, seen := map[int]string{}, map[string]int{}
	for _, s := range truth.Steps {
		names[s.Step] = s.Truth
	}
	var out []mutation
	for _, in := range plan.Make(rec) {
		if in.Step == nil || in.Step.Target == nil || names[in.Step.ID] == "" {
			continue
		}
		name := names[in.Step.ID]
		m := mutation{step: in.Step.ID, truth: name, nth: seen[name]}
		if in.Kind == plan.Click || in.Kind == plan.Press {
			seen[name]++
		}
		if in.Kind != plan.Click || in.Before == nil || in.After == nil || in.Missing != nil {
			continue
		}
		if !verify.Expect(in.Before, in.After, nil, verify.See(in.Before.Tree, in.Before.URL, in.Before.Title)).Empty() {
			out = append(out, m)
		}
	}
	return out
}

// broken is the fixture site with one element cut off from its page, and a statement that is run instead at each click.
func broken(t *testing.T, m mutation, instead string) fs.FS {
	t.Helper()
	script := fmt.Sprintf(`<script>(() => { let seen = 0; const name = %q, from = %d, instead = () => { %s };
const find = e => { for (let n = e.composedPath()[0]; n; n = n.parentElement || (n.getRootNode() instanceof ShadowRoot ? n.getRootNode().host : null)) if (n.getAttribute?.('data-truth') === name) return true; };
for (const type of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'keydown', 'change', 'submit']) addEventListener(type, e => {
 if (!find(e)) return; const now = seen; if (type === 'click') seen++;
 if (now >= from) { e.stopImmediatePropagation(); if (type !== 'mousedown' && type !== 'pointerdown') e.preventDefault(); if (type === 'click') instead(); }
}, true); })()</script>`, m.truth, m.nth, instead)
	out := fstest.MapFS{}
	err := fs.WalkDir(site.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(site.FS, path)
		if strings.HasSuffix(path, ".html") {
			data = []byte(strings.Replace(string(data), "<head>", "<head>"+script, 1))
		}
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// failedAt lists the recorded steps of the planned step that failed.
func failedAt(t *testing.T, file string) []int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Results []struct {
			Steps []struct {
				Steps   []int  `json:"steps"`
				Verdict string `json:"verdict"`
			} `json:"steps"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, r := range doc.Results {
		for _, s := range r.Steps {
			if s.Verdict == "failed" {
				return s.Steps
			}
		}
	}
	return nil
}
