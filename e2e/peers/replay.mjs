// Replays a recording with @puppeteer/replay: node replay.mjs TRACE --chrome PATH|--remote URL [--base URL] [--timeout MS]
// [--linger MS] [--secrets FILE] [--out FILE]
import { writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { createRunner, parse, PuppeteerRunnerExtension } from '@puppeteer/replay';
import { Clock, options, translate } from './translate.mjs';

const o = options(process.argv.slice(2));
const flow = translate(o.path, o);
const clock = new Clock();
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = o.remote ? await puppeteer.connect({ browserWSEndpoint: o.remote, defaultViewport: null }) : await puppeteer.launch({ executablePath: o.chrome, headless: true, args });
const context = o.remote ? await browser.createBrowserContext() : browser.defaultBrowserContext();
const page = await context.newPage();
page.setDefaultTimeout(+o.timeout);

function selectors(t) {
  const name = t.name.replace(/\\/g, '\\\\').replace(/"/g, '\\"');
  const role = t.role ? `[role="${t.role}"]` : '';
  return [[/[[\]"\\]/.test(t.name) ? `aria/[name="${name}"]${role}` : `aria/${t.name}${role}`]];
}

const frames = (t) => (t.frames.length ? { frame: t.frames.map((f) => f.place) } : {});

const steps = [
  { type: 'setViewport', width: flow.width, height: flow.height, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false },
  { type: 'navigate', url: flow.start },
];
const source = [null, null]; // the action that a step belongs to
let tab = {};
const add = (a, ...list) => {
  for (const s of list) {
    steps.push({ ...tab, ...s });
    source.push(a);
  }
};
const keys = { alt: 'Alt', ctrl: 'Control', meta: 'Meta', shift: 'Shift' };

for (const a of flow.actions) {
  const aim = a.target ? { selectors: selectors(a.target), ...frames(a.target) } : {};
  const events = a.leads ? { assertedEvents: [{ type: 'navigation', url: a.leads, title: '' }] } : {};
  switch (a.op) {
    case 'navigate':
      add(a, { type: 'navigate', url: a.url });
      break;
    case 'switch_tab':
      tab = a.url === flow.start ? {} : { target: a.url };
      break;
    case 'click':
      add(a, { type: 'click', ...aim, offsetX: 5, offsetY: 5, ...events });
      break;
    case 'hover':
      add(a, { type: 'hover', ...aim });
      break;
    case 'fill':
      add(a, { type: 'change', ...aim, value: a.value });
      if (a.choose) add(a, { type: 'click', selectors: [[`text/${a.choose}`]], ...frames(a.target), offsetX: 5, offsetY: 5 });
      if (a.enter) add(a, { type: 'keyDown', key: 'Enter' }, { type: 'keyUp', key: 'Enter', ...events });
      break;
    case 'select':
      add(a, { type: 'change', ...aim, value: a.choices[0]?.value ?? '' });
      break;
    case 'press': {
      const chord = a.modifiers.map((m) => keys[m]);
      add(a, ...chord.map((key) => ({ type: 'keyDown', key })), { type: 'keyDown', key: a.key }, { type: 'keyUp', key: a.key, ...events }, ...chord.reverse().map((key) => ({ type: 'keyUp', key })));
      break;
    }
  }
}

// The extension tells when the steps of an action began and ended.
let began = 0;
class Timed extends PuppeteerRunnerExtension {
  next = 0;
  async runStep(step, f) {
    const a = source[this.next++];
    const start = clock.now();
    if (a && !began) began = start;
    await super.runStep(step, f);
    const last = clock.steps.at(-1);
    if (a && last?.id === a.id) last.ended = clock.now();
    else if (a) clock.steps.push({ id: a.id, op: a.op, began: start, ended: clock.now() });
  }
}

let failure = '';
try {
  const runner = await createRunner(parse({ title: 'recording', steps, timeout: +o.timeout }), new Timed(browser, page, { timeout: +o.timeout }));
  await runner.run();
  if (+o.linger) await new Promise((r) => setTimeout(r, +o.linger));
} catch (e) {
  failure = String(e.message || e);
}
if (o.out) writeFileSync(o.out, JSON.stringify({ launched: clock.launched, began, steps: clock.steps, failure }));
// A page that hangs in a dialog does not answer any more, and with it closing would.
const end = o.remote ? context.close().then(() => browser.disconnect()) : browser.close();
await Promise.race([end.catch(() => {}), new Promise((r) => setTimeout(r, 5000))]);
browser.process()?.kill('SIGKILL');
if (failure) {
  console.error(failure);
  process.exit(1);
}
process.exit(0);
