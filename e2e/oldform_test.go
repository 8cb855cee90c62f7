package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"retrace/keymap"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// The older recorder wrote the same gestures down in another form: of each target the description of its DOM element, of each
// page the address. So every recording has an old form, which is made here of the steps and of what the page shows of the
// elements just before they are acted on.

// nearbyLabel is the text beside a field that the old form gives, when it is not the field's name: of its label, or of the
// element before it. Only fields have one.
const nearbyLabel = `function() {
	const text = (e) => (e?.textContent ?? '').replace(/\s+/g, ' ').trim();
	if (!this.matches?.('input, textarea, select')) return '';
	const own = this.id && document.querySelector('label[for="' + CSS.escape(this.id) + '"]');
	if (text(own)) return text(own);
	const around = this.closest('label')?.cloneNode(true);
	around?.querySelectorAll('input, textarea, select, button').forEach(c => c.remove());
	if (text(around)) return text(around);
	const before = this.previousElementSibling;
	return before?.matches('label, span, div, p, dt') && text(before).length <= 48 ? text(before) : '';
}`

// oldTarget is the target that the older recorder would have written down for a live element.
func oldTarget(ctx context.Context, n *axtree.Node) (resolve.Descriptor, error) {
	l := n.Live
	d := resolve.Descriptor{Tag: l.Tag, Role: l.DOMRole, Name: l.DOMName, NameAttr: l.NameAttr}
	beside, err := call(ctx, n, nearbyLabel)
	if err != nil {
		return d, err
	}
	if r := []rune(beside); len(r) > 48 {
		beside = string(r[:47]) + "…"
	}
	if beside != d.Name {
		d.NearbyLabel = beside
	}
	return d, nil
}

// alike counts the elements that a person can see and that the older recorder would have described in the same words.
func alike(t *axtree.Tree, d resolve.Descriptor) int {
	seen := map[*axtree.Node]bool{}
	for _, n := range t.Nodes {
		if l := n.Live; l.Backend != 0 && !l.Hidden && !l.OffPage && n.Role != "StaticText" &&
			l.Tag == d.Tag && l.DOMRole == d.Role && l.DOMName == d.Name && l.NameAttr == d.NameAttr {
			seen[n] = true
		}
	}
	for n := range seen { // of one in the other, a click on either is the same click
		for a := range n.Ancestors() {
			delete(seen, a)
		}
	}
	return len(seen)
}

// oldQuery is the search for a target in its old form, as a replay makes it.
func oldQuery(d resolve.Descriptor, use resolve.Use, s *trace.Step) resolve.Query {
	return resolve.Query{Target: d, Use: use, Before: &axtree.Tree{URL: s.State.URL}, After: &axtree.Tree{URL: s.Result.URL}}
}

// oldForm writes a recording in its old form. Hovers, scrolling and changes of the tab are not in it, and of navigations that
// follow each other only the last. The second result gives for the id of each step the id that it has in the recording.
func oldForm(t *testing.T, tr *trace.Trace, targets map[int]resolve.Descriptor) (*trace.Trace, map[int]int) {
	t.Helper()
	type page struct {
		ID  string `json:"id"`
		URL string `json:"url"`
	}
	var pages []page
	pageOf := func(address string) string {
		for _, p := range pages {
			if p.URL == address {
				return p.ID
			}
		}
		pages = append(pages, page{"p" + string(rune('A'+len(pages))), address})
		return pages[len(pages)-1].ID
	}
	pageOf(tr.StartURL)
	var steps []map[string]any
	ids := map[int]int{}
	for _, s := range tr.Steps {
		o := map[string]any{"op": s.Op, "page": pageOf(s.State.URL)}
		switch s.Op {
		case trace.Hover, trace.Scroll, trace.SwitchTab:
			continue
		case trace.Navigate:
			o["to"], o["page"] = s.To, pageOf(s.To)
			if n := len(steps); n > 0 && steps[n-1]["op"] == trace.Navigate {
				steps = steps[:n-1]
			}
		case trace.Fill:
			o["value"] = s.Value
			if s.Redacted {
				o["redacted"] = true
			}
		case trace.Select:
			selection := []map[string]string{}
			for _, c := range s.Selection {
				selection = append(selection, map[string]string{"value": c.Value, "label": c.Label})
			}
			o["selection"] = selection
		case trace.Press:
			o["key"] = s.Key
			if m := modifierNames(s.Modifiers); len(m) > 0 {
				o["modifiers"] = m
			}
		}
		if s.Target != nil {
			d, ok := targets[s.ID]
			if !ok {
				continue // it was not acted on, so nothing is known of it
			}
			o["target"] = map[string]string{"tag": d.Tag, "role": d.Role, "name": d.Name, "name_attr": d.NameAttr, "nearby_label": d.NearbyLabel}
		}
		if s.State.URL != s.Result.URL && (s.Op == trace.Click || s.Op == trace.Press || s.Op == trace.Select) {
			o["effect"] = map[string]string{"navigated_to": pageOf(s.Result.URL)}
		}
		steps = append(steps, o)
		o["id"] = len(steps)
		ids[len(steps)] = s.ID
	}
	data, err := json.Marshal(map[string]any{
		"recorded_at": tr.RecordedAt, "entry": map[string]string{"start_url": tr.StartURL}, "pages": pages, "steps": steps,
	})
	if err != nil {
		t.Fatal(err)
	}
	old, err := trace.Read(bytes.NewReader(data), "old.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return old, ids
}

func modifierNames(m keymap.Modifiers) []string {
	var out []string
	for i, name := range []string{"alt", "ctrl", "meta", "shift"} {
		if m&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// TestOldForm: the form is read as version 2, and holds what that recorder kept.
func TestOldForm(t *testing.T) {
	tr, err := trace.Load("traces/hover-menus")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[int]resolve.Descriptor{}
	for _, s := range tr.Steps {
		if s.Target != nil {
			targets[s.ID] = resolve.Descriptor{Tag: "li", Name: s.Target.Name}
		}
	}
	old, ids := oldForm(t, tr, targets)
	var got []string
	for _, s := range old.Steps {
		got = append(got, string(s.Op)+" "+s.Target.Name)
	}
	if want := "click Drills, click Primer, click My lists"; old.Version != 2 || strings.Join(got, ", ") != want {
		t.Errorf("version %d: %s, want 2: %s", old.Version, strings.Join(got, ", "), want)
	}
	for id, of := range ids {
		if tr.Steps[of-1].Target.Name != old.Steps[id-1].Target.Name {
			t.Errorf("step %d stands for step %d", id, of)
		}
	}
}
