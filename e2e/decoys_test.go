package e2e

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/rogpeppe/go-internal/txtar"

	"retrace/replay/browser"
	"retrace/resolve"
	"retrace/resolve/axtree"
	"retrace/resolve/sample"
)

var updateTrees = flag.Bool("update", false, "write the searches of the decoy pages to testdata/trees")

// TestDecoys looks for a recorded target on pages that were written to mislead. A case is a txtar archive:
//
//	case            key: value lines, see decoy
//	recorded.html   the page on which the person acted, on the element with data-target
//	before.html     the page that the recorder saw before, when that is not the same
//	after.html      the page after the step, if it matters
//	live.html       the page of the replay, with data-truth on its elements
//
// The recorded page text is made of the recorded page by the rules of the recorder. Other files are served beside the pages,
// for frames.
func TestDecoys(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	files, err := filepath.Glob("decoys/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 40 {
		t.Errorf("%d cases in decoys, want at least 40", len(files))
	}
	archives := map[string]map[string][]byte{}
	comments := map[string]string{}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".txtar")
		comments[name] = string(a.Comment)
		archives[name] = map[string][]byte{}
		for _, file := range a.Files {
			archives[name][file.Name] = file.Data
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		body, ok := archives[name][file]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><meta charset=utf-8>%s", body)
	}))
	defer server.Close()
	page := newPage(t)
	for i, name := range slices.Sorted(maps.Keys(archives)) {
		files := archives[name]
		t.Run(name, func(t *testing.T) {
			if !*updateTrees {
				oneIn(t, 8, i)
			}
			d := decoy{page: page, base: server.URL + "/" + name + "/", files: files}
			d.run(t, name, comments[name])
		})
	}
}

// decoy is one case. Its keys are
//
//	form   matched (the default), unmatched or v2: how the recorder wrote the target down
//	use    click (the default), fill, select, hover or press
//	mode   strict (the default) or tolerant
//	nearby the text beside the target that the form v2 gives; led-to is what the step added to the address
//	want   the data-truth of the element to be found, or missing, ambiguous, or refused for either
//	warned yes or no, when it matters
//	name   the name that the recorder gave the target, when it matters
type decoy struct {
	page  *browser.Page
	base  string
	files map[string][]byte
}

func (d decoy) run(t *testing.T, name, comment string) {
	keys := map[string]string{"form": "matched", "use": "click", "mode": "strict"}
	for line := range strings.Lines(string(d.files["case"])) {
		if k, v, ok := strings.Cut(line, ":"); ok {
			keys[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	q := resolve.Query{Use: resolve.Use(keys["use"]), Mode: resolve.Mode(keys["mode"])}
	recorded := d.open(t, "recorded.html")
	target := d.target(t, recorded)
	text, refs := pageText(recorded)
	switch keys["form"] {
	case "matched":
		line := refs[target]
		if line == nil {
			t.Fatalf("the recorder gives no ref to the %s %q", target.Role, target.Name)
		}
		q.Target = resolve.Descriptor{Ref: line.Ref, Role: line.Role, Name: line.Name, Ctx: keys["ctx"]}
	case "unmatched":
		q.Target = resolve.Descriptor{Role: target.Live.DOMRole, Name: target.Live.DOMName, Unmatched: true}
	case "v2":
		l := target.Live
		q.Target = resolve.Descriptor{Tag: l.Tag, Role: l.DOMRole, Name: l.DOMName, NameAttr: l.NameAttr, NearbyLabel: keys["nearby"]}
	default:
		t.Fatalf("no form %q", keys["form"])
	}
	if name := keys["name"]; name != "" && q.Target.Name != name {
		t.Errorf("the target is recorded as %q, want %q", q.Target.Name, name)
	}
	switch {
	case keys["form"] == "v2":
	case d.files["before.html"] != nil:
		q.Before, _ = pageText(d.open(t, "before.html"))
	default:
		q.Before = text
	}
	if d.files["after.html"] != nil {
		q.After, _ = pageText(d.open(t, "after.html"))
	}
	if u := keys["led-to"]; u != "" { // of an old recording only the addresses are known
		q.Before, q.After = &axtree.Tree{URL: d.base + "recorded.html"}, &axtree.Tree{URL: d.base + "recorded.html" + u}
	}
	live := d.open(t, "live.html")
	n, decision := resolve.Find(q, live)
	got := string(decision.Outcome)
	if n != nil {
		got = d.truth(t, n)
	}
	want := keys["want"]
	if got != want && !(want == "refused" && n == nil) {
		t.Errorf("found %s, want %s: %s\n%s\nrecorded:\n%s\nlive:\n%s", got, want, decision.Why, candidates(decision), axtree.Format(text), axtree.Format(live))
	}
	if w := keys["warned"]; w != "" && (w == "yes") != (len(decision.Warnings) > 0) {
		t.Errorf("warnings are %q, want some: %s", decision.Warnings, w)
	}
	if *updateTrees && !t.Failed() {
		s := &sample.Sample{Comment: comment, Query: q, Live: live}
		s.Want, _ = s.Decide()
		data, err := sample.Format(s)
		if err != nil {
			t.Fatal(err)
		}
		// Addresses hold a port that differs from run to run.
		text := strings.ReplaceAll(string(data), d.base, "http://decoys.test/")
		if err := os.WriteFile(filepath.Join("..", "testdata", "trees", name+".txtar"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func candidates(d resolve.Decision) string {
	var b strings.Builder
	for _, c := range d.Candidates {
		fmt.Fprintf(&b, "  %s %q in %s: %s, %.2f\n", c.Role, c.Name, c.Where, c.Tier, c.Score)
		for _, e := range c.Evidence {
			fmt.Fprintf(&b, "    %t %s: %s\n", e.Agrees, e.Kind, e.Text)
		}
	}
	return b.String()
}

// open loads a page of the case and reads its tree.
func (d decoy) open(t *testing.T, file string) *axtree.Tree {
	t.Helper()
	if d.files[file] == nil {
		t.Fatalf("no %s", file)
	}
	if err := d.page.Navigate(t.Context(), d.base+file); err != nil {
		t.Fatal(err)
	}
	return capture(t, d.page)
}

// capture reads the tree of a page with all its frames.
func capture(t *testing.T, page *browser.Page) *axtree.Tree {
	t.Helper()
	frames, err := page.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in := make([]axtree.Frame, len(frames))
	for i, f := range frames {
		in[i] = axtree.Frame{ID: f.ID, Parent: f.Parent, Session: f.Session, Owner: f.Owner, URL: f.URL}
	}
	tree, err := axtree.Capture(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// target finds the element with data-target.
func (d decoy) target(t *testing.T, tree *axtree.Tree) *axtree.Node {
	t.Helper()
	for _, n := range tree.Nodes {
		if n.Live.Backend != 0 && n.Role != "StaticText" && n.Role != "RootWebArea" && ask(t, n, `function() { return String(this.hasAttribute?.('data-target')) }`) == "true" {
			return n
		}
	}
	t.Fatalf("no element with data-target:\n%s", axtree.Format(tree))
	return nil
}

// truthOf is the data-truth of an element or of the nearest one around it, out of shadow roots.
const truthOf = `function() {
	for (let e = this; e; e = e.getRootNode().host) {
		const c = e.closest('[data-truth]');
		if (c) return c.dataset.truth;
	}
	return 'an element without data-truth';
}`

func (d decoy) truth(t *testing.T, n *axtree.Node) string {
	t.Helper()
	return ask(t, n, truthOf)
}

// ask calls a function on the element of a node.
func ask(t *testing.T, n *axtree.Node, function string) string {
	t.Helper()
	s, err := call(t.Context(), n, function)
	if err != nil {
		t.Fatalf("asking the %s %q: %v", n.Role, n.Name, err)
	}
	return s
}

// call calls a function on the element of a node, with values in JSON, and gives the text that it returns.
func call(ctx context.Context, n *axtree.Node, function string, args ...[]byte) (string, error) {
	o, err := cdp.Call(ctx, n.Live.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.Live.Backend})
	if err != nil {
		return "", err
	}
	p := runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: o.Object.ObjectID, ReturnByValue: new(true)}
	for _, a := range args {
		p.Arguments = append(p.Arguments, &runtime.CallArgument{Value: a})
	}
	r, err := cdp.Call(ctx, n.Live.Session, runtime.CallFunctionOn, p)
	if err != nil {
		return "", err
	}
	if r.ExceptionDetails != nil {
		return "", fmt.Errorf("exception: %s", r.ExceptionDetails.Text)
	}
	var s string
	err = jsonv2.Unmarshal(r.Result.Value, &s)
	return s, err
}

// newPage opens a tab in a browser of its own, which is closed after the test.
func newPage(t *testing.T) *browser.Page {
	t.Helper()
	b, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	profile, err := b.NewContext(t.Context(), browser.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := profile.NewPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return page
}
