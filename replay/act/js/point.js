// Pointing: the checks before a press or a hover, and the guard around the press itself.

const surfacesOf = (el) => [el, ...labelsOf(el)];

const usable = (el, enabled) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  if (el.localName === 'option' && el.closest('select') && getComputedStyle(el.closest('select')).appearance !== 'base-select') {
    return failure('unfit', 'an option of a native list cannot be pressed', {final: true});
  }
  if (enabled) {
    const text = disabledText(el);
    if (text) return failure('disabled', text);
  }
  return null;
};

// aimAt looks for the surface and the point to press: the element itself, else one of its labels.
const aimAt = (el, core) => {
  let first = null;
  for (const [i, s] of surfacesOf(el).entries()) {
    const at = visible(s) ? pointOn(el, s, i ? null : core) : failure('hidden', hiddenText(s));
    if (at.state === 'ready') return {...at, surface: i, note: i ? 'pressed its label' : at.note || ''};
    first = first || at;
  }
  return first;
};

const ops = {};

// bring scrolls the element into view in the way of the protocol: when it must be, and at once. It is false where that is left to the
// protocol: on a page that scrolls smoothly, and below frames that cannot be seen from here.
const bring = (el) => {
  let n = el;
  for (let w = el.ownerDocument.defaultView; ; w = w.parent) {
    for (; n; n = above(n)) if (getComputedStyle(n).scrollBehavior !== 'auto') return false;
    if (w === w.parent) break;
    n = w.frameElement;
    if (!n) return false;
  }
  el.scrollIntoViewIfNeeded(true);
  return true;
};

// point: arg {enabled, align, bring, calm}. Everything that must hold before the pointer goes there.
ops.point = async (el, arg) => {
  if (el.isConnected && arg.bring && !bring(el)) return {state: 'unscrolled'};
  let bad = usable(el, arg.enabled);
  if (bad) return bad;
  const shown = surfacesOf(el).find(visible);
  if (!shown) return failure('hidden', hiddenText(el));
  const busy = busyText(el);
  if (busy && !arg.hurry) return failure('busy', busy);
  if (arg.align) shown.scrollIntoView({block: arg.align, inline: arg.align === 'center' ? 'center' : 'nearest', behavior: 'instant'});
  const rest = await steady(shown, arg.calm, shown === el ? arg.seen : null);
  if (rest.state === 'detached') return failure('detached', 'it is no longer in the page');
  if (rest.state === 'moving') return failure('moving', 'it is moving');
  bad = usable(el, arg.enabled);
  if (bad) return bad;
  const at = aimAt(el, rest.core);
  if (at.state !== 'ready') return at;
  return {...at, busy, restless: rest.state === 'restless', field: read(el)};
};

// The events of a press. The guard sees them before the page does.
const pressEvents = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick'];
const guardKey = Symbol.for('retrace.guard'); // as in sentry.js

// guard: arg {surface, x, y, edge, enabled}. The last check at the real point, and in the same turn a listener that
// lets the press through only when it meets the element: what has moved in between is not pressed by mistake.
ops.guard = (el, arg) => {
  const bad = usable(el, arg.enabled);
  if (bad) return bad;
  const surface = surfacesOf(el)[arg.surface];
  if (!surface || !visible(surface)) return failure('hidden', 'it is no longer visible');
  if (!arg.edge) {
    const hit = topAt(surface, arg.x, arg.y);
    if (!meets(el, surface, hit)) return failure('covered', `covered by ${describe(hit)}`, {cover: describe(hit)});
    const out = outward(surface, arg.x, arg.y);
    if (out.cover !== undefined) return failure('covered', `covered by ${describe(out.cover)}`, {cover: describe(out.cover)});
    if (out.off) return failure('offscreen', 'it lies outside the visible part of its frame');
  }
  const w = el.ownerDocument.defaultView;
  const earlier = w[guardKey];
  if (earlier) earlier.stop();
  const g = {seen: false, met: false, clicked: false, astray: false, by: '', was: place(surface).key, surface};
  const accepted = [surface, el, ...(surface === el ? labelsOf(el) : [])];
  const meant = (e) => e.composedPath().some((n) => accepted.includes(n)) ||
    surface.isConnected && meets(el, surface, topAt(surface, e.clientX, e.clientY));
  const withhold = (e) => {
    e.preventDefault();
    e.stopImmediatePropagation();
  };
  let last = null; // the sentry of the document and the listeners below hear the same events
  g.judge = (e) => {
    if (!e.isTrusted || e === last) return;
    last = e;
    if (!g.seen) {
      g.seen = true;
      g.met = meant(e);
      if (!g.met) g.by = describe(e.composedPath()[0] && e.composedPath()[0].nodeType === 1 ? e.composedPath()[0] : null);
    }
    if (!g.met) return withhold(e);
    // What was pressed is let go wherever the pointer is; and a label passes the click that was meant on to its control.
    if (!/click$/.test(e.type) || g.clicked) return;
    if (meant(e) || labelsOf(el).some((l) => e.composedPath().includes(l))) {
      g.clicked = true;
    } else { // the element has gone from under the pointer between press and release: this click is that of something else
      g.astray = true;
      withhold(e);
    }
  };
  g.stop = () => {
    for (const type of pressEvents) w.removeEventListener(type, g.judge, true);
    clearTimeout(g.timer);
    if (w[guardKey] === g) delete w[guardKey];
  };
  for (const type of pressEvents) w.addEventListener(type, g.judge, {capture: true, passive: false});
  g.timer = setTimeout(g.stop, 10000);
  w[guardKey] = g;
  return {state: 'ready'};
};

const switches = (f) => [f.checked, f.ariaChecked, f.pressed, f.selected, f.expanded].join();

// landed: arg {before}. What the guard saw, and the element afterwards. One that can be switched gets a few frames to
// show its new state.
ops.landed = async (el, arg) => {
  const g = el.ownerDocument.defaultView && el.ownerDocument.defaultView[guardKey];
  if (g) g.stop();
  const met = !g || !g.seen || g.met;
  for (let i = 0; met && arg.before && i < 4 && el.isConnected && switches(read(el)) === arg.before; i++) await nextFrame();
  return {
    seen: !!g && g.seen, met: !!g && g.met, clicked: !!g && g.clicked, astray: !!g && g.astray, by: g ? g.by : '',
    connected: el.isConnected, moved: !!g && place(g.surface).key !== g.was, field: read(el),
  };
};

// owns: arg {surface}. For the hit tests that the protocol makes. A node of another origin cannot be looked at from
// here, and is not the element's.
ops.owns = (el, arg, other) => {
  let hit = null;
  try {
    hit = elementOf(other);
  } catch {
    return {met: false};
  }
  if (!hit || hit.ownerDocument !== el.ownerDocument) return {met: false};
  const surface = surfacesOf(el)[arg.surface] || el;
  return {met: meets(el, surface, hit), by: describe(hit)};
};

ops.describe = (el) => ({by: describe(el)});

ops.surface = (el, arg) => surfacesOf(el)[arg.surface];

// scroll brings the element into view the way the page itself would.
ops.scroll = async (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  if (!visible(el) && !el.parentElement) return failure('hidden', hiddenText(el));
  await steady(el);
  return {state: 'ready'};
};
