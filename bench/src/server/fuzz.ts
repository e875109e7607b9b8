import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, Result } from '../measurement.ts';

const REQUESTS_PER_OPERATION = Number(process.env.FUZZ ?? 10_000);
const files = ['protocol', 'oauth'].map((folder) => `services/identity/src/${folder}/hostile-input.test.ts`);

interface Report {
  success: boolean;
  testResults: {
    name: string;
    assertionResults: { title: string; status: string; duration: number; failureMessages: string[] }[];
  }[];
}

/** Runs the hostile-input tests. Throws with their failure messages. */
async function runHostileInputTests(file: string): Promise<Report> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'services', ...files, '--reporter=json', `--outputFile=${file}`];
  const env = { ...process.env, FUZZ: String(REQUESTS_PER_OPERATION) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve) => child.once('exit', resolve));
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.success) return report;
  const assertions = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  throw new Error(assertions.flatMap(({ failureMessages }) => failureMessages).join('\n'));
}

async function measure(): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    const { testResults } = await runHostileInputTests(join(directory, 'report.json'));
    return testResults.flatMap(({ name, assertionResults }) => {
      const fuzzTests = assertionResults.filter(({ title }) => title.includes('[API-03]'));
      const kind = name.includes('oauth') ? 'OAuth operations' : 'JSON operations';
      return [
        {
          label: `${fuzzTests.length} ${kind}, requests sent to each`,
          unit: '',
          values: [REQUESTS_PER_OPERATION],
        },
        {
          label: `${kind}, time per request`,
          unit: 'ms',
          values: fuzzTests.map(({ duration }) => duration / REQUESTS_PER_OPERATION),
        },
      ];
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const fuzz: Measurement = {
  name: 'fuzz',
  title: 'Hostile requests to the identity provider',
  method:
    'Random and mutated requests to each operation. The run fails if a response is 5xx or if a refused request changes a row of any table. Runs only when it is named; `FUZZ` sets the number of requests.',
  measure,
  explicitOnly: true,
};
