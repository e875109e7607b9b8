import { rmSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';
import { browserArgs, chromiumPath } from './support/browser.ts';
import { embedded, root } from './support/product.ts';

const port = Number(process.env.E2E_PORT ?? 4977);
const baseURL = `http://localhost:${port}`;
const dataDir = `${root}.cache/e2e`;

// Workers read this file too, and so does what looks for unused code, perhaps while stories run: only a run begins anew.
const isRun = process.argv.includes('test') && process.env.TEST_WORKER_INDEX === undefined;
// While stories are written: a product that runs already on that port.
const isRunning = process.env.E2E_REUSE === 'true';
if (isRun && !isRunning) rmSync(dataDir, { recursive: true, force: true });

// Stories whose screens are other ones under a finger.
const phone =
  /(newcomer|accessibility|account|announcement|doors|long-list|operators|profile|purchase|reading)\.spec\.ts/;

export default defineConfig({
  testDir: './stories',
  outputDir: `${root}.cache/e2e-output`,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // Waits are for something that comes; how long they last says how slow the machine may be, and is no claim.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL,
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: 'en-GB',
    // Its own stories let it in; in the others a request is seen where it is made.
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
    env: { ...embedded, PORT: String(port), DATA_DIR: dataDir },
  },
});
