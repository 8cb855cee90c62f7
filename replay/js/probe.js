// Counts on a page how often each of the asked texts is shown, and finds the elements that a recorded target may be. It runs
// in an isolated world and leaves nothing behind. Input: {texts, soft, role, name, find}. Output: the facts as JSON, and
// with find the element too, which is the only match or null.
(input) => {
	// Most texts are plain, and most have no white space to squash; asking first is many times faster than doing it.
	const plain = /^[\t\n\r\x20-\x7e]*$/, loose = /^\s|\s$|\s\s|[\t\n\r]/;
	const squash = s => plain.test(s) ? (loose.test(s) ? s.replace(/\s+/g, ' ').trim() : s)
		: s.normalize('NFKC').replace(/[\u00ad\p{Cf}\p{Co}]/gu, '').replace(/\s+/g, ' ').trim();
	const wanted = new Map(input.texts.map(t => [t, 0])), soft = new Set(input.soft);
	const soften = s => s.replace(/\d+(?:[.,:/ -]\d+)*/g, '#');
	const similar = new Set(), messages = [];
	const longest = input.texts.reduce((n, t) => Math.max(n, t.length), 0);
	const shown = e => e.checkVisibility({ visibilityProperty: true });
	const live = e => e.closest('[role=status],[role=alert],[role=log],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output');
	const count = (text, e) => {
		const t = squash(text);
		if (!t || t.length > longest + 200) return;
		const n = wanted.get(t);
		if (n !== undefined) { if (shown(e)) wanted.set(t, n + 1); return; }
		if (similar.size < 60 && /\d/.test(t) && soft.has(soften(t)) && shown(e)) similar.add(t);
	};
	const parts = 'button,a,h1,h2,h3,h4,h5,h6,li,td,th,label,summary,p,dt,dd,caption,legend';
	const selector = {
		button: 'button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image],input[type=file],[role=button]',
		link: 'a[href],area[href],[role=link]', checkbox: 'input[type=checkbox],[role=checkbox]', switch: 'input[type=checkbox],[role=switch]',
		radio: 'input[type=radio],[role=radio]', textbox: 'input,textarea,[role=textbox],[contenteditable]', searchbox: 'input,[role=searchbox]',
		spinbutton: 'input,[role=spinbutton]', slider: 'input[type=range],[role=slider]', combobox: 'select,input,[role=combobox]',
		listbox: 'select,[role=listbox]', tab: '[role=tab]', menuitem: '[role=menuitem]', option: '[role=option]', treeitem: '[role=treeitem]',
	}[input.role];
	const labelled = ['aria-label', 'title', 'alt', 'placeholder', 'aria-labelledby'];
	// other reports whether an element certainly has another name than the one that is looked for, and has one: a plain text of
	// its own, and nothing else that could name it.
	const other = e => {
		if (e.firstElementChild || e.tagName === 'INPUT' || e.tagName === 'SELECT' || e.tagName === 'TEXTAREA' || e.labels && e.labels.length || labelled.some(a => e.hasAttribute(a))) return false;
		const t = e.textContent;
		return t.length < 2000 && plain.test(t) && t.trim() !== '' && fold(t) !== want;
	};
	const named = e => {
		const own = [e.getAttribute('aria-label'), e.getAttribute('title'), e.getAttribute('alt'), e.getAttribute('placeholder')];
		const by = e.getAttribute('aria-labelledby');
		if (by) own.push(by.split(/\s+/).map(id => e.getRootNode().getElementById?.(id)?.textContent ?? '').join(' '));
		if (e.labels) for (const l of e.labels) own.push(l.contains(e) ? l.textContent.replace(e.textContent, '') : l.textContent);
		if (e.tagName === 'INPUT' && /^(?:button|submit|reset)$/.test(e.type)) own.push(e.value || (e.type === 'submit' ? 'Submit' : e.type === 'reset' ? 'Reset' : ''));
		if (e.tagName !== 'INPUT' && e.tagName !== 'SELECT' && e.tagName !== 'TEXTAREA' && e.textContent.length < 2000) own.push(e.textContent);
		for (const d of e.querySelectorAll('[alt],[aria-label],[title],[aria-labelledby],title')) {
			const l = d.localName === 'title' ? d.textContent : d.getAttribute('aria-label') || d.getAttribute('alt') || d.getAttribute('title') || '?';
			own.push(l, e.textContent + l, l + e.textContent);
			if (d.hasAttribute('aria-labelledby')) unclear = true;
		}
		return own;
	};
	// An element without any text may still have a name, by generated content: then this pass does not know all equals.
	const generated = e => ['::before', '::after'].some(p => !/^(?:none|normal|""|'')?$/.test(getComputedStyle(e, p).content));
	let unclear = false, nameless = 0;
	const fold = s => squash(s).replace(/ /g, '').toLowerCase(), want = input.name ? fold(input.name) : '';
	const matches = [];
	let elements = 0, closed = false;
	const roots = [document];
	for (let i = 0; i < roots.length && i < 2000; i++) {
		const root = roots[i], texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		for (let n = texts.nextNode(); n; n = texts.nextNode()) {
			if (n.length > longest + 200) continue;
			const e = n.parentElement;
			if (e && !/^(?:SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(e.tagName)) count(n.data, e);
		}
		for (const n of root.querySelectorAll('*')) {
			elements++;
			if (n.shadowRoot) roots.push(n.shadowRoot);
			else if (n.localName.includes('-')) closed = true;
		}
		for (const n of root.querySelectorAll('[aria-label]')) count(n.getAttribute('aria-label'), n);
		for (const n of root.querySelectorAll(parts)) {
			if (n.firstElementChild && n.childElementCount < 8 && n.textContent.length <= longest + 200) count(n.textContent, n);
		}
		if (!input.find || !selector) continue;
		for (const n of root.querySelectorAll(selector)) {
			if (matches.length >= 20) break;
			if (other(n)) continue;
			const names = named(n).filter(s => s && squash(s));
			if (names.some(s => fold(s) === want)) matches.push(n);
			else if (names.length === 0 && !/^(?:INPUT|SELECT|TEXTAREA)$/.test(n.tagName) && (++nameless > 200 || generated(n))) unclear = true;
		}
	}
	for (const e of document.querySelectorAll('[role=status],[role=alert],[role=log],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output')) {
		const t = squash(e.textContent);
		if (t && t.length < 400 && messages.length < 20 && shown(e)) messages.push(t);
	}
	const seen = matches.filter(shown);
	const facts = JSON.stringify({ elements, closed: closed || unclear, tag: seen.length === 1 ? seen[0].localName : '', type: seen.length === 1 ? seen[0].type || '' : '', beside: seen.length === 1 ? (seen[0].closest('tr,li,article,[role=row],[role=listitem],[role=article]')?.textContent ?? '').slice(0, 8000) : '', counts: Object.fromEntries([...wanted].filter(c => c[1] > 0)), title: document.title, similar: [...similar], messages, matches: seen.length, hidden: matches.length - seen.length, modal: !!document.querySelector('dialog:modal,[aria-modal=true]') });
	return input.find ? { facts, element: seen.length === 1 ? seen[0] : null } : facts;
}
