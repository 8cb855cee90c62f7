// Typing and choosing.

const coverOfAll = (el) => {
  const modal = [...el.ownerDocument.querySelectorAll('dialog:modal')].pop();
  return modal && !holds(modal, el) ? modal : null;
};

// takeFocus gives the element the focus as the page would see it, and reports why it did not get it.
const takeFocus = (el) => {
  if (!hasFocus(el)) el.focus();
  if (hasFocus(el)) return null;
  const modal = coverOfAll(el);
  if (modal) return failure('covered', `covered by ${describe(modal)}`, {cover: describe(modal)});
  const a = activeElement(el.ownerDocument);
  return failure('unfit', a && a !== el.ownerDocument.body ? `the focus is on ${describe(a)}` : 'it does not take the focus', {unfocused: true});
};

const fits = (k) => ['text', 'assigned', 'rich'].includes(k);

const editTarget = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  const kind = kindOf(el);
  const field = fieldOf(el, fits);
  if (!field) {
    const text = kind === 'file' ? 'a file field takes files, not text' : `${describe(el)} takes no text`;
    return failure('unfit', text, {final: ['file', 'toggle', 'button', 'select'].includes(kind) || /^h[1-6]$/.test(el.localName)});
  }
  if (!visible(field)) return failure('hidden', hiddenText(field));
  const disabled = disabledText(field);
  if (disabled) return failure('disabled', disabled);
  if (readOnly(field)) return failure('readonly', 'it is read-only');
  return {state: 'ready', node: field};
};

// edit: arg {append}. Checks the field, gives it the focus, and marks what will be replaced: all of it, or nothing
// with the caret at the end.
ops.edit = (el, arg) => {
  const t = editTarget(el);
  if (t.state !== 'ready') return t;
  const field = t.node, kind = kindOf(field);
  const busy = busyText(field);
  if (busy && !arg.hurry) return failure('busy', busy);
  const before = read(field);
  const bad = takeFocus(field);
  if (bad) return bad;
  let caret = false;
  if (kind === 'text') {
    if (arg.append) {
      try {
        field.setSelectionRange(field.value.length, field.value.length);
        caret = true;
      } catch {
        field.select(); // number and email fields have no caret positions
      }
    } else field.select();
  } else if (kind === 'rich') {
    const range = field.ownerDocument.createRange();
    range.selectNodeContents(field);
    const last = field.lastElementChild;
    if (arg.append && last && last === field.lastChild && last.localName !== 'br') range.selectNodeContents(last);
    if (arg.append) range.collapse(false);
    const selection = field.ownerDocument.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    caret = arg.append;
  }
  return {state: 'ready', field: before, caret, busy};
};

const tell = (el) => {
  el.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  el.dispatchEvent(new Event('change', {bubbles: true}));
};

// assign: arg {value}. Fields without typed text (dates, colours, ranges) are set, and the page is told.
ops.assign = (el, arg) => {
  const t = editTarget(el);
  if (t.state !== 'ready') return t;
  t.node.value = arg.value;
  tell(t.node);
  return {state: 'ready', field: read(t.node)};
};

// A brief operation watches the document until the later one, which tells whether anything in it changed meanwhile. What
// changes in shadow trees cannot be watched from the document.
let watched = null;

const watch = (doc) => {
  if (watched) watched.observer.disconnect();
  const w = {changes: 0, blind: [...doc.querySelectorAll('*')].some((e) => e.shadowRoot || e.localName.includes('-'))};
  w.observer = new MutationObserver(() => { w.changes++; });
  w.observer.observe(doc, {subtree: true, childList: true, characterData: true, attributes: true});
  watched = w;
};

const changed = () => {
  const w = watched;
  watched = null;
  if (!w) return true;
  const rest = w.observer.takeRecords().length;
  w.observer.disconnect();
  return w.blind || w.changes > 0 || rest > 0;
};

// typed: arg {leave, brief}. Reads the field back, leaves it when asked, and, unless it is to be brief, reads it again a frame
// later.
ops.typed = async (el, arg) => {
  const field = fieldOf(el, fits);
  if (!field) return {state: 'ready', gone: true};
  const typed = read(field);
  if (arg.leave && hasFocus(field)) {
    const a = field.getRootNode().activeElement;
    (a && holds(field, a) ? a : field).blur();
  }
  if (arg.brief) {
    watch(field.ownerDocument);
    return {state: 'ready', field: typed};
  }
  await nextFrame();
  const gone = !field.isConnected;
  return {state: 'ready', field: typed, after: gone ? typed : read(field), gone};
};

const chooseTarget = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  const list = el.localName === 'option' ? el.closest('select') : fieldOf(el, (k) => k === 'select');
  if (!list) return failure('unfit', `${describe(el)} is not a list to select from`, {final: kindOf(el) !== 'other'});
  if (!visible(list)) return failure('hidden', hiddenText(list));
  const disabled = disabledText(list);
  if (disabled) return failure('disabled', disabled);
  return {state: 'ready', node: list};
};

ops.options = (el, arg) => {
  const t = chooseTarget(el);
  if (t.state !== 'ready') return t;
  const busy = busyText(t.node);
  if (busy && !arg.hurry) return failure('busy', busy);
  const field = read(t.node);
  const bad = takeFocus(t.node);
  return bad && bad.state === 'covered' ? bad : {state: 'ready', field, busy};
};

// choose: arg {options: [{index, value, label}], brief}. Selects exactly these, and, unless it is to be brief, reads the list
// again a frame later. The list must still be the one that was read.
ops.choose = async (el, arg) => {
  const t = chooseTarget(el);
  if (t.state !== 'ready') return t;
  const list = t.node;
  for (const c of arg.options) {
    const o = list.options[c.index];
    if (!o || o.value !== c.value || optionLabel(o) !== c.label) return failure('moving', 'its options are changing');
  }
  const wanted = new Set(arg.options.map((c) => c.index));
  if (list.multiple) [...list.options].forEach((o, i) => { o.selected = wanted.has(i); });
  else list.options[arg.options[0].index].selected = true;
  tell(list);
  const field = read(list);
  if (arg.brief) {
    watch(list.ownerDocument);
    return {state: 'ready', field};
  }
  await nextFrame();
  return {state: 'ready', field, after: list.isConnected ? read(list) : field, gone: !list.isConnected};
};

// later: what a brief operation has left out: the field or the list, a frame later, and whether the document changed.
ops.later = async (el) => {
  await nextFrame();
  const different = changed();
  const own = el.localName === 'option' ? el.closest('select') : fieldOf(el, (k) => fits(k) || k === 'select');
  return own && own.isConnected ? {state: 'ready', after: read(own), changed: different} : {state: 'ready', gone: true, changed: true};
};

// focus: for keys that are pressed on an element.
ops.focus = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  if (hasFocus(el)) return {state: 'ready', field: read(el)};
  if (!visible(el)) return failure('hidden', hiddenText(el));
  if (el.matches(':disabled')) return failure('disabled', disabledText(el));
  const bad = takeFocus(fieldOf(el, fits) || el);
  return bad || {state: 'ready', field: read(el)};
};
