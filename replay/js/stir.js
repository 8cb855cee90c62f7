// Waits until the document has changed since so many changes were counted, for ms milliseconds at most, and gives the number of
// changes. A negative number waits for the next one. Changes in open shadow trees count where the tree was there at the first call.
(since, ms) => {
	const key = Symbol.for('retrace.stir');
	let s = globalThis[key];
	if (!s) {
		s = globalThis[key] = { count: 0, waiting: 0, wake: () => {} };
		const watch = new MutationObserver(() => { s.count++; s.wake(); });
		const how = { subtree: true, childList: true, characterData: true, attributes: true };
		watch.observe(document, how);
		let roots = 0;
		for (const e of document.querySelectorAll('*')) if (e.shadowRoot && roots++ < 200) watch.observe(e.shadowRoot, how);
	}
	if (since >= 0 && s.count !== since) return s.count;
	return new Promise(done => {
		const end = () => { clearTimeout(timer); s.wake = () => {}; s.waiting = 0; done(s.count); };
		const timer = setTimeout(end, ms);
		s.wake = end;
		s.waiting = 1;
	});
}
