package replay

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"retrace/replay/plan"
)

// listenScript keeps the texts that come to a document from now on, in the isolated world, bounded in number and length. It
// looks into open shadow roots that are there already; an index of the document knows them without a search. Run again with the same number (%d), it does nothing.
const listenScript = `(() => {
	if (globalThis.retraceTexts?.turn === %[1]d) return;
	globalThis.retraceTexts?.stop();
	const texts = [];
	const take = n => {
		if (texts.length > 400) return;
		if (n.nodeType === 3) { const t = n.data.trim(); if (t && t.length < 400) texts.push(t); return; }
		if (n.nodeType !== 1 || /^(SCRIPT|STYLE)$/.test(n.tagName)) return;
		const t = n.textContent.trim();
		if (t && t.length < 400) texts.push(t);
		if (n.childElementCount) for (const c of n.childNodes) take(c);
	};
	const see = list => { for (const m of list) { if (m.type === 'characterData') take(m.target); else for (const n of m.addedNodes) take(n); } };
	const watch = new MutationObserver(see), how = { subtree: true, childList: true, characterData: true };
	const roots = globalThis[Symbol.for('retrace.index')]?.roots() ?? [document, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(r => r)];
	for (const r of roots.slice(0, 200)) watch.observe(r, how);
	globalThis.retraceTexts = { turn: %[1]d, take() { see(watch.takeRecords()); return texts.splice(0); }, stop() { watch.disconnect(); } };
})()`

// takeScript returns the texts since the last call.
const takeScript = `globalThis.retraceTexts ? globalThis.retraceTexts.take() : []`

// listen begins to keep the texts that come to the page, so that a message is seen however shortly it is shown. In the frame of
// the element the action itself begins it, when it has an operation there first.
func (r *runner) listen(ctx context.Context, it *plan.Intent, fd *found) {
	r.turns++
	script := fmt.Sprintf(listenScript, r.turns)
	v, own := fd.view, cdp.FrameID("")
	if fd.node != nil && it.Choice == "" && !uploads(it, fd.node) {
		own, fd.el.First = fd.node.Live.Frame, script
	}
	for _, f := range v.frames {
		if f.ID == own {
			continue
		}
		if world, err := v.page.World(ctx, f.ID); err == nil {
			cdp.Call(ctx, f.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: script, ContextID: world})
		}
	}
}

// heard returns the texts that came since the last call. A document that is gone has taken its texts with it.
func (r *runner) heard(ctx context.Context, v *view) []string {
	var out []string
	byValue := true
	for _, f := range v.frames {
		world, err := v.page.World(ctx, f.ID)
		if err != nil {
			continue
		}
		res, err := cdp.Call(ctx, f.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: takeScript, ContextID: world, ReturnByValue: &byValue})
		if err != nil || res.Result == nil {
			continue
		}
		var texts []string
		if json.Unmarshal(res.Result.Value, &texts) == nil {
			out = append(out, texts...)
		}
	}
	return out
}
