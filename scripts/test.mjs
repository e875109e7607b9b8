// `npm test`: static checks, then Vitest, then end-to-end tests with Playwright.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
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
const unit = run(
  process.execPath,
  [
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/vitest-errors.mjs',
    `--outputFile=${getReportPath('unit')}`,
  ],
  {
    env: {
      ...process.env,
      VITEST_ERRORS: getReportPath('errors'),
      SERVER_BUNDLE: join(root, 'apps/server/dist/main.js'),
    },
  },
);

const playwright = join(root, 'node_modules/@playwright/test/cli.js');
const e2e = run(
  process.execPath,
  [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
  {
    env: {
      ...process.env,
      CHROMIUM_PATH: await findChromium({ window: false }),
      PLAYWRIGHT_JSON_OUTPUT_NAME: getReportPath('e2e'),
    },
  },
);

/** Names the tests of a Playwright suite that failed, with their files. */
const findFailedSpecs = ({ specs = [], suites = [] }) => [
  ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(findFailedSpecs),
];

const unitReport = readReport('unit');
const e2eReport = readReport('e2e');
const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = e2eReport?.stats ?? {};
const failures = [
  ...(clean ? [] : ['static checks']),
  ...(unitReport?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const reasons = failed.length > 0 ? failed.map(({ fullName }) => fullName) : [message];
      return reasons.map((reason) => `${relative(root, name)}: ${reason}`);
    }),
  ...(readReport('errors') ?? []).map((error) => `outside tests: ${error}`),
  ...findFailedSpecs(e2eReport ?? {}),
  ...(e2eReport?.errors ?? []).map(({ message }) => `outside tests: ${message}`),
];
const passed = (unitReport?.numPassedTests ?? 0) + expected;
const failed = (unitReport?.numFailedTests ?? 0) + unexpected + flaky;
const passes = clean && unit === 0 && e2e === 0;
if (!passes)
  console.error(['\nFailed, see above:', ...failures, `Vitest: ${unit}, Playwright: ${e2e}`].join('\n  '));
console.log(`\n${passed} passed, ${failed} failed, ${(unitReport?.numPendingTests ?? 0) + skipped} skipped`);
process.exitCode = passes ? 0 : 1;
