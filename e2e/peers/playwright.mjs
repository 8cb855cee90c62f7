// Replays a recording as a plain Playwright script: node playwright.mjs TRACE --chrome PATH|--remote URL [--base URL]
// [--timeout MS] [--linger MS] [--secrets FILE] [--out FILE]
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { Clock, options, translate } from './translate.mjs';

const o = options(process.argv.slice(2));
const flow = translate(o.path, o);
const clock = new Clock();
const browser = o.remote ? await chromium.connectOverCDP(o.remote) : await chromium.launch({ executablePath: o.chrome, headless: true });
const context = await browser.newContext({ viewport: { width: flow.width, height: flow.height } });
context.setDefaultTimeout(+o.timeout);
let page = await context.newPage();

// Roles that Chrome has and ARIA has not.
const aria = { image: 'img', presentation: 'none' };
const unknown = /^(?:[A-Z]|generic$)/;

function locate(t, field = false) {
  let scope = page;
  for (const { name, place } of t.frames) {
    const quoted = JSON.stringify(name);
    scope = name ? scope.frameLocator(`iframe:is([title=${quoted}],[name=${quoted}],[id=${quoted}],[aria-label=${quoted}])`) : scope.frameLocator('iframe').nth(place);
  }
  let found;
  if (field && t.unmatched) found = scope.getByLabel(t.name, { exact: true }); // its role is a guess of the recorder's
  else if (!t.role || unknown.test(t.role)) {
    const byText = ['StaticText', 'LabelText', 'DisclosureTriangle', 'DisclosureTriangleGrouped', 'generic', ''].includes(t.role);
    found = byText ? scope.getByText(t.name, { exact: true }) : scope.getByLabel(t.name, { exact: true });
  } else found = scope.getByRole(aria[t.role] || t.role, t.name ? { name: t.name, exact: true } : {});
  return t.nth === undefined ? found : found.nth(t.nth);
}

async function tab(url) {
  const path = new URL(url).pathname;
  for (const until = Date.now() + +o.timeout; Date.now() < until;) {
    const p = context.pages().find((p) => p.url() === url) || context.pages().find((p) => p.url().startsWith('http') && new URL(p.url()).pathname === path);
    if (p) return p;
    await new Promise((r) => setTimeout(r, 50));
  }
  throw new Error(`no tab shows ${url}`);
}

const keys = { alt: 'Alt', ctrl: 'Control', meta: 'Meta', shift: 'Shift' };

async function act(a) {
  switch (a.op) {
    case 'navigate':
      if (a.cause === 'reload') return page.reload();
      return page.goto(a.url);
    case 'switch_tab':
      page = await tab(a.url);
      return page.bringToFront();
    case 'click':
      return locate(a.target).click();
    case 'hover':
      return locate(a.target).hover();
    case 'fill':
      if (a.choose) {
        await locate(a.target, true).pressSequentially(a.value);
        return page.getByText(a.choose, { exact: true }).click();
      }
      await locate(a.target, true).fill(a.value);
      return a.enter ? locate(a.target, true).press('Enter') : undefined;
    case 'select':
      return locate(a.target, true).selectOption(a.choices.map((c) => ({ value: c.value })));
    case 'press': {
      const chord = [...a.modifiers.map((m) => keys[m]), a.key].join('+');
      return a.target ? locate(a.target).press(chord) : page.keyboard.press(chord);
    }
  }
}

let failure = '';
let began = 0;
try {
  await page.goto(flow.start);
  began = clock.now();
  for (const a of flow.actions) await clock.step(a, () => act(a));
  if (+o.linger) await page.waitForTimeout(+o.linger);
} catch (e) {
  failure = String(e.message || e);
}
if (o.out) writeFileSync(o.out, JSON.stringify({ launched: clock.launched, began, steps: clock.steps, failure }));
await (o.remote ? context.close().catch(() => {}) : Promise.resolve());
await browser.close().catch(() => {});
if (failure) {
  console.error(failure);
  process.exit(1);
}
process.exit(0);
