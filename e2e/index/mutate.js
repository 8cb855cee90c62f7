// Changes a document at random, again and again, and compares the index that was kept up to date with one that is made anew. The
// result lists the differences. Input: the seed, the text of the index, how often to compare.
(seed, source, rounds) => {
	const key = Symbol.for('retrace.index');
	const make = () => {
		const kept = globalThis[key];
		delete globalThis[key];
		(0, eval)(source);
		const made = globalThis[key];
		if (kept) globalThis[key] = kept;
		return made;
	};
	let state = seed >>> 0 || 1;
	const random = n => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n; };
	const pick = list => list[random(list.length)];
	const words = ['Save', 'Send', 'Row 1', 'Row 2', 'Open  it', 'Sa\u00adve', '', ' ', 'Total 3.50', 'x'.repeat(720), 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
	const ids = ['a', 'b', 'c', 'd'];
	const roles = ['button', 'link', 'checkbox', 'switch', 'radio', 'textbox', 'searchbox', 'spinbutton', 'slider', 'combobox', 'listbox', 'tab', 'menuitem', 'option', 'treeitem', 'heading'];
	const fragments = [
		w => `<button>${w}</button>`, w => `<button><img alt="${w}"></button>`, w => `<button><span>${w}</span><b>${pick(words)}</b></button>`,
		w => `<label for="${pick(ids)}">${w}</label>`, w => `<input id="${pick(ids)}">`, w => `<label>${w} <input type="checkbox"></label>`,
		w => `<label>${w} <span><select><option>${w}</option></select></span></label>`, w => `<input type="submit" value="${w}">`,
		w => `<input placeholder="${w}">`, w => `<textarea title="${w}"></textarea>`, w => `<div role="${pick(roles)}">${w}</div>`,
		w => `<div role="${pick(roles)}" aria-labelledby="${pick(ids)} ${pick(ids)}">${w}</div>`, w => `<p id="${pick(ids)}">${w}</p>`,
		w => `<a href="#">${w}</a>`, w => `<a>${w}</a>`, w => `<ul><li>${w} <em>${pick(words)}</em></li><li><button>${w}</button></li></ul>`,
		w => `<div contenteditable>${w}</div>`, w => `<div aria-label="${w}"></div>`, w => `<div role="status">${w}</div>`, w => `<output>${w}</output>`,
		w => `<dialog>${w}<button>${w}</button></dialog>`, w => `<div aria-modal="true">${w}</div>`, w => `<x-${pick(['one', 'two'])}>${w}</x-one>`,
		w => `<table><tr><td>${w}</td><td><i>${w}</i><b>${w}</b></td></tr></table>`, w => `<svg><a href="#"><title>${w}</title></a></svg>`,
		w => `<button><svg aria-label="${w}"></svg></button>`, w => `<fieldset><legend>${w} <i>x</i></legend></fieldset>`, w => `<details><summary>${w}</summary></details>`,
		w => `<form><input name="id"><input name="parentElement"><button>${w}</button></form>`, w => `<script type="text/plain">${w}</` + `script>`,
	];
	const everything = () => {
		const out = [document.body];
		for (let i = 0; i < out.length; i++) {
			for (const e of out[i].children) out.push(e);
			if (out[i].shadowRoot) for (const e of out[i].shadowRoot.children) out.push(e);
		}
		return out;
	};
	const away = []; // subtrees that were taken out
	const html = () => { let s = ''; for (let n = 1 + random(3); n; n--) s += pick(fragments)(pick(words)); return s; };
	const holder = e => !/^(?:input|img|option|script|textarea|select)$/.test(e.localName);
	const steps = [
		e => { if (holder(e)) { const t = document.createElement('template'); t.innerHTML = html(); e.insertBefore(t.content, pick([null, ...e.childNodes])); } },
		e => { if (holder(e)) { const t = document.createElement('template'); t.innerHTML = html(); e.append(t.content); } },
		e => { if (e !== document.body) { e.remove(); away.push(e); } },
		e => { const to = pick(everything()); if (e !== document.body && holder(to) && !e.contains(to)) to.append(e); },
		e => { const from = away.splice(random(away.length || 1), 1)[0]; if (from && holder(e) && !from.contains(e)) { if (random(2)) from.append(pick(words)); e.prepend(from); } },
		() => { const e = pick(away.length ? away : [document.createElement('p')]); e.setAttribute('aria-label', pick(words)); if (e.firstElementChild) e.firstElementChild.remove(); },
		e => { for (const n of e.childNodes) if (n.nodeType === 3) { n.data = pick(words); break; } },
		e => { if (holder(e) && everything().length > 60 && e !== document.body) e.textContent = pick(words); },
		e => { if (holder(e) && e !== document.body && random(4) === 0) e.innerHTML = html(); },
		e => e.setAttribute(pick(['aria-label', 'title', 'alt', 'placeholder', 'value']), pick(words)),
		e => e.setAttribute('id', pick(ids)),
		e => e.setAttribute('for', pick(ids)),
		() => { const e = pick([...document.querySelectorAll('[id]'), document.createElement('p')]); e.id = pick(ids); },
		() => { const e = pick([...document.querySelectorAll('[id]:not(input)'), document.createElement('p')]); if (e.childElementCount < 2) e.textContent = pick(words); },
		e => e.setAttribute('role', pick(roles)),
		e => e.setAttribute('aria-labelledby', pick(ids) + ' ' + pick(ids)),
		e => e.setAttribute('type', pick(['text', 'submit', 'checkbox', 'hidden', 'button', 'reset'])),
		e => e.setAttribute('aria-live', pick(['polite', 'off'])),
		e => { if (e.attributes.length) e.removeAttribute(pick([...e.attributes]).name); },
		e => { if (e !== document.body) e.hidden = !e.hidden; },
		e => { if (e.localName === 'dialog' && e.isConnected) e.open ? e.close() : e.showModal(); },
		e => { if (!e.shadowRoot && (/^(?:div|p|span)$|-/.test(e.localName))) e.attachShadow({ mode: 'open' }).innerHTML = random(3) ? html() : ''; },
		e => { if (e.shadowRoot) e.shadowRoot.append(pick(words)); },
		e => e.normalize(),
		() => { if (random(40) === 0) { document.open(); document.write('<title>new</title><body>' + html()); document.close(); away.length = 0; } },
		() => { while (everything().length > 120) document.body.lastElementChild.remove(); },
	];
	// The steps on which names hang that come from other elements.
	const linked = [10, 12, 13, 15, 0];
	const view = (index, role, name) => {
		const f = JSON.parse(index.ask({ texts: ['Save', 'Send', 'Row 1', 'Open it', 'x'], soft: ['Row #', 'Total #'], find: true, role, name }));
		f.similar.sort();
		f.messages.sort();
		f.counts = Object.entries(f.counts).sort();
		return [JSON.stringify(f), index.last];
	};
	document.body.innerHTML = html() + html() + html();
	make();
	const index = globalThis[key], bad = [];
	let matched = 0;
	for (let i = 0; i < rounds && bad.length < 5; i++) {
		const done = [];
		for (let n = 1 + random(6); n; n--) { const s = random(3) ? random(steps.length) : pick(linked); done.push(s); try { steps[s](pick(everything())); } catch { /* the document does not allow it */ } }
		const fresh = make();
		const probes = roles.flatMap(role => ['Save', 'One', 'Two', 'Three', 'Four', 'Five', 'SixSave', 'Seven', 'OneTwo'].map(name => [role, name]));
		for (const [role, name] of probes) {
			const [a, x] = view(index, role, name), [b, y] = view(fresh, role, name);
			if (x) matched++;
			if (a !== b || x !== y) { bad.push({ round: i, done, role, name, kept: a, fresh: b, page: document.documentElement.outerHTML.slice(0, 3000) }); break; }
		}
		fresh.end();
	}
	return { bad, matched };
}
