// What a person would see of an element: is it drawn, may it be used, does it stand still.

const area = (r) => Math.max(0, r.width) * Math.max(0, r.height);
const drawn = (r) => area(r) > 0.99;

// boxes are the parts of the element that are drawn, in CSS pixels of its own frame: its fragments or, for an
// element without a box of its own (display: contents, an inline around a block or a float), those of its content.
const boxes = (el) => {
  const own = [...el.getClientRects()].filter(drawn);
  if (own.length) return own;
  const style = getComputedStyle(el);
  if (style.overflowX !== 'visible' && style.display !== 'contents' && !style.display.startsWith('inline')) return [];
  const range = el.ownerDocument.createRange();
  range.selectNodeContents(el);
  const inner = [...range.getClientRects()].filter(drawn);
  if (inner.length || !el.shadowRoot) return inner;
  return [...el.shadowRoot.children].flatMap(boxes);
};

const visible = (el) => {
  if (getComputedStyle(el).display === 'contents') {
    const kids = [...el.children, ...(el.shadowRoot ? el.shadowRoot.children : [])];
    return kids.some(visible) || (el.checkVisibility.call(el.parentElement || hostOf(el), {visibilityProperty: true}) && boxes(el).length > 0);
  }
  return el.checkVisibility({visibilityProperty: true}) && boxes(el).length > 0;
};

const hiddenText = (el) => {
  for (let n = el; n; n = above(n)) {
    const style = getComputedStyle(n);
    if (style.display === 'none') return n === el ? 'it is not displayed (display: none)' : `${describe(n)} around it is not displayed`;
    if (n === el && style.visibility !== 'visible') return `it is not visible (visibility: ${style.visibility})`;
  }
  return 'it has no size';
};

// disabledText says why the element may not be used, or "". Native controls know it themselves, fieldsets included;
// aria-disabled counts on every ancestor; an inert part of the page takes no input at all.
const disabledText = (el) => {
  if (el.matches(':disabled')) {
    const set = el.disabled ? null : el.closest('fieldset:disabled');
    return set ? 'the fieldset around it is disabled' : 'it is disabled';
  }
  const button = nearest(el, 'button');
  if (button && button.matches(':disabled')) return 'the button around it is disabled';
  const aria = nearest(el, '[aria-disabled="true" i]');
  if (aria) return aria === el ? 'it is disabled (aria-disabled)' : `${describe(aria)} around it is disabled (aria-disabled)`;
  if (nearest(el, '[inert]')) return 'it lies in an inert part of the page';
  return '';
};

const busyText = (el) => {
  const b = nearest(el, '[aria-busy="true" i]');
  return b ? (b === el ? 'it is busy (aria-busy)' : `${describe(b)} around it is busy (aria-busy)`) : '';
};

// nextFrame waits for an animation frame, or 300 ms where none is drawn.
const nextFrame = () => new Promise((done) => {
  const timer = setTimeout(done, 300);
  requestAnimationFrame(() => { clearTimeout(timer); done(); });
});

// place is where the element is in the outermost frame that can be seen from here.
const place = (el) => {
  let r = el.getBoundingClientRect();
  let [x, y] = [r.left, r.top];
  const key = [r.width, r.height];
  for (let f = el.ownerDocument.defaultView.frameElement; f; f = f.ownerDocument.defaultView.frameElement) {
    const b = f.getBoundingClientRect();
    x += b.left;
    y += b.top;
  }
  return {key: [x, y, ...key].map((v) => v.toFixed(2)).join(), box: r};
};

const overlap = (a, b) => {
  const x = Math.max(a.left, b.left), y = Math.max(a.top, b.top);
  return new DOMRect(x, y, Math.min(a.right, b.right) - x, Math.min(a.bottom, b.bottom) - y);
};

// steady watches the element for two animation frames. When its box is the same in both, it stands still; with calm, in
// milliseconds, when it has been the same for so long, which is waited for a second at most. When it never is in 30 frames,
// the part of the page that it covered in all of them is what a press can safely hit: a pulsing button has one, a sliding
// one has none. An element that is where it was seen before, in document coordinates of its frame, was still until now, so that
// one more frame is enough.
const steady = async (el, calm = 0, before = null) => {
  let last = null, core = null, seen = 0;
  let when = 0, since = 0;
  if (before && !calm) {
    const b = el.getBoundingClientRect(), w = el.ownerDocument.defaultView;
    const now = [b.left + w.scrollX, b.top + w.scrollY, b.width, b.height];
    if (now.every((v, i) => Math.abs(v - before[i]) < 0.02)) {
      last = place(el).key;
      core = b;
      seen = 1;
      when = -Infinity; // it was seen in a frame before this one
    }
  }
  const patient = performance.now() + (calm ? 1000 : 0);
  for (let i = 0; i < 34 || when < patient; i++) {
    await nextFrame();
    if (!el.isConnected) return {state: 'detached'};
    const now = performance.now();
    if (seen && now - when < 8) continue;
    when = now;
    const {key, box} = place(el);
    if (key !== last) since = now;
    else if (now - since >= calm || now > patient) return {state: 'still'};
    last = key;
    seen++;
    core = core ? overlap(core, box) : box;
    if (seen > 8 && !drawn(core) && now > patient) return {state: 'moving'};
  }
  return drawn(core) ? {state: 'restless', core} : {state: 'moving'};
};
