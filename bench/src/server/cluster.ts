import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationReport } from '../../../apps/server/src/testing/listeners/recorder.ts';
import type { ListenersReport } from '../../../apps/server/src/testing/listeners/report.ts';
import { root } from '../../../e2e/support/product.ts';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { describeGrowth } from '../support/growth.ts';
import { runVitest } from '../support/vitest.ts';

const DEFAULT_LISTENERS = 1000;
const DEFAULT_MINUTES = 20;
const RECOVERY_BUDGET_S = 30;
const BYTES_PER_MB = 2 ** 20;
/** Memory grows while caches fill. */
const WARM_UP_MINUTES = 10;

const one = (label: string, unit: string, value: number): Result => ({ label, unit, values: [value] });

function toOperationResults([operation, report]: [string, OperationReport]): Result[] {
  const { succeeded, repeated, givenUp, failures, normal, failover } = report;
  const failed = Object.entries(failures).map(([name, count]) => `${name}: ${count}`);
  return [
    one(`${operation}: succeeded`, '', succeeded),
    one(`${operation}: of these after a repetition`, '', repeated),
    one(`${operation}: given up, the user sees an error`, '', givenUp),
    one(
      `${operation}: failed requests${failed.length > 0 ? ` (${failed.join(', ')})` : ''}`,
      '',
      Object.values(failures).reduce((sum, count) => sum + count, 0),
    ),
    one(`${operation}, p50`, 'ms', normal.p50),
    one(`${operation}, p99`, 'ms', normal.p99),
    ...(failover.count > 0
      ? [
          one(`${operation}, p99 while the primary is replaced`, 'ms', failover.p99),
          one(`${operation}, longest`, 'ms', Math.max(normal.max, failover.max)),
        ]
      : []),
  ];
}

function toResults(result: ListenersReport): Result[] {
  const { listeners, seconds, report, positions, purchases, processKills, primaryKills, samples } = result;
  const { cpuMs, eventLoopP99Ms, walBytes, bytesPerPosition } = result;
  const { playedSeconds, stalledSeconds, longestStall } = report.audio;
  const requestsOfA = (samples.at(-1)?.requests ?? 0) - (samples[0]?.requests ?? 0);
  const toSeconds = (values: readonly number[]) => values.map((value) => value / 1000);
  return [
    one('listeners', '', listeners),
    one('duration', 'min', seconds / 60),
    one('acknowledged positions', '', positions.acknowledged),
    { ...one('acknowledged positions that are lost', '', positions.lost), budget: 0 },
    one('purchases, each charged once', '', purchases),
    one('database, bytes per position with indexes', 'B', bytesPerPosition),
    one('database, log of changes', 'MB/min', walBytes / BYTES_PER_MB / (seconds / 60)),
    {
      label: 'primary lost: time without any acknowledged position',
      unit: 's',
      values: toSeconds(primaryKills.map(({ gapMs }) => gapMs)),
      budget: RECOVERY_BUDGET_S,
    },
    {
      label: 'primary lost: longest wait of a listener',
      unit: 's',
      values: toSeconds(primaryKills.map(({ longestWaitMs }) => longestWaitMs)),
    },
    {
      label: 'process B killed: until it serves again',
      unit: 's',
      values: toSeconds(processKills.map(({ awayMs }) => awayMs)),
      budget: RECOVERY_BUDGET_S,
    },
    one('audio played', 'h', playedSeconds / 3600),
    one('audio missing, per hour played', 's', (stalledSeconds / playedSeconds) * 3600),
    one('longest time without audio', 's', longestStall),
    ...Object.entries(report.operations).flatMap(toOperationResults),
    one('process A, requests served', '', requestsOfA),
    one('process A, the same for an hour', '', (requestsOfA / seconds) * 3600),
    ...describeGrowth('process A', samples, WARM_UP_MINUTES),
    ...Object.entries(cpuMs)
      .sort(([, first], [, second]) => second - first)
      .map(([program, time]) => one(`processor time of ${program}`, 'ms/s', time / seconds)),
    one('event loop delay of the users’ process, p99', 'ms', eventLoopP99Ms),
  ];
}

async function measure(
  _open: OpenEnvironment,
  { minutes = DEFAULT_MINUTES, listeners = DEFAULT_LISTENERS }: Options,
): Promise<Result[]> {
  const directory = join(root, '.cache/cluster');
  mkdirSync(directory, { recursive: true });
  const [test] = await runVitest<{ listeners?: ListenersReport }>({
    project: 'faults',
    args: [],
    env: { FAULTS: 'listeners', LISTENERS: String(listeners), LOAD_MINUTES: String(minutes) },
    output: join(directory, 'listeners'),
  });
  if (!test?.meta?.listeners) throw new Error(`The test did not run to its end; see ${directory}.`);
  const results = toResults(test.meta.listeners);
  for (const message of test.failureMessages) console.error(message);
  return results;
}

export const cluster: Measurement = {
  name: 'cluster',
  title: 'Listeners on several machines',
  method:
    'The files of `deploy/high-availability` and `deploy/haproxy`, as `npm run test:high-availability` runs them on one machine as root: three etcd, Patroni and PostgreSQL 15 with synchronous replication, pgBackRest, HAProxy, an S3 server (s3rver), Stripe’s simulator, and two processes with all roles. `--listeners` users (1,000) play the demo’s articles for `--minutes` (20): the audio of a track by one request for all of it, as a browser’s audio element sends (`bytes=0-`; its time is the time until the first bytes arrive); a position every 4 s by the web app’s own queue; new tokens once an hour each; in all 50 requests a second of Discover, lists, articles and searches, repeated as TanStack Query does; a purchase every 10 s. Process B is killed (SIGKILL) each minute and started again, the machine of the primary twice, each time for half a minute; process A is never killed. Times are what users wait, with repetitions; p50 and p99 are those while no primary is replaced. Of process A, the lowest value of each minute counts, which for the heap is about what remains after garbage collection. At the end every acknowledged position is compared with the database, charges with the gateway’s, and the ledger with the subscriptions (as `npm run billing -- verify` does). The users are one Node.js process on the same two cores. Runs only when it is named.',
  measure,
  explicitOnly: true,
  needsNoBuild: true,
};
