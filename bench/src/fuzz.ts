import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../e2e/support/product.ts';
import type { Figure, Measurement } from './figure.ts';

/** Random requests to each operation. */
const each = Number(process.env.FUZZ ?? 10_000);
const files = ['protocol', 'oauth'].map((folder) => `services/identity/src/${folder}/hostile-input.test.ts`);

interface Report {
  success: boolean;
  testResults: {
    name: string;
    assertionResults: { title: string; status: string; duration: number; failureMessages: string[] }[];
  }[];
}

/** Runs the tests that send hostile requests. Throws what they found. */
async function reported(file: string): Promise<Report> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'services', ...files, '--reporter=json', `--outputFile=${file}`];
  const env = { ...process.env, FUZZ: String(each) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve) => child.once('exit', resolve));
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.success) return report;
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  throw new Error(all.flatMap(({ failureMessages }) => failureMessages).join('\n'));
}

async function measure(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    const { testResults } = await reported(join(directory, 'report.json'));
    return testResults.flatMap(({ name, assertionResults }) => {
      const fuzzed = assertionResults.filter(({ title }) => title.includes('whatever else is sent to'));
      const kind = name.includes('oauth') ? 'OAuth operations' : 'JSON operations';
      return [
        { what: `${fuzzed.length} ${kind}, requests sent to each`, unit: '', ours: [each] },
        {
          what: `${kind}, time per request`,
          unit: 'ms',
          ours: fuzzed.map(({ duration }) => duration / each),
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
  how: 'Random and mutated requests to each operation. The run fails if a response is 5xx or if a refused request changes a row of any table. Runs only when it is named; `FUZZ` sets the number of requests.',
  measure,
  onlyNamed: true,
};
