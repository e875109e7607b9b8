import { startSampling } from '../../../apps/server/src/testing/listeners/processes.ts';
import type { Measurement, OpenEnvironment, Options, Result } from '../measurement.ts';
import { withGeneratedCatalogue } from '../support/generated-catalogue.ts';
import { describeGrowth } from '../support/growth.ts';
import { sendRequests } from '../support/requests.ts';
import { createUsers } from '../support/users.ts';
import { findRequests } from './catalogue.ts';

const ARTICLES = 10_000;
const DEFAULT_MINUTES = 20;
const WARM_UP_MINUTES = 5;
const CONNECTIONS = 20;
/** Of each kind of request in turn. */
const SECONDS = 5;

async function measure(open: OpenEnvironment, { minutes = DEFAULT_MINUTES }: Options): Promise<Result[]> {
  const environment = await open();
  const { origin, pid, dataDir } = environment;
  const { users, kinds } = await withGeneratedCatalogue(environment, { items: ARTICLES }, async (db) => ({
    users: await createUsers(environment, db),
    kinds: Object.values(await findRequests(db)),
  }));

  const stopSampling = startSampling({ origin, pid, directory: dataDir, named: () => ({}) });
  const startedAt = performance.now();
  const getMinutes = () => (performance.now() - startedAt) / 60_000;
  while (getMinutes() < minutes)
    for (const requests of kinds)
      await sendRequests({ origin, pid, users, ...requests }, CONNECTIONS, SECONDS);
  const duration = getMinutes();
  const { samples } = await stopSampling();
  const served = (samples.at(-1)?.requests ?? 0) - (samples[0]?.requests ?? 0);
  return [
    { label: 'duration', unit: 'min', values: [duration] },
    { label: 'requests served', unit: '', values: [served] },
    ...describeGrowth('the process', samples, WARM_UP_MINUTES),
  ];
}

export const memory: Measurement = {
  name: 'memory',
  title: 'Memory under load',
  method: `Searches, pages, jumps, articles, Discover and saved positions of 1,000 users on ${ARTICLES.toLocaleString('en')} generated articles, ${SECONDS} s of each in turn by ${CONNECTIONS} connections, for \`--minutes\` (${DEFAULT_MINUTES}). Of each minute the lowest value counts, which for the heap is about what remains after garbage collection. Runs only when it is named.`,
  measure,
  explicitOnly: true,
};
