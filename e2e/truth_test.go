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

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"retrace/e2e/harness"
	"retrace/e2e/site"
	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve"
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

// TestTruth replays every recording and asks of each element that is acted on whether it is the recorded one. Elements of steps
// that the recording itself is unsure of do not count.
func TestTruth(t *testing.T) {
	needBrowser(t)
	remote := sharedBrowser(t)[1]
	var mu sync.Mutex
	type tally struct{ right, wrong int }
	byTier, byForm := map[resolve.Tier]*tally{}, map[string]*tally{}
	acted, known := 0, 0
	t.Run("recordings", func(t *testing.T) {
		for _, dir := range []string{"traces", "traces-v2"} {
			recordings, err := harness.Recordings(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range recordings {
				t.Run(r.Name, func(t *testing.T) {
					t.Parallel()
					server := harness.Serve(site.FS)
					defer server.Close()
					truth := readTruth(t, r.Dir)
					tr, err := trace.Load(r.Dir)
					if err != nil {
						t.Fatal(err)
					}
					done := map[int]bool{}
					options := replay.Options{Remote: remote, BaseURL: server.URL, Timeout: 5 * time.Second, Secrets: replay.Secrets(r.Secrets)}
					options.OnResolved = func(step int, s cdp.Session, id cdp.BackendNodeID, tier resolve.Tier) {
						want, ok := truth[step]
						if !ok || done[step] {
							return
						}
						done[step] = true
						differs := compare(t.Context(), s, id, want)
						form := formOf(tr, step)
						mu.Lock()
						defer mu.Unlock()
						for _, c := range []*tally{at(byTier, tier), at(byForm, form)} {
							if differs == "" {
								c.right++
							} else {
								c.wrong++
							}
						}
						if differs != "" {
							t.Errorf("step %d, %s: what was found %s; recorded %q at %s", step, tier, differs, want.Truth, want.CSS)
						}
					}
					server.Begin(r.Check)
					if _, err := replay.Run(t.Context(), tr, options); err != nil {
						t.Fatal(err)
					}
					mu.Lock()
					defer mu.Unlock()
					acted += len(done)
					known += len(truth)
				})
			}
		}
	})
	var lines []string
	for tier, c := range byTier {
		lines = append(lines, fmt.Sprintf("  %s: %d right, %d wrong", tier, c.right, c.wrong))
	}
	for form, c := range byForm {
		lines = append(lines, fmt.Sprintf("  %s: %d right, %d wrong", form, c.right, c.wrong))
	}
	slices.Sort(lines)
	t.Logf("%d of %d elements that are known for sure were acted on\n%s", acted, known, strings.Join(lines, "\n"))
	if acted == 0 {
		t.Error("no element was compared")
	}
}

func at[K comparable, V any](m map[K]*V, k K) *V {
	if m[k] == nil {
		m[k] = new(V)
	}
	return m[k]
}

// formOf says in which form the recorder wrote the target of a step down.
func formOf(t *trace.Trace, step int) string {
	for _, s := range t.Steps {
		if s.ID != step || s.Target == nil {
			continue
		}
		switch {
		case s.Target.Tag != "":
			return "v2"
		case s.Target.Unmatched:
			return "unmatched"
		}
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
func compare(ctx context.Context, s cdp.Session, id cdp.BackendNodeID, want truthStep) string {
	o, err := cdp.Call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil {
		return "is gone: " + err.Error()
	}
	arg, err := json.Marshal(want)
	if err != nil {
		return err.Error()
	}
	r, err := cdp.Call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: sameElement, ObjectID: o.Object.ObjectID, ReturnByValue: new(true), Arguments: []*runtime.CallArgument{{Value: arg}},
	})
	if err != nil {
		return "cannot be asked: " + err.Error()
	}
	if r.ExceptionDetails != nil {
		return "cannot be asked: " + r.ExceptionDetails.Text
	}
	var differs string
	if err := json.Unmarshal(r.Result.Value, &differs); err != nil {
		return err.Error()
	}
	return differs
}
