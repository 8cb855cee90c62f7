// The settings of Playwright Test for many recordings. RETRACE_CHROME is the browser.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: 'many.spec.mjs',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: 'dot',
  outputDir: process.env.RETRACE_OUT,
  use: { launchOptions: { executablePath: process.env.RETRACE_CHROME }, trace: 'off', screenshot: 'only-on-failure' },
});
