// The list of suggestions of a field, as far as it is walked with the arrow keys.

const said = (n) => (n.getAttribute('aria-label') || n.innerText || n.textContent || '').replace(/\s+/g, ' ').trim();

const named = (root, ids) => (ids || '').split(/\s+/).filter(Boolean).map((id) => root.getElementById && root.getElementById(id)).filter(Boolean);

const choices = '[role=option],[role=menuitem],[role=treeitem],[role=row]';

// suggested are the visible options that belong to the field: those of the list that it names, else all on the page that
// are options of a list, or entries of something that calls itself a list of suggestions.
const suggested = (el) => {
  const root = el.getRootNode();
  const boss = nearest(el, '[role=combobox]') || el;
  const lists = [el, boss].flatMap((n) => [...named(root, n.getAttribute('aria-controls')), ...named(root, n.getAttribute('aria-owns'))]);
  const within = (list) => [...list.querySelectorAll(choices)];
  const found = lists.flatMap(within).filter(visible);
  if (found.length) return [...new Set(found)];
  const scope = root.querySelectorAll ? root : el.ownerDocument;
  const any = [...scope.querySelectorAll('[role=listbox] [role=option],[class*=autocomplete] li,[class*=suggest] li,[class*=typeahead] li,[id*=sug] li')];
  return any.filter((n) => visible(n) && !holds(n, el));
};

const marked = /(^|[-_ ])(active|selected|highlight(ed)?|focus(ed)?|hover(ed)?|current)([-_ ]|$)/i;

// pointed is the option that the next Enter takes: the active descendant, else the only one that is selected or that a
// class marks; null when none shows.
const pointed = (el, options) => {
  const root = el.getRootNode();
  const boss = nearest(el, '[role=combobox]') || el;
  const active = named(root, el.getAttribute('aria-activedescendant') || boss.getAttribute('aria-activedescendant'))[0];
  if (active) return active;
  for (const is of [(n) => n.hasAttribute('data-highlighted'), (n) => n.getAttribute('aria-selected') === 'true', (n) => marked.test(n.className) || [...n.children].some((c) => marked.test(c.className))]) {
    const hits = options.filter(is);
    if (hits.length === 1) return hits[0];
  }
  return null;
};

// listed looks at the field's list: how many options it has, whether one is called what is wanted, and whether that one
// is the one that Enter takes. A field that holds the text already shows it too: such pages write the option into the field.
ops.listed = (el, want) => {
  if (!el.isConnected) return failure('detached', 'it is no longer in the page');
  const options = suggested(el);
  const wanted = want.toLowerCase();
  const at = pointed(el, options);
  const met = at ? said(at).toLowerCase() === wanted : 'value' in el && el.value.trim().toLowerCase() === wanted;
  return {state: 'ready', count: options.length, seen: options.some((n) => said(n).toLowerCase() === wanted), met, by: at ? said(at) : '', offered: options.slice(0, 20).map(said)};
};
