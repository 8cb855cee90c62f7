// An index of a document: which of its nodes show which text, and which of its controls may have which name. It is built by one
// pass over the document and kept up to date by what a MutationObserver tells, so that a question about a large page costs no
// more than what has changed since the one before. It lives in an isolated world and leaves nothing in the page. What it has
// kept is only ever where to look: every node that it answers with is looked at again as it is then.
(() => {
	const key = Symbol.for('retrace.index');
	if (globalThis[key]) return;
	const longestText = 700, longestName = 2000, mostRoots = 2000, mostPending = 5000;

	// Most texts are plain, and most have no white space to squash; asking first is many times faster than doing it.
	const plain = /^[\t\n\r\x20-\x7e]*$/, loose = /^\s|\s$|\s\s|[\t\n\r]/;
	const squash = s => plain.test(s) ? (loose.test(s) ? s.replace(/\s+/g, ' ').trim() : s)
		: s.normalize('NFKC').replace(/[\u00ad\p{Cf}\p{Co}]/gu, '').replace(/\s+/g, ' ').trim();
	const soften = s => s.replace(/\d+(?:[.,:/ -]\d+)*/g, '#');
	const fold = s => squash(s).replace(/ /g, '').toLowerCase();
	// A form gives its field of that name instead.
	const above = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;

	// content is the text of an element, or null when it is longer than a limit. One that was too long before is read only up to the limit.
	const long = new WeakSet();
	const content = (e, limit) => {
		if (!long.has(e)) {
			const t = e.textContent;
			if (t.length <= limit) return t;
			long.add(e);
			return null;
		}
		const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		let t = '', n = 0;
		for (; walk.nextNode(); n++) {
			t += walk.currentNode.data;
			if (t.length > limit || n > limit) return null;
		}
		long.delete(e);
		return t;
	};

	// Keyed knows the nodes that have a key, and the keys of a node.
	class Keyed {
		nodes = new Map(); // key → a node, or a set of them
		keys = new Map(); // node → a key, or a list of them
		put(node, now) {
			const old = this.keys.get(node);
			if (old !== undefined) {
				if (old === now) return;
				for (const k of typeof old === 'string' ? [old] : old) this.cut(k, node);
			}
			if (now === undefined) { this.keys.delete(node); return; }
			this.keys.set(node, now);
			for (const k of typeof now === 'string' ? [now] : now) this.add(k, node);
		}
		add(k, node) {
			const at = this.nodes.get(k);
			if (at === undefined) { this.nodes.set(k, node); this.first(k); }
			else if (at instanceof Set) at.add(node);
			else if (at !== node) this.nodes.set(k, new Set([at, node]));
		}
		cut(k, node) {
			const at = this.nodes.get(k);
			if (at === node || at instanceof Set && at.delete(node) && at.size === 0) { this.nodes.delete(k); this.last(k); }
		}
		first() {}
		last() {}
		get(k) {
			const at = this.nodes.get(k);
			return at === undefined ? [] : at instanceof Set ? at : [at];
		}
	}
	// Texts knows besides the texts that are the same but for their numbers.
	class Texts extends Keyed {
		soft = new Map();
		first(k) {
			if (!/\d/.test(k)) return;
			const s = soften(k);
			if (!this.soft.has(s)) this.soft.set(s, new Set());
			this.soft.get(s).add(k);
		}
		last(k) {
			const s = soften(k), at = this.soft.get(s);
			if (at && at.delete(k) && at.size === 0) this.soft.delete(s);
		}
	}
	const texts = new Texts(), labels = new Texts(), wholes = new Texts(), names = new Keyed(), pieces = new Keyed();

	// What may be shown as one text though it has elements of its own.
	const parts = new Set('button a h1 h2 h3 h4 h5 h6 li td th label summary p dt dd caption legend'.split(' '));
	const selectors = {
		button: 'button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image],input[type=file],[role=button]',
		link: 'a[href],area[href],[role=link]', checkbox: 'input[type=checkbox],[role=checkbox]', switch: 'input[type=checkbox],[role=switch]',
		radio: 'input[type=radio],[role=radio]', textbox: 'input,textarea,[role=textbox],[contenteditable]', searchbox: 'input,[role=searchbox]',
		spinbutton: 'input,[role=spinbutton]', slider: 'input[type=range],[role=slider]', combobox: 'select,input,[role=combobox]',
		listbox: 'select,[role=listbox]', tab: '[role=tab]', menuitem: '[role=menuitem]', option: '[role=option]', treeitem: '[role=treeitem]',
	};
	const any = Object.values(selectors).join(',');
	const tags = new Set('button summary input a area textarea select'.split(' ')), valued = new Set(['input', 'select', 'textarea']);
	const live = '[role=status],[role=alert],[role=log],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output';
	const unseen = new Set(['script', 'style', 'option', 'noscript']);
	// The elements of HTML that may have a shadow tree without being custom elements.
	const hostable = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

	const known = new Map(); // element → whether a control
	const nameless = new Set(), unclear = new Set(), regions = new Set(), dialogs = new Set(), custom = new Set(), hosts = new Set();
	const roots = new Set();
	const controlOf = new Map(), labelsOf = new Map(); // label → control, control → labels
	const pointing = new Map(), pointed = new WeakMap(); // id → those that are named by it, element → those that are named by it
	const labelling = new Map(), forOf = new Map(); // id → labels for it, label → id
	const into = (map, k, v) => { if (!map.has(k)) map.set(k, new Set()); map.get(k).add(v); };
	const outOf = (map, k, v) => { const at = map.get(k); if (at && at.delete(v) && at.size === 0) map.delete(k); };

	// What is to be read again once all changes are known.
	const stale = { wholes: new Set(), names: new Set(), labels: new Set() };

	const idOf = id => {
		if (!id) return;
		for (const c of pointing.get(id) ?? []) stale.names.add(c);
		for (const l of labelling.get(id) ?? []) stale.labels.add(l);
	};
	const text = n => {
		const e = n.parentElement;
		const t = e && !unseen.has(e.localName) && n.length <= longestText ? squash(n.data) : '';
		texts.put(n, t || undefined);
	};
	const element = e => {
		const tag = e.localName, attributes = e.hasAttributes();
		let isControl = tags.has(tag), isLive = tag === 'output';
		if (attributes) {
			const label = e.getAttribute('aria-label');
			labels.put(e, label && label.length <= longestText && squash(label) || undefined);
			if (!isControl) isControl = (e.hasAttribute('role') || e.hasAttribute('contenteditable')) && e.matches(any);
			isLive = e.matches(live);
			idOf(e.getAttribute('id'));
		} else labels.put(e, undefined);
		known.set(e, isControl);
		isLive ? regions.add(e) : regions.delete(e);
		tag === 'dialog' || attributes && e.hasAttribute('aria-modal') ? dialogs.add(e) : dialogs.delete(e);
		if (parts.has(tag)) stale.wholes.add(e);
		isControl || names.keys.has(e) || nameless.has(e) || unclear.has(e) ? stale.names.add(e) : 0;
		if (tag === 'label') stale.labels.add(e);
		if (tag.includes('-')) custom.add(e);
		else if (hostable.has(tag)) hosts.add(e);
		if (e.shadowRoot) root(e.shadowRoot);
	};
	const drop = n => {
		const walk = document.createTreeWalker(n, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
		for (let e = walk.currentNode; e; e = walk.nextNode()) {
			if (e.nodeType === 3) { texts.put(e, undefined); continue; }
			if (e.nodeType !== 1 || !known.delete(e)) continue;
			for (const k of [labels, wholes, names, pieces]) k.put(e, undefined);
			for (const s of [nameless, unclear, regions, dialogs, custom, hosts]) s.delete(e);
			idOf(e.getAttribute('id'));
			if (e.localName === 'label') unlabel(e);
			labelsOf.delete(e);
			if (e.shadowRoot && roots.delete(e.shadowRoot)) for (const c of e.shadowRoot.childNodes) drop(c);
		}
	};
	const unlabel = l => {
		const c = controlOf.get(l), id = forOf.get(l);
		controlOf.delete(l);
		forOf.delete(l);
		if (c) { outOf(labelsOf, c, l); stale.names.add(c); }
		if (id) outOf(labelling, id, l);
	};
	// add takes a subtree in that is connected; done are the nodes that were taken in already.
	const add = (n, done) => {
		if (done && done.has(n)) return;
		const walk = document.createTreeWalker(n, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
		for (let e = walk.currentNode; e; e = walk.nextNode()) {
			if (done) done.add(e);
			if (e.nodeType === 3) text(e);
			else if (e.nodeType === 1) element(e);
		}
	};
	const how = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true,
		attributeFilter: ['id', 'for', 'role', 'type', 'value', 'href', 'title', 'alt', 'placeholder', 'contenteditable', 'aria-label', 'aria-labelledby', 'aria-live', 'aria-modal'] };
	let crowded = false; // there are more shadow trees than are kept
	const root = r => {
		if (roots.has(r)) return;
		if (roots.size >= mostRoots) { crowded = true; return; }
		roots.add(r);
		observer.observe(r, how);
		for (const c of r.childNodes) add(c);
	};

	// touch marks what may be named by an element, or by a part of it.
	const touch = (n, touched) => {
		for (let e = n; e && !touched.has(e); e = above.call(e)) {
			touched.add(e);
			if (parts.has(e.localName)) stale.wholes.add(e);
			if (known.get(e)) stale.names.add(e);
			for (const c of pointed.get(e) ?? []) stale.names.add(c);
			if (e.localName === 'label') stale.labels.add(e);
		}
	};

	// What else than its text may name an element, or a part of it.
	const speaking = '[alt],[aria-label],[title],[aria-labelledby],title';
	const labelFor = d => d.localName === 'title' ? d.textContent : d.getAttribute('aria-label') || d.getAttribute('alt') || d.getAttribute('title') || '?';
	// variants adds the names that an element with a text may get by what names its parts.
	const variants = (e, t, own) => {
		let vague = false;
		for (const d of e.querySelectorAll(speaking)) {
			const l = labelFor(d);
			own.push(l, t + l, l + t);
			if (d.hasAttribute('aria-labelledby')) vague = true;
		}
		return vague;
	};
	// named lists what a control may be called.
	const named = e => {
		const own = [e.getAttribute('aria-label'), e.getAttribute('title'), e.getAttribute('alt'), e.getAttribute('placeholder')];
		const ids = e.getAttribute('aria-labelledby');
		let vague = false;
		if (ids) {
			own.push(ids.split(/\s+/).map(id => {
				const to = id && e.getRootNode().getElementById?.(id);
				if (id) into(pointing, id, e);
				if (to) { if (!pointed.has(to)) pointed.set(to, new Set()); pointed.get(to).add(e); }
				if (to && (to.matches(speaking) || to.firstElementChild || valued.has(to.localName))) vague = true;
				return to?.textContent ?? '';
			}).join(' '));
		}
		const by = labelsOf.get(e) ?? [];
		if (by.size > 1) vague = true;
		for (const l of by) {
			const t = l.contains(e) ? l.textContent.replace(e.textContent, '') : l.textContent;
			own.push(t);
			if (l.hasAttribute('aria-label')) own.push(l.getAttribute('aria-label'));
			if (!l.firstElementChild) continue;
			if (variants(l, t, own)) vague = true;
			for (const d of l.querySelectorAll('input,select,textarea')) if (d !== e) vague = true; // its value is a part of the name
		}
		const tag = e.localName;
		if (tag === 'input' && /^(?:button|submit|reset)$/.test(e.type)) own.push(e.value || (e.type === 'submit' ? 'Submit' : e.type === 'reset' ? 'Reset' : ''));
		const t = content(e, longestName) ?? '';
		if (!valued.has(tag)) own.push(t);
		if (e.firstElementChild && (variants(e, t, own) || e.querySelector('slot'))) vague = true; // what is shown in a slot is elsewhere
		return { keys: [...new Set(own.filter(Boolean).map(fold).filter(Boolean))], vague };
	};
	// sources are the elements of which the shown text names a control.
	const sources = e => valued.has(e.localName) ? [...labelsOf.get(e) ?? []] : [e];
	// split lists the parts of those texts, where there are several: what is hidden, now or later, is no part of the name. It is null
	// when there are too many.
	const split = e => {
		const out = new Set();
		for (const s of sources(e)) {
			if (!s.firstElementChild) continue;
			const walk = document.createTreeWalker(s, NodeFilter.SHOW_TEXT);
			for (let n = 0; walk.nextNode(); n++) {
				if (n > 40) return null;
				const t = fold(walk.currentNode.data);
				if (t) out.add(t);
			}
		}
		return [...out];
	};
	// spoken reports whether the shown text of a control, or of its label, is the name.
	const spoken = (e, want) => sources(e).some(s => {
		let t = '';
		const walk = document.createTreeWalker(s, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const p = above.call(walk.currentNode);
			if (p === e && s !== e || p.closest('[aria-hidden=true]') || !p.checkVisibility({ visibilityProperty: true })) continue;
			t += walk.currentNode.data;
		}
		return fold(t) === want;
	});
	const freshen = () => {
		for (const l of stale.labels) {
			unlabel(l);
			if (!l.isConnected) continue;
			if (l.htmlFor) { into(labelling, l.htmlFor, l); forOf.set(l, l.htmlFor); }
			const c = l.control;
			if (!c) continue;
			controlOf.set(l, c);
			into(labelsOf, c, l);
			stale.names.add(c);
		}
		stale.labels.clear();
		for (const e of stale.wholes) {
			let t;
			if (e.isConnected && e.firstElementChild && e.childElementCount < 8) t = content(e, longestText);
			wholes.put(e, t && squash(t) || undefined);
		}
		stale.wholes.clear();
		for (const e of stale.names) {
			nameless.delete(e);
			unclear.delete(e);
			if (!e.isConnected || !known.get(e)) { names.put(e, undefined); pieces.put(e, undefined); continue; }
			const n = named(e), p = split(e);
			pieces.put(e, p && p.length ? p : undefined);
			if (!p) n.vague = true;
			names.put(e, n.keys.length ? n.keys : undefined);
			if (n.vague) unclear.add(e);
			if (!n.keys.length && !valued.has(e.localName)) nameless.add(e);
		}
		stale.names.clear();
	};

	let pending = [];
	// broken is set when an update failed, as on a page whose forms hide what an element is: then nothing is answered any more.
	let broken = false;
	const take = list => {
		try {
			for (const m of list) pending.push(m);
			if (pending.length > mostPending) update();
		} catch (e) {
			broken = true;
			pending = [];
			observer.disconnect();
		}
	};
	const observer = new MutationObserver(take);
	const update = () => {
		const list = pending;
		pending = [];
		const gone = new Set(), came = new Set(), again = new Set(), touched = new Set(), done = new Set();
		for (const m of list) {
			if (m.type === 'childList') {
				for (const n of m.removedNodes) gone.add(n);
				for (const n of m.addedNodes) came.add(n);
				touch(m.target, touched);
			} else if (m.type === 'characterData') {
				if (m.target.nodeType === 3 && m.target.isConnected) text(m.target);
				touch(m.target.parentElement, touched);
			} else {
				again.add(m.target);
				if (m.attributeName === 'id') { idOf(m.oldValue); idOf(m.target.getAttribute('id')); }
				touch(m.target, touched);
			}
		}
		for (const n of gone) if (!n.isConnected) drop(n);
		for (const n of came) if (n.isConnected) add(n, done);
		for (const e of again) if (e.isConnected && !done.has(e)) element(e);
		freshen();
	};
	// current brings the index up to date. Shadow trees that were attached since to elements that it has already are not told of.
	const current = () => {
		take(observer.takeRecords());
		if (broken) throw new Error('the index is broken');
		try {
			broken = true;
			update();
			for (const e of custom) if (e.shadowRoot && !roots.has(e.shadowRoot)) root(e.shadowRoot);
			for (const e of hosts) if (e.shadowRoot && !roots.has(e.shadowRoot)) root(e.shadowRoot);
			freshen();
			broken = false;
		} finally {
			if (broken) observer.disconnect();
		}
	};

	// An element without any text may still have a name, by generated content: then the index does not know all equals.
	const generated = e => ['::before', '::after'].some(p => !/^(?:none|normal|""|'')?$/.test(getComputedStyle(e, p).content));

	// find looks for what a recorded target may be: the elements of its role that may have its name, and whether others may have it too.
	const find = (role, name) => {
		const selector = selectors[role], want = name ? fold(name) : '';
		if (!selector) return { known: false, matches: [], unclear: true };
		const matches = [];
		for (const e of names.get(want)) {
			if (matches.length >= 20) break;
			if (e.isConnected && e.matches(selector) && named(e).keys.includes(want)) matches.push(e);
		}
		for (let i = 1; i <= want.length && matches.length < 20; i++) {
			for (const e of pieces.get(want.slice(0, i))) {
				if (e.isConnected && !matches.includes(e) && e.matches(selector) && spoken(e, want)) matches.push(e);
			}
		}
		let blank = 0;
		// Part of a name, with generated content before or after it, may be the name too.
		const partly = () => {
			for (let i = 1; i < want.length; i++) for (const part of [want.slice(0, i), want.slice(i)]) {
				for (const e of names.get(part)) if (e.isConnected && e.matches(selector) && !valued.has(e.localName) && (++blank > 200 || generated(e))) return true;
			}
			return false;
		};
		const vague = partly() || [...unclear].some(e => e.isConnected && e.matches(selector))
			|| [...nameless].some(e => e.isConnected && e.matches(selector) && (++blank > 200 || generated(e)));
		return { known: true, matches, unclear: vague };
	};

	const api = {
		last: null,
		// ask: input {texts, soft, role, name, find}. Tells how often each of the texts is shown, and with find how many elements the target may
		// be; the only one is kept in last.
		ask(input) {
			current();
			const seen = new Map();
			const shown = e => {
				let s = seen.get(e);
				if (s === undefined) seen.set(e, s = e.isConnected && e.checkVisibility({ visibilityProperty: true }));
				return s;
			};
			const places = function* (t) {
				for (const n of texts.get(t)) if (n.parentElement && n.isConnected) yield n.parentElement;
				yield* labels.get(t);
				yield* wholes.get(t);
			};
			const counts = {};
			for (const t of input.texts) {
				let n = 0;
				for (const e of places(t)) if (shown(e)) n++;
				if (n) counts[t] = n;
			}
			const asked = new Set(input.texts), similar = new Set();
			let looks = 0;
			for (const kind of [texts, labels, wholes]) for (const s of input.soft) for (const t of kind.soft.get(s) ?? []) {
				if (similar.size >= 60 || ++looks > 2000) break;
				if (asked.has(t) || similar.has(t)) continue;
				for (const e of places(t)) if (shown(e)) { similar.add(t); break; }
			}
			const messages = [];
			for (const e of regions) {
				if (messages.length >= 20) break;
				const t = e.isConnected && e.matches(live) ? squash(content(e, longestName) ?? '') : '';
				if (t && t.length < 400 && shown(e)) messages.push(t);
			}
			const f = input.find ? find(input.role, input.name) : { known: true, matches: [], unclear: false };
			const one = f.matches.filter(shown);
			api.last = one.length === 1 ? one[0] : null;
			const e = api.last;
			return JSON.stringify({
				known: f.known, closed: f.unclear || crowded || [...custom].some(e => e.isConnected && !e.shadowRoot),
				counts, similar: [...similar], messages, title: document.title, matches: one.length,
				modal: [...dialogs].some(e => e.isConnected && e.matches('dialog:modal,[aria-modal=true]')),
				tag: e ? e.localName : '', type: e && e.type || '',
				beside: e ? (e.closest('tr,li,article,[role=row],[role=listitem],[role=article]')?.textContent ?? '').slice(0, 8000) : '',
			});
		},
		// roots are the document and the shadow trees that are known.
		roots: () => [...roots].filter(r => r.isConnected),
		// end lets go of the document.
		end() {
			broken = true;
			observer.disconnect();
		},
	};
	root(document);
	freshen();
	globalThis[key] = api;
})()
