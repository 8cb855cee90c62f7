// The button that sends what was typed.

const buttonLike = 'button,input[type=submit],input[type=image],input[type=button],[role=button]';

const containerOf = (el) => {
  for (let n = above(el); n; n = above(n)) {
    const names = `${n.id || ''} ${n.getAttribute('class') || ''}`.toLowerCase();
    if (n.matches('search,[role=search],[role=form],form') || /search|chat-input/.test(names)) return n;
    if (n.matches('body,main,dialog,[role=dialog],[role=main]')) return null;
  }
  return null;
};

const inside = (root) => [...root.querySelectorAll('*')].flatMap((n) =>
  (n.matches(buttonLike) ? [n] : []).concat(n.shadowRoot ? inside(n.shadowRoot) : []));

const pressable = (n) => visible(n) && n.getAttribute('aria-hidden') !== 'true';

const submitters = (el) => {
  const form = el.form || nearest(el, 'form');
  if (form) {
    const own = [...form.elements].filter((n) => n.type === 'submit' && n.matches('button,input'));
    const images = [...form.querySelectorAll('input[type=image]')];
    const found = [...own, ...images].filter(pressable)
      .sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
    if (found.length) return found;
  }
  const container = form || containerOf(el);
  return container ? inside(container).filter((n) => n !== el && n.type !== 'reset' && pressable(n)) : [];
};

ops.submitters = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  return {state: 'ready', count: submitters(el).length};
};

// unrecorded reports whether recorders drop a click on the button: on one that is an input element, and on any in a form or
// a search box that has a text area or a search field.
const unrecorded = (el, button) => {
  if (button.matches('input:not([type=button])')) return true;
  const box = el.form || nearest(el, 'form') || containerOf(el);
  return !!box && !!box.querySelector('textarea,input[type=search],input[name=q]');
};

ops.unrecordedSubmitters = (el) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  const found = submitters(el);
  return {state: 'ready', count: found.length, met: found.length === 1 && unrecorded(el, found[0])};
};

ops.submitter = (el) => submitters(el)[0] || null;
