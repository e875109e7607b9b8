import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';

const DEFAULT_REQUESTS = 10_000;
/** The tests that send random requests, and what each sends them to. */
const files = new Map([
  ['services/identity/src/protocol/hostile-input.test.ts', 'JSON operations of the identity provider'],
  ['services/identity/src/oauth/hostile-input.test.ts', 'OAuth operations and hosted pages'],
  ['apps/server/src/hostile-requests.test.ts', 'routes of the portal, billing and operators'],
]);
const guessedCodes = 'services/identity/src/rate-limits/guessed-codes.test.ts';

interface Report {
  success: boolean;
  testResults: {
    name: string;
    assertionResults: {
      title: string;
      status: string;
      duration: number;
      failureMessages: string[];
      meta?: { heapGrowthMb?: number };
    }[];
  }[];
}

/** Runs the tests of hostile requests, and shows each that ends. Throws with their failure messages, which name the seed. */
async function runHostileInputTests(file: string, requests: number): Promise<Report> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const names = [...files.keys(), guessedCodes];
  const args = [vitest, 'run', '--project', 'services', ...names, '--reporter=verbose', '--reporter=json'];
  args.push(`--outputFile=${file}`);
  const env = { ...process.env, FUZZ: String(requests) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  await new Promise((resolve) => child.once('exit', resolve));
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.success) return report;
  const assertions = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  throw new Error(assertions.flatMap(({ failureMessages }) => failureMessages).join('\n'));
}

async function measure(_open: OpenEnvironment, { requests = DEFAULT_REQUESTS }: Options): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    const { testResults } = await runHostileInputTests(join(directory, 'report.json'), requests);
    return testResults.flatMap(({ name, assertionResults }) => {
      const fuzzTests = assertionResults.filter(({ title }) => title.includes('[API-03] a random'));
      const heapGrowth = assertionResults.flatMap(({ meta }) => meta?.heapGrowthMb ?? []);
      const kind = [...files].find(([path]) => name.endsWith(path))?.[1];
      if (kind === undefined) {
        return assertionResults.map(({ title, duration }) => ({
          label: title.replace('[IDP-03] ', ''),
          unit: 's',
          values: [duration / 1000],
        }));
      }
      return [
        {
          label: `${fuzzTests.length} ${kind}, requests sent to each`,
          unit: '',
          values: [requests],
        },
        {
          label: `${kind}, time per request`,
          unit: 'ms',
          values: fuzzTests.map(({ duration }) => duration / requests),
        },
        ...(heapGrowth.length > 0
          ? [{ label: `${kind}, growth of the heap`, unit: 'MB', values: heapGrowth, budget: 50 }]
          : []),
      ];
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const fuzz: Measurement = {
  name: 'fuzz',
  title: 'Hostile requests',
  method:
    'Random and mutated requests to each operation of the identity provider, the portal, the billing provider and the operators’ simulator, with the rate limits lifted, and ten thousand codes guessed from a hundred networks within the limits. The run fails if a response is 5xx or if a refused request changes a row of any table. Runs only when it is named; `--requests` sets the number of requests to each operation. A failure names the request, and the `FUZZ` and `FUZZ_SEED` that repeat it.',
  measure,
  explicitOnly: true,
};
