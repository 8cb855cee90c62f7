// Walking the page as it is drawn: through slots, shadow roots and frames.

const short = (s, n = 40) => {
  s = String(s || '').replace(/\s+/g, ' ').trim();
  return s.length > n ? s.slice(0, n - 1) + '…' : s;
};

const elementOf = (node) => {
  if (node.nodeType === 1) return node;
  if (node.nodeType === 9) return node.documentElement;
  return node.parentElement || node.getRootNode().host || null;
};

// hostOf is the host of the shadow tree that the node lies in, or null.
const hostOf = (node) => {
  const root = node.getRootNode();
  return root.nodeType === 11 && root.host ? root.host : null;
};

// above is the parent in the flat tree, as far as it is open to scripts.
const above = (el) => el.assignedSlot || el.parentElement || hostOf(el);

const nearest = (el, selector) => {
  for (let n = el; n; n = above(n)) if (n.matches && n.matches(selector)) return n;
  return null;
};

// holds reports whether inner is outer or is drawn inside it. The slots of a closed shadow tree are asked from
// inside, because assignedSlot does not show them.
const holds = (outer, inner) => {
  for (let n = inner; n; n = above(n)) if (n === outer) return true;
  const slots = outer.querySelectorAll ? outer.querySelectorAll('slot') : [];
  for (const slot of slots) {
    for (const a of slot.assignedElements({flatten: true})) if (a === inner || a.contains(inner)) return true;
  }
  return false;
};

const activeElement = (doc) => {
  let a = doc.activeElement;
  while (a && a.shadowRoot && a.shadowRoot.activeElement) a = a.shadowRoot.activeElement;
  return a;
};

// hasFocus looks in the element's own tree, so that closed shadow trees are seen too.
const hasFocus = (el) => {
  const a = el.getRootNode().activeElement || activeElement(el.ownerDocument);
  return !!a && holds(el, a);
};

const dialogName = (d) => {
  const by = (d.getAttribute('aria-labelledby') || '').split(/\s+/)
    .map((id) => id && d.getRootNode().getElementById(id)).filter(Boolean).map((n) => n.textContent).join(' ');
  const heading = d.querySelector('h1,h2,h3,h4,[role=heading]');
  return short(d.getAttribute('aria-label') || by || (heading && heading.textContent) || d.innerText);
};

const isDialog = (el) => el.matches('dialog,[role=dialog],[role=alertdialog]');

// describe names an element for a person: tag, short name, role, nearest dialog. What was typed is never in it.
const describe = (el) => {
  if (!el) return 'nothing';
  if (el.matches('html,body')) return 'the background of the page';
  const typed = el.isContentEditable || el.matches('input,textarea,select');
  const name = isDialog(el) ? dialogName(el) : short(el.getAttribute('aria-label') || el.getAttribute('title') ||
    el.getAttribute('alt') || el.getAttribute('placeholder') || (typed ? '' : el.innerText || el.textContent));
  let s = el.localName;
  if (name) s += ` "${name}"`;
  else if (el.id) s += `#${short(el.id, 30)}`;
  const role = el.getAttribute('role');
  if (role) s += ` (role ${short(role, 20)})`;
  for (let n = above(el); n; n = above(n)) {
    if (!isDialog(n)) continue;
    const title = dialogName(n);
    return s + (title ? ` in dialog "${title}"` : ' in a dialog');
  }
  return s;
};

const failure = (state, text, more) => ({state, text, ...more});
