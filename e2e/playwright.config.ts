import { rmSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';
import { browserArgs, chromiumPath } from './support/browser.ts';
import { embeddedEnv, root } from './support/product.ts';

const port = Number(process.env.E2E_PORT ?? 4977);
const baseURL = `http://localhost:${port}`;
const dataDir = `${root}.cache/e2e`;

// Worker processes and knip also load this file; only a test run may delete the data directory.
const isRun =
  process.argv.includes('test') &&
  !process.argv.includes('--list') &&
  process.env.TEST_WORKER_INDEX === undefined;
// Reuses a running product, which is faster while one writes tests.
const isRunning = process.env.E2E_REUSE === 'true';
if (isRun && !isRunning) rmSync(dataDir, { recursive: true, force: true });

// Files whose tests also run on a phone, except those with the tag @desktop-only: rules that a layout does not change.
const phone =
  /(accessibility|account|announcement|long-list|new-user|operator|operators|phone|player-controls|profile|purchase|reading|security|social-sign-in)\.spec\.ts/;

export default defineConfig({
  testDir: './tests',
  outputDir: `${root}.cache/e2e-output`,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // The timeouts allow for slow machines; no test asserts them.
  timeout: 240_000,
  use: {
    baseURL,
    actionTimeout: 40_000,
    navigationTimeout: 60_000,
    locale: 'en-GB',
    // Drawing animations takes a fifth of the tests' processor time; the journeys have them.
    contextOptions: { reducedMotion: 'reduce' },
    // `page.route` does not see the requests of service workers; only the tests of the installed app allow them.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { args: browserArgs, ...(chromiumPath && { executablePath: chromiumPath }) },
  },
  projects: [
    { name: 'sign-in', testMatch: /sign-in\.setup\.ts/, testDir: './support' },
    {
      name: 'desktop',
      grepInvert: /@phone-only/,
      dependencies: ['sign-in'],
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 }, locale: 'en-GB' },
    },
    {
      name: 'phone',
      testMatch: phone,
      grepInvert: /@desktop-only/,
      dependencies: ['sign-in'],
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        locale: 'en-GB',
      },
    },
  ],
  webServer: {
    command: 'node scripts/start.mjs',
    cwd: root,
    url: `${baseURL}/health/ready`,
    timeout: 300_000,
    reuseExistingServer: isRunning,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    env: {
      ...embeddedEnv,
      PORT: String(port),
      DATA_DIR: dataDir,
      OPERATOR_ENTEL_TAG_MANAGER_ID: 'GTM-TEST123',
    },
  },
});
