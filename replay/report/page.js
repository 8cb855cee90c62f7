'use strict';
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const steps = all('.step'), runs = all('article'), status = document.getElementById('count');
  let wantStep = '', wantRun = '';
  const show = () => {
    let n = 0, m = 0;
    for (const r of runs) {
      const fits = wantRun === '' || r.dataset.verdict === wantRun;
      let any = false;
      for (const s of r.querySelectorAll('.step')) {
        s.hidden = wantStep !== '' && s.dataset.verdict !== wantStep;
        if (!s.hidden) { any = true; if (fits) n++; }
      }
      r.hidden = !fits || wantStep !== '' && !any;
      if (!r.hidden) { m++; if (wantStep !== '') r.querySelector('.run').open = true; }
    }
    for (const e of all('.entry')) e.hidden = wantRun !== '' && e.dataset.verdict !== wantRun;
    for (const b of all('nav [data-show]')) b.setAttribute('aria-pressed', String(b.dataset.show === wantStep));
    for (const b of all('nav [data-runs]')) b.setAttribute('aria-pressed', String(b.dataset.runs === wantRun));
    const said = [];
    if (wantRun !== '') said.push(`${m} of ${runs.length} traces shown`);
    if (wantStep !== '') said.push(`${n} of ${steps.length} steps shown`);
    status.textContent = said.join(', ');
  };
  for (const b of all('nav [data-show]')) b.addEventListener('click', () => { wantStep = b.dataset.show; show(); });
  for (const b of all('nav [data-runs]')) b.addEventListener('click', () => { wantRun = b.dataset.runs; show(); });
  for (const b of all('.zoom')) b.addEventListener('click', () => {
    const large = b.getAttribute('aria-pressed') !== 'true';
    b.setAttribute('aria-pressed', String(large));
    b.closest('figure').classList.toggle('large', large);
  });
  const toggle = document.getElementById('open-all');
  toggle.addEventListener('click', () => {
    const open = toggle.getAttribute('aria-pressed') !== 'true';
    toggle.setAttribute('aria-pressed', String(open));
    for (const s of steps) if (!s.hidden) s.querySelector('details').open = open;
    if (open) for (const r of all('.run')) r.open = true;
  });
  const reveal = (e) => { for (let d = e; d; d = d.parentElement) if (d.tagName === 'DETAILS') d.open = true; };
  const go = (list, by) => {
    if (!list.length) return;
    const active = document.activeElement, here = active && active.closest('.step');
    const at = here ? list.indexOf(here) : -1;
    let next = list[Math.min(Math.max(at + by, 0), list.length - 1)];
    if (at < 0 && here) {
      const after = list.filter((s) => here.compareDocumentPosition(s) & Node.DOCUMENT_POSITION_FOLLOWING);
      const before = list.filter((s) => here.compareDocumentPosition(s) & Node.DOCUMENT_POSITION_PRECEDING);
      next = by > 0 ? after[0] || list[list.length - 1] : before[before.length - 1] || list[0];
    } else if (at < 0) next = list[0];
    const summary = next.querySelector('summary');
    reveal(next.parentElement);
    summary.focus(); summary.scrollIntoView({ block: 'nearest' });
  };
  const shown = () => steps.filter((s) => !s.hidden && !s.closest('article').hidden);
  addEventListener('keydown', (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest('input,textarea,select')) return;
    if (e.key === 'j') go(shown(), 1);
    else if (e.key === 'k') go(shown(), -1);
    else if (e.key === 'o') toggle.click();
    else if (e.key === 'f') { wantStep = wantRun = ''; show(); go(steps.filter((s) => s.dataset.verdict === 'failed'), 1); }
  });
  const follow = () => {
    const at = location.hash && document.getElementById(location.hash.slice(1));
    if (!at) return;
    reveal(at); at.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();
})();
