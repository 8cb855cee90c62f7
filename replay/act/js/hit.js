// Where a press would land.

// topAt is the innermost element at the point, looked up from the document down to the tree that el lies in.
const topAt = (el, x, y) => {
  const roots = [];
  for (let n = el; n;) {
    const root = n.getRootNode();
    roots.unshift(root);
    n = root.nodeType === 11 ? root.host : null;
  }
  let hit = null;
  for (let i = 0; i < roots.length; i++) {
    const found = roots[i].elementFromPoint(x, y);
    if (!found) break;
    hit = found;
    if (i + 1 < roots.length && found !== roots[i + 1].host) break;
  }
  // An open shadow tree below the last root holds the element that is really on top.
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};

const interactive = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],' +
  '[role=menuitem],[role=tab],[role=switch],[role=option],[contenteditable=""],[contenteditable="true"]';

// foreign is another control inside the element that would take the press for itself. The controls of an element's
// own shadow tree are the element.
const foreign = (surface, control, hit) => {
  for (let n = hit; n && n !== surface; n = above(n)) {
    if (n !== control && n.matches(interactive) && hostOf(n) !== surface) return n;
  }
  return null;
};

// labelsOf are the labels of a control that can be pressed in its place.
const labelsOf = (el) => {
  if (el.localName !== 'input' || !['checkbox', 'radio', 'file'].includes(el.type)) return [];
  return [...(el.labels || [])];
};

// meets reports whether an element at a point belongs to the surface: itself, inside it, or its label.
const meets = (el, surface, hit) => !!hit && (holds(surface, hit) ||
  (surface === el && labelsOf(el).some((l) => holds(l, hit) && !foreign(l, el, hit))));

const plain = (m) => m === 'none' || /^matrix\(1, 0, 0, 1, /.test(m);

// warped reports whether the frame is drawn scaled, turned or in perspective, so that adding offsets is not enough.
const warped = (frame) => {
  for (let n = frame; n; n = above(n)) {
    const s = getComputedStyle(n);
    if (!plain(s.transform) || s.rotate !== 'none' || s.scale !== 'none' || s.perspective !== 'none') return true;
    if (s.offsetPath && s.offsetPath !== 'none') return true;
  }
  return false;
};

const zoomOf = (f, r) => {
  const zoom = f.offsetWidth ? r.width / f.offsetWidth : 1;
  return Math.abs(zoom - 1) < .01 ? 1 : zoom;
};

// outward follows the point through the frames around the element's own. Every frame must be what is on top in
// its parent. It ends at the outermost frame, or at an edge that only the protocol can see past.
const outward = (el, x, y) => {
  for (let w = el.ownerDocument.defaultView; w !== w.parent; w = w.parent) {
    const f = w.frameElement;
    if (!f || warped(f)) return {x, y, edge: true};
    const r = f.getBoundingClientRect(), s = getComputedStyle(f);
    const zoom = zoomOf(f, r); // of CSS, which enlarges the frame's document too
    x = r.left + (f.clientLeft + parseFloat(s.paddingLeft) + x) * zoom;
    y = r.top + (f.clientTop + parseFloat(s.paddingTop) + y) * zoom;
    const doc = f.ownerDocument.defaultView;
    if (x < 0 || y < 0 || x >= doc.innerWidth || y >= doc.innerHeight) return {off: true};
    const hit = topAt(f, x, y);
    if (hit !== f) return {cover: hit};
  }
  return {x, y};
};

// spots are the points of a box to try, the middle first.
const spots = [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.25, .25], [.75, .25], [.25, .75], [.75, .75]];

// pointOn looks for a point where a press meets the surface.
const pointOn = (el, surface, core) => {
  const w = el.ownerDocument.defaultView;
  const view = new DOMRect(0, 0, w.innerWidth, w.innerHeight);
  const parts = (core ? [core] : boxes(surface)).map((r) => overlap(r, view)).filter(drawn).slice(0, 4);
  if (!parts.length) return {state: 'offscreen', text: 'it lies outside the viewport'};
  let cover = null, second = null, off = false;
  for (const p of parts) {
    for (const [u, v] of spots) {
      const x = p.left + p.width * u, y = p.top + p.height * v;
      const hit = topAt(surface, x, y);
      if (!meets(el, surface, hit)) { cover = cover || hit; continue; }
      const out = outward(surface, x, y);
      if (out.off) { off = true; continue; }
      if (out.cover !== undefined) { cover = cover || out.cover; continue; }
      const found = {state: 'ready', x: out.x, y: out.y, lx: x, ly: y, edge: !!out.edge};
      const other = foreign(surface, el, hit);
      if (!other) return found;
      if (surface === el) second = second || {...found, note: `pressed on ${describe(other)} inside it`};
    }
  }
  if (second) return second;
  if (getComputedStyle(surface).pointerEvents === 'none') return {state: 'no_pointer', text: 'it takes no pointer (pointer-events: none)'};
  if (!cover && off) return {state: 'offscreen', text: 'it lies outside the visible part of its frame'};
  return {state: 'covered', text: `covered by ${describe(cover)}`, cover: describe(cover)};
};
