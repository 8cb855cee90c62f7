// One test for each recording in the directory RETRACE_TRACES.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { Player } from './player.mjs';
import { translate } from './translate.mjs';

const traces = process.env.RETRACE_TRACES;
for (const name of readdirSync(traces).sort()) {
  const flow = translate(join(traces, name), { secrets: {} });
  test(name, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: flow.width, height: flow.height } });
    context.setDefaultTimeout(5000);
    const player = new Player(await context.newPage(), 5000);
    await player.page.goto(flow.start);
    for (const a of flow.actions) await player.act(a);
    await context.close();
  });
}
