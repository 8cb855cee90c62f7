// What a control holds.

const typedTypes = ['text', 'search', 'tel', 'url', 'email', 'password', 'number'];
const assignedTypes = ['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'];

const kindOf = (el) => {
  if (el.localName === 'textarea') return 'text';
  if (el.localName === 'select') return 'select';
  if (el.localName === 'input') {
    if (typedTypes.includes(el.type)) return 'text';
    if (assignedTypes.includes(el.type)) return 'assigned';
    if (el.type === 'checkbox' || el.type === 'radio') return 'toggle';
    return el.type === 'file' ? 'file' : 'button';
  }
  if (el.isContentEditable) return 'rich';
  return el.localName === 'button' ? 'button' : 'other';
};

const editingHost = (el) => {
  let host = el;
  for (let n = el; n && n.isContentEditable; n = n.parentElement) host = n;
  return host;
};

// fieldOf is the control that an element stands for: itself, the control of a label, the host of an editable text,
// or the only control inside it that suits.
const fieldOf = (el, suits) => {
  if (suits(kindOf(el))) return kindOf(el) === 'rich' ? editingHost(el) : el;
  const label = el.closest('label');
  if (label && label.control && suits(kindOf(label.control))) return label.control;
  const found = [];
  const collect = (root) => {
    for (const n of root.querySelectorAll('*')) {
      if (found.length > 1) return;
      if (n.shadowRoot) collect(n.shadowRoot);
      if (!suits(kindOf(n)) || n.type === 'hidden') continue;
      if (kindOf(n) === 'rich' && n.parentElement && n.parentElement.isContentEditable) continue;
      found.push(n);
    }
  };
  if (el.shadowRoot) collect(el.shadowRoot);
  collect(el);
  return found.length === 1 ? found[0] : null;
};

const readOnly = (el) => {
  if (['textarea', 'input'].includes(el.localName) && el.readOnly && !['color', 'range'].includes(el.type)) return true;
  return !!nearest(el, '[aria-readonly="true" i]') && !el.matches('select');
};

const optionLabel = (o) => String(o.label || o.text || '').replace(/\s+/g, ' ').trim();

// A person can select an option unless it, or its group, is disabled or hidden; the list's own state is told apart.
const optionOf = (o) => {
  const group = o.closest('optgroup');
  const disabled = o.disabled || o.hidden || !!group && (group.disabled || group.hidden);
  return {value: o.value, label: optionLabel(o), selected: o.selected, disabled};
};

const valueOf = (el) => {
  if (['input', 'textarea', 'select'].includes(el.localName)) return el.value;
  return el.isContentEditable ? el.textContent : '';
};

const ariaOf = (el, name) => (el.getAttribute('aria-' + name) || '').toLowerCase();

const read = (el) => {
  const kind = kindOf(el);
  const details = el.localName === 'summary' && el.parentElement && el.parentElement.localName === 'details' ? el.parentElement : null;
  const form = el.form || el.closest('form');
  return {
    kind, tag: el.localName, type: el.localName === 'input' || el.localName === 'button' ? el.type : '',
    value: kind === 'toggle' || kind === 'button' || kind === 'file' ? '' : valueOf(el),
    text: kind === 'rich' ? el.innerText : '',
    checked: kind === 'toggle' ? (el.indeterminate ? 'mixed' : String(el.checked)) : '',
    ariaChecked: ariaOf(el, 'checked'), pressed: ariaOf(el, 'pressed'), selected: ariaOf(el, 'selected'),
    expanded: details ? String(details.open) : ariaOf(el, 'expanded'),
    options: kind === 'select' ? [...el.options].map(optionOf) : [],
    multiple: kind === 'select' && el.multiple,
    editable: ['text', 'assigned', 'rich'].includes(kind) && !disabledText(el) && !readOnly(el),
    enabled: !disabledText(el), readOnly: readOnly(el),
    maxLength: kind === 'text' && el.maxLength >= 0 ? el.maxLength : -1,
    focused: hasFocus(el), hasForm: !!form,
    bad: !!(el.validity && el.validity.badInput),
  };
};

// The origin of the element's document. A script of the page cannot change what this world sees of it.
ops.origin = (el) => ({state: 'ready', origin: String((el.ownerDocument.defaultView || {origin: ''}).origin)});

ops.read = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  const own = kindOf(el) === 'other' ? fieldOf(el, (k) => ['text', 'assigned', 'rich', 'select', 'toggle'].includes(k)) : null;
  return {state: 'ready', field: read(own || el)};
};
