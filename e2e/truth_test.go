package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/site"
	"retrace/replay"
	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// truthStep is what is known of the element that a person acted on.
type truthStep struct {
	Step      int      `json:"step"`
	Op        string   `json:"op"`
	Truth     string   `json:"truth"` // its nearest data-truth
	CSS       string   `json:"css"`   // its path; " >>> " leads into a shadow root
	Frames    []string `json:"frames"`
	URL       string   `json:"url"` // of its document
	Heuristic bool     `json:"heuristic"`
	Unsure    bool     `json:"unsure"`
}

// sameElement compares the element that was found with the recorded one: the same, or one in the other, or a label and its
// control; in the same document and with the same nearest data-truth. It answers "" or what differs.
const sameElement = `function(want) {
	const nearest = (e) => { for (; e; e = e.getRootNode().host) { const c = e.closest?.('[data-truth]'); if (c) return c.dataset.truth; } return ''; };
	const holds = (a, b) => { for (let e = b; e; e = e.parentNode ?? e.host) if (e === a) return true; return false; };
	if (this.ownerDocument.location.pathname !== new URL(want.url).pathname) return 'is in the document ' + this.ownerDocument.location.pathname;
	if ((want.truth || '') !== nearest(this)) return 'is "' + nearest(this) + '"';
	if (!this.isConnected && want.truth) return ''; // drawn anew since it was found: the replay notices, and looks again
	let root = this.ownerDocument, found = null;
	for (const part of want.css.split(' >>> ')) { found = root?.querySelector(part); root = found?.shadowRoot; }
	if (!found) return want.truth ? '' : 'cannot be compared: nothing is at ' + want.css;
	if (holds(found, this) || holds(this, found) || this.control === found || found.control === this) return '';
	return 'is another element than ' + want.css;
}`

// TestTruth replays every recording and asks of each element that is acted on whether it is the recorded one. All that can be
// told must be found. Elements of steps that the recording itself is unsure of do not count.
//
// At each element of a recording, the search is made a second time for the target in its old form, on the same page. It must come
// to the same element where the old form describes no other, and never to another one. RETRACE_E2E_THOROUGH replays the whole old
// forms besides.
func TestTruth(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	c := &census{remote: sharedBrowser(t)[1], tiers: map[resolve.Tier]*tally{}, forms: map[string]*tally{}}
	t.Run("recordings", func(t *testing.T) {
		for _, dir := range []string{"traces", "traces-v2"} {
			recordings, err := harness.Recordings(dir)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range recordings {
				t.Run(r.Name, func(t *testing.T) {
					oneIn(t, 2, i+1)
					t.Parallel()
					tr, err := trace.Load(r.Dir)
					if err != nil {
						t.Fatal(err)
					}
					old := c.replay(t, r, tr, nil)
					if os.Getenv(thoroughEnv) == "" || tr.Version == 2 {
						return
					}
					tr, ids := oldForm(t, tr, old)
					c.replay(t, r, tr, ids)
				})
			}
		}
	})
	var lines []string
	for tier, n := range c.tiers {
		lines = append(lines, fmt.Sprintf("  %s: %s", tier, n))
	}
	for form, n := range c.forms {
		lines = append(lines, fmt.Sprintf("  %s: %s", form, n))
	}
	slices.Sort(lines)
	t.Logf("%d of %d elements that are known for sure were acted on\n%s", c.acted, c.known, strings.Join(lines, "\n"))
	if c.acted == 0 {
		t.Error("no element was compared")
	}
}

// census counts what became of the elements that are known.
type census struct {
	remote string

	mu           sync.Mutex
	tiers        map[resolve.Tier]*tally
	forms        map[string]*tally
	known, acted int
}

// tally counts searches: those that came to the recorded element, to another one, to none although nothing else is described
// so, and to none for a reason (several are described so, or the replay stopped before).
type tally struct{ right, wrong, lost, untold int }

func (c tally) String() string {
	return fmt.Sprintf("%d right, %d wrong, %d not found, %d that cannot be told", c.right, c.wrong, c.lost, c.untold)
}

// replay replays a recording, or its old form, in which ids gives the recorded step of each step. It returns the targets of the
// recording in their old form.
func (c *census) replay(t *testing.T, r *harness.Recording, tr *trace.Trace, ids map[int]int) map[int]resolve.Descriptor {
	server := harness.Serve(site.FS)
	defer server.Close()
	truth := readTruth(t, r.Dir)
	steps := map[int]*trace.Step{}
	for _, s := range tr.Steps {
		steps[s.ID] = s
	}
	done, old := map[int]bool{}, map[int]resolve.Descriptor{}
	recorded := func(step int) int {
		if ids != nil {
			return ids[step]
		}
		return step
	}
	options := replay.Options{Remote: c.remote, BaseURL: server.URL, Timeout: 5 * time.Second, Secrets: replay.Secrets(r.Secrets)}
	options.OnResolved = func(found replay.Resolved) {
		want, ok := truth[recorded(found.Step)]
		form := formOf(steps[found.Step])
		if ids != nil {
			form = "old form, replayed"
		}
		if ids == nil && tr.Version == 3 {
			d, err := oldTarget(t.Context(), found.Node)
			if err != nil {
				t.Errorf("step %d in its old form: %v", found.Step, err)
				return
			}
			old[found.Step] = d
			if ok && !done[found.Step] && found.Tree != nil {
				c.old(t, d, found, steps[found.Step], want)
			}
		}
		if !ok || done[found.Step] {
			return
		}
		done[found.Step] = true
		differs := compare(t.Context(), found.Node, want)
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, n := range []*tally{at(c.tiers, found.Tier), at(c.forms, form)} {
			if differs == "" {
				n.right++
			} else {
				n.wrong++
			}
		}
		if differs != "" {
			t.Errorf("step %d, %s: what was found %s; recorded %q at %s", found.Step, found.Tier, differs, want.Truth, want.CSS)
		}
	}
	server.Begin(r.Check)
	result, err := replay.Run(t.Context(), tr, options)
	if err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acted += len(done)
	for _, it := range plan.Make(tr) {
		if it.Step == nil || it.Step.Target == nil || it.Kind == plan.Skip {
			continue
		}
		if _, ok := truth[recorded(it.Step.ID)]; !ok {
			continue
		}
		c.known++
		if done[it.Step.ID] || it.Optional {
			continue
		}
		if form := formOf(it.Step); form != "v2" {
			at(c.forms, form).lost++
			t.Errorf("step %d was not acted on: %s", it.Step.ID, result.Verdict)
		} else if ids != nil {
			at(c.forms, "old form, replayed").untold++
		} else {
			at(c.forms, form).untold++
		}
	}
	return old
}

// old searches for a target in its old form.
func (c *census) old(t *testing.T, d resolve.Descriptor, found replay.Resolved, s *trace.Step, want truthStep) {
	n, decision := resolve.Find(oldQuery(d, found.Use, s), found.Tree)
	differs := ""
	if n != nil {
		differs = compare(t.Context(), n, want)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch count := at(c.forms, "old form"); {
	case differs != "":
		count.wrong++
		t.Errorf("step %d in its old form %+v: what was found %s: %s", found.Step, d, differs, decision.Why)
	case n != nil:
		count.right++
	case alike(found.Tree, d) > 1:
		count.untold++
	default:
		count.lost++
		t.Errorf("step %d in its old form %+v was not found: %s", found.Step, d, decision.Why)
	}
}

func at[K comparable, V any](m map[K]*V, k K) *V {
	if m[k] == nil {
		m[k] = new(V)
	}
	return m[k]
}

// formOf says in which form the recorder wrote the target of a step down.
func formOf(s *trace.Step) string {
	switch {
	case s.Target.Tag != "":
		return "v2"
	case s.Target.Unmatched:
		return "unmatched"
	}
	return "matched"
}

func readTruth(t *testing.T, dir string) map[int]truthStep {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Steps []truthStep `json:"steps"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	out := map[int]truthStep{}
	for _, s := range file.Steps {
		if s.CSS != "" && !s.Heuristic && !s.Unsure {
			out[s.Step] = s
		}
	}
	return out
}

// compare asks the page what differs between an element and the recorded one; "" when it is the same.
func compare(ctx context.Context, n *axtree.Node, want truthStep) string {
	arg, err := json.Marshal(want)
	if err != nil {
		return err.Error()
	}
	differs, err := call(ctx, n, sameElement, arg)
	if err != nil {
		return "cannot be asked: " + err.Error()
	}
	return differs
}
