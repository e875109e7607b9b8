import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../e2e/support/product.ts';

/** A test as Vitest reports it; `Meta` is what the test records. */
export interface Assertion<Meta> {
  title: string;
  status: string;
  duration: number;
  failureMessages: string[];
  meta?: Meta;
}

/**
 * Runs tests of a project, for a benchmark that is a test.
 *
 * @param options.output - path of the report (`.json`) and the output (`.log`), without extension
 * @returns the tests that ran
 */
export async function runVitest<Meta>(options: {
  project: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  output: string;
}): Promise<Assertion<Meta>[]> {
  const { project, args, env, output } = options;
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile=${output}.json`];
  const log = openSync(`${output}.log`, 'w');
  const child = spawn(process.execPath, [vitest, 'run', '--project', project, ...args, ...reporters], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  await new Promise((resolve) => child.once('exit', resolve));
  closeSync(log);
  const report: { testResults: { assertionResults: Assertion<Meta>[] }[] } = JSON.parse(
    readFileSync(`${output}.json`, 'utf8'),
  );
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
}
