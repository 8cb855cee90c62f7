'use strict';
(() => {
  const steps = [...document.querySelectorAll('.step')], buttons = [...document.querySelectorAll('nav button')];
  const status = document.getElementById('count');
  const show = (verdict) => {
    let n = 0;
    for (const s of steps) { s.hidden = verdict !== '' && s.dataset.verdict !== verdict; if (!s.hidden) n++; }
    for (const b of buttons) b.setAttribute('aria-pressed', String(b.dataset.show === verdict));
    status.textContent = verdict === '' ? '' : `${n} of ${steps.length} steps shown`;
  };
  for (const b of buttons) b.addEventListener('click', () => show(b.dataset.show));
  const go = (list, by) => {
    if (!list.length) return;
    const here = document.activeElement && document.activeElement.closest('.step');
    const at = here ? list.findIndex((s) => s === here || (by > 0 ? here.compareDocumentPosition(s) & 4 : false)) : -1;
    const same = at >= 0 && list[at] === here;
    const next = by > 0 ? (at < 0 ? (here ? list.length - 1 : 0) : Math.min(same ? at + 1 : at, list.length - 1)) : Math.max((at < 0 ? 0 : at) - 1, 0);
    const summary = list[next].querySelector('summary');
    summary.focus(); summary.scrollIntoView({ block: 'nearest' });
  };
  addEventListener('keydown', (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest('input,textarea,select')) return;
    if (e.key === 'j') go(steps.filter((s) => !s.hidden), 1);
    else if (e.key === 'k') go(steps.filter((s) => !s.hidden), -1);
    else if (e.key === 'f') { show(''); go(steps.filter((s) => s.dataset.verdict === 'failed'), 1); }
  });
  if (location.hash) { const d = document.getElementById(location.hash.slice(1)); if (d && d.tagName === 'DETAILS') d.open = true; }
})();
