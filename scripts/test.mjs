// `npm test`: static checks, then Vitest, then end-to-end tests with Playwright.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

prepare();
const { check } = await import('./check.mjs');
const { findChromium } = await import('./chromium.mjs');

const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const getReportPath = (name) => join(reports, `${name}.json`);
const readReport = (name) =>
  existsSync(getReportPath(name)) ? JSON.parse(readFileSync(getReportPath(name), 'utf8')) : undefined;

const clean = await check();

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const unit = run(process.execPath, [
  vitest,
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${getReportPath('unit')}`,
]);

const playwright = join(root, 'node_modules/@playwright/test/cli.js');
const e2e = run(
  process.execPath,
  [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  {
    env: {
      ...process.env,
      CHROMIUM_PATH: await findChromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: getReportPath('e2e'),
    },
  },
);

const unitReport = readReport('unit');
const e2eReport = readReport('e2e')?.stats;
const passed = (unitReport?.numPassedTests ?? 0) + (e2eReport?.expected ?? 0);
const failed = (unitReport?.numFailedTests ?? 0) + (e2eReport?.unexpected ?? 0) + (e2eReport?.flaky ?? 0);
const skipped = (unitReport?.numPendingTests ?? 0) + (e2eReport?.skipped ?? 0);
const passes = clean && unit === 0 && e2e === 0;
if (!clean) console.error('Static checks failed; see above.');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = passes ? 0 : 1;
