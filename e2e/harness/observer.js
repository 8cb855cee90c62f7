// Put into every page of the site: reports which elements really received trusted events, and whether
// the flow's check holds. Passive listeners only.
(function () {
  if (window.__observed) return;
  Object.defineProperty(window, '__observed', { value: true });
  let queue = [], timer = 0;
  const flush = () => { timer = 0; if (!queue.length) return; const body = JSON.stringify(queue); queue = []; navigator.sendBeacon('/__observe', body); };
  const push = (event) => { queue.push(event); if (!timer) timer = setTimeout(flush, 20); };
  const up = (n) => n.parentElement || (n.getRootNode() instanceof ShadowRoot ? n.getRootNode().host : null);
  const cssIn = (el, root) => {
    const parts = [];
    for (let n = el; n && n.nodeType === 1 && n !== root;) {
      if (n.id && !/\d{6}/.test(n.id) && /^[A-Za-z][\w-]*$/.test(n.id) && root.querySelectorAll('#' + n.id).length === 1) { parts.unshift('#' + n.id); break; }
      const p = n.parentNode; if (!p) break;
      let step = n.tagName.toLowerCase();
      const twins = [...(p.children || [])].filter((c) => c.tagName === n.tagName);
      if (twins.length > 1) step += `:nth-of-type(${twins.indexOf(n) + 1})`;
      parts.unshift(step); n = p.nodeType === 1 ? p : null;
    }
    return parts.join(' > ');
  };
  const path = (el) => { const segs = []; for (let cur = el; ;) { const r = cur.getRootNode(); segs.unshift(cssIn(cur, r)); if (r instanceof ShadowRoot) cur = r.host; else return segs.join(' >>> '); } };
  const truth = (el) => { for (let n = el; n; n = up(n)) if (n.hasAttribute && n.hasAttribute('data-truth')) return n.getAttribute('data-truth'); return null; };
  for (const type of ['click', 'input', 'change', 'keydown']) addEventListener(type, (e) => {
    if (!e.isTrusted && type !== 'change' && type !== 'input') return;
    let el = e.composedPath()[0]; if (!(el instanceof Element)) el = document.documentElement;
    const control = el.closest && el.closest('label') && el.closest('label').control;
    push({ type, truth: truth(el), css: path(el), control: control ? truth(control) || path(control) : null, key: e.key, url: location.pathname });
    if (type === 'click' || e.key === 'Enter') flush();
  }, true);
  addEventListener('pagehide', flush, true);
  if (window !== window.top) return;
  fetch('/__check').then((r) => r.text()).then((expr) => {
    let last; const test = new Function('return (' + expr + ')');
    const tick = () => { let v = false; try { v = !!test(); } catch (e) { /* not on this page */ } if (v !== last) { last = v; push({ type: 'check', value: v, url: location.pathname }); flush(); } };
    setInterval(tick, 50); addEventListener('pagehide', tick, true); tick();
  });
})();
