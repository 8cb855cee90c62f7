// The first listeners of every document, in an isolated world, installed before the page's own scripts run. While a press is
// under way they hand its events to the guard that the press has set, so that no listener of the page hears of a press that
// meets something else than its target. At other times they do nothing.
(() => {
  const key = Symbol.for('retrace.guard');
  const judge = (e) => {
    const guard = window[key];
    if (guard) guard.judge(e);
  };
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick']) {
    addEventListener(type, judge, {capture: true, passive: false});
  }
})();
