// `npm test`: everything, with nothing prepared by hand: checks, rules, services, screens, stories.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

prepare();
const { check } = await import('./check.mjs');
const { findChromium } = await import('./chromium.mjs');

const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const reportOf = (name) => join(reports, `${name}.json`);
const read = (name) =>
  existsSync(reportOf(name)) ? JSON.parse(readFileSync(reportOf(name), 'utf8')) : undefined;

const clean = await check();

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const rules = run(process.execPath, [
  vitest,
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${reportOf('rules')}`,
]);

const playwright = join(root, 'node_modules/@playwright/test/cli.js');
const stories = run(
  process.execPath,
  [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  {
    env: {
      ...process.env,
      CHROMIUM_PATH: await findChromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('stories'),
    },
  },
);

const ruleReport = read('rules');
const storyReport = read('stories')?.stats;
const passed = (ruleReport?.numPassedTests ?? 0) + (storyReport?.expected ?? 0);
const failed = (ruleReport?.numFailedTests ?? 0) + (storyReport?.unexpected ?? 0) + (storyReport?.flaky ?? 0);
const skipped = (ruleReport?.numPendingTests ?? 0) + (storyReport?.skipped ?? 0);
const good = clean && rules === 0 && stories === 0;
if (!clean) console.error('The static checks found faults; they stand above.');
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = good ? 0 : 1;
