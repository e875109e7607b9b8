import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { type Assertion, runVitest } from '../support/vitest.ts';

const DEFAULT_REQUESTS = 10_000;
const MAX_HEAP_GROWTH_MB = 50;

interface Suite {
  file: string;
  /** What the requests are sent to. */
  operations: string;
  /** How many processes share the operations; each has a database server of its own. */
  parts: number;
}

const suites: readonly Suite[] = [
  {
    file: 'apps/server/src/hostile-requests.test.ts',
    operations: 'routes of the portal, billing and operators',
    parts: 7,
  },
  {
    file: 'services/identity/src/protocol/hostile-input.test.ts',
    operations: 'JSON operations of the identity provider',
    parts: 3,
  },
  {
    file: 'services/identity/src/oauth/hostile-input.test.ts',
    operations: 'OAuth operations and hosted pages',
    parts: 2,
  },
];
const guessedCodes: Suite = {
  file: 'services/identity/src/rate-limits/guessed-codes.test.ts',
  operations: 'codes guessed',
  parts: 1,
};
/** Random requests, and not the tables of hostile values, which `npm test` sends. */
const TITLES = '\\[API-03\\]|the log contains|codes guessed';

interface Meta {
  heapGrowthMb?: number;
}

/** Where each part's report and output are stored: they remain where a later part fails or the run is stopped. */
const reports = join(root, '.cache/fuzz');

/** Runs a part of a suite. Returns its tests. */
async function runPart(
  { file, operations, parts }: Suite,
  part: number,
  requests: number,
): Promise<Assertion<Meta>[]> {
  const output = join(reports, `${operations.replaceAll(/\W+/g, '-')}-${part}`);
  const env = {
    FUZZ: String(requests),
    FUZZ_SHARD: `${part}/${parts}`,
    // Requests leave much garbage: a larger young generation collects it half as often.
    NODE_OPTIONS: '--max-semi-space-size=64',
  };
  const tests = await runVitest<Meta>({ project: 'services', args: [file, '-t', TITLES], env, output });
  const failed = tests.filter(({ status }) => status === 'failed').length;
  console.log(`${basename(output)}: ${tests.length} tests, ${failed} failed`);
  return tests;
}

function toResults({ operations }: Suite, tests: readonly Assertion<Meta>[], requests: number): Result[] {
  const durations = tests.filter(({ title }) => title.includes('a random')).map(({ duration }) => duration);
  return [
    { label: `${durations.length} ${operations}, requests sent to each`, unit: '', values: [requests] },
    {
      label: `${operations}, time per request`,
      unit: 'ms',
      values: durations.map((duration) => duration / requests),
    },
    {
      label: `${operations}, growth of the heap`,
      unit: 'MB',
      values: tests.flatMap(({ meta }) => meta?.heapGrowthMb ?? []),
      budget: MAX_HEAP_GROWTH_MB,
    },
  ];
}

async function measure(_open: OpenEnvironment, { requests = DEFAULT_REQUESTS }: Options): Promise<Result[]> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const testsBySuite = new Map<Suite, Assertion<Meta>[]>();
  const waiting = [...suites, guessedCodes]
    .flatMap((suite) => Array.from({ length: suite.parts }, (_, index) => ({ suite, part: index + 1 })))
    .sort((one, other) => one.part - other.part);
  async function runParts(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const tests = await runPart(next.suite, next.part, requests);
      testsBySuite.set(next.suite, [...(testsBySuite.get(next.suite) ?? []), ...tests]);
    }
  }
  const startedAt = Date.now();
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, runParts));
  const failures = [...testsBySuite.values()].flat().flatMap(({ failureMessages }) => failureMessages);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return [
    ...suites.flatMap((suite) => toResults(suite, testsBySuite.get(suite) ?? [], requests)),
    ...(testsBySuite.get(guessedCodes) ?? []).map(({ title, duration }) => ({
      label: title.replace('[IDP-03] ', ''),
      unit: 's',
      values: [duration / 1000],
    })),
    { label: 'the whole run', unit: 'min', values: [(Date.now() - startedAt) / 60_000] },
  ];
}

export const fuzz: Measurement = {
  name: 'fuzz',
  title: 'Hostile requests',
  method:
    'Random and mutated requests to each operation of the identity provider, the portal, the billing provider and the operators’ simulator, with the rate limits lifted, and ten thousand codes guessed from a hundred networks within the limits. The run fails if a response is 5xx or if a refused request changes a row of any table. Operations are divided among processes, whose reports are in `.cache/fuzz`. Runs only when it is named; `--requests` sets the number of requests to each operation. A failure names the request, and the `FUZZ` and `FUZZ_SEED` that repeat it.',
  measure,
  explicitOnly: true,
  needsNoBuild: true,
};
