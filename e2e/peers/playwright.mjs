// Replays a recording as a plain Playwright script: node playwright.mjs TRACE --chrome PATH|--remote URL [--base URL]
// [--timeout MS] [--linger MS] [--secrets FILE] [--out FILE]
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { Player } from './player.mjs';
import { Clock, options, translate } from './translate.mjs';

const o = options(process.argv.slice(2));
const flow = translate(o.path, o);
const clock = new Clock();
const browser = o.remote ? await chromium.connectOverCDP(o.remote) : await chromium.launch({ executablePath: o.chrome, headless: true });
const context = await browser.newContext({ viewport: { width: flow.width, height: flow.height } });
context.setDefaultTimeout(+o.timeout);
const player = new Player(await context.newPage(), +o.timeout);
let failure = '';
let began = 0;
try {
  await player.page.goto(flow.start);
  began = clock.now();
  for (const a of flow.actions) await clock.step(a, () => player.act(a));
  if (+o.linger) await player.page.waitForTimeout(+o.linger);
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
