import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { api } from '@escucho/contracts';
import { migrateSchemas } from '@escucho/database';
import { listenOnLoopback, startWithStandby } from '@escucho/database/testing';
import { migrateJobQueue } from '@escucho/jobs';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { jobQueue } from '../account-data/repository.ts';
import { openPortalDatabase } from '../database.ts';
import { createPlaylistRepository } from '../playlists/repository.ts';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';
import { canAskReplica } from './reads.ts';

const { primary, standby, stopStandby, startStandby } = await startWithStandby();
const workspaces = { audit: 'packages/audit', portal: 'services/portal' };
await migrateSchemas({
  connection: primary,
  schemas: Object.entries(workspaces).map(([schema, workspace]) => ({
    schema,
    directory: fileURLToPath(new URL(`../../../../${workspace}/migrations`, import.meta.url)),
  })),
});
await migrateJobQueue(primary, jobQueue);
const connection = { ...primary, replica: standby };
const { app, startOtherProcess, call, administer, ana, ferry, db, clock } = await startCatalogueAdminTest({
  connection,
});
const processes = [app, await startOtherProcess()];
const standbyDb = openPortalDatabase(standby, { name: 'test', maxConnections: 1 });
afterAll(() => standbyDb.destroy());

type App = (typeof processes)[number];
const get = (from: App, url: string) =>
  from.inject({ url, headers: { authorization: `Bearer ${ana.token}` } });

/** Returns a value of a metric of the first process. */
async function readMetric(name: string, outcome?: string): Promise<number> {
  const { values } = (await app.metricsRegistry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}
const countReads = (outcome: string) => readMetric('catalogue_reads_total', outcome);

/** Returns where the ferry's title is not the expected one, in what each process responds to all shared reads. */
async function findWrongTitles(expected: string): Promise<string[]> {
  const urls = [
    `/api/catalogue/read/${ferry}`,
    '/api/catalogue/articles?limit=100',
    '/api/catalogue/search?q=ferry&limit=100',
    '/api/catalogue/discover',
  ];
  const wrong: string[] = [];
  for (const [index, process] of processes.entries()) {
    for (const url of urls) {
      const { statusCode, body } = await get(process, url);
      const titles = [...body.matchAll(/"title":"([^"]*ferry)"/g)].map(([, title]) => title);
      if (statusCode !== 200 || titles.length === 0 || titles.some((title) => title !== expected))
        wrong.push(`${index} ${url}: ${statusCode} ${titles}`);
    }
  }
  return wrong;
}

const rename = (title: string) => administer((admin) => admin.editArticle('night-ferry', { title }));

/** Waits until the standby has replayed every change of the catalogue. */
async function waitForStandby(): Promise<void> {
  const { findCatalogueVersion } = createPlaylistRepository(standbyDb);
  const version = await createPlaylistRepository(db).findCatalogueVersion();
  await expect.poll(findCatalogueVersion).toBe(version);
}

const resumeReplay = () => sql`select pg_wal_replay_resume()`.execute(standbyDb);
async function pauseReplay(): Promise<void> {
  await sql`select pg_wal_replay_pause()`.execute(standbyDb);
  onTestFinished(async () => void (await resumeReplay()));
  // It is only requested: the standby may replay another record first.
  const readState = async () => {
    const { rows } = await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(
      standbyDb,
    );
    return rows[0]?.state;
  };
  await expect.poll(readState).toBe('paused');
}

beforeEach(async () => {
  clock.advance(60);
  await waitForStandby();
});

it('shared reads use the standby when it is current', async () => {
  const before = await countReads('replica');
  expect(await findWrongTitles('The night-ferry')).toEqual([]);
  expect((await countReads('replica')) - before).toBeGreaterThanOrEqual(4);
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where application_name like 'portal%' order by 1`.execute(standbyDb);
  expect(rows.map(({ name }) => name)).toEqual(['portal replica', 'portal search replica']);
  await expect.poll(() => readMetric('database_replica_lag_bytes')).toBe(0);
});

it('a standby with paused replay yields no old rows, and is used again when it is current', async () => {
  await pauseReplay();
  const reads = { replica: await countReads('replica'), behind: await countReads('behind') };
  for (const title of ['A ferry', 'The day-ferry']) {
    await rename(title);
    expect(await findWrongTitles(title)).toEqual([]);
  }
  expect(await countReads('replica')).toBe(reads.replica);
  expect(await countReads('behind')).toBeGreaterThan(reads.behind);
  // The primary's log is written a moment after a commit that does not wait for it.
  await expect.poll(() => readMetric('database_replica_lag_bytes')).toBeGreaterThan(0);

  await resumeReplay();
  await waitForStandby();
  await rename('The last ferry');
  await waitForStandby();
  expect(await findWrongTitles('The last ferry')).toEqual([]);
  expect(await countReads('replica')).toBeGreaterThan(reads.replica);
});

it('an article that is published while replay is paused is found at once', async () => {
  const readStatuses = () =>
    Promise.all(
      processes.map(async (process) => (await get(process, `/api/catalogue/read/${ferry}`)).statusCode),
    );
  await administer((admin) => admin.unpublish('night-ferry'));
  await waitForStandby();
  expect(await readStatuses()).toEqual([404, 404]);
  await pauseReplay();
  await administer((admin) => admin.publish('night-ferry'));
  expect(await readStatuses()).toEqual([200, 200]);
});

it('users read their own writes while replay is paused', async () => {
  await pauseReplay();
  await call(api.playlists.addFavourite, ana.token, { params: { id: ferry } });
  await call(api.listening.saveProgress, ana.token, {
    body: { track: ferry, device: ana.id, sequence: 1, position: 17, cause: 'tick' },
  });
  for (const process of processes) {
    const { track } = (await get(process, `/api/catalogue/read/${ferry}`)).json();
    expect(track).toMatchObject({ progress: 17, like: true });
  }
});

it('no request fails when the standby is stopped', async () => {
  const before = await countReads('unreachable');
  await stopStandby();
  await rename('A ferry');
  expect(await findWrongTitles('A ferry')).toEqual([]);
  expect(await countReads('unreachable')).toBeGreaterThan(before);
  expect(await readMetric('database_replica_lag_bytes')).toBeNaN();
  await startStandby();
  await waitForStandby();
  clock.advance(10);
  const reads = await countReads('replica');
  await rename('The day-ferry');
  await waitForStandby();
  expect(await findWrongTitles('The day-ferry')).toEqual([]);
  expect(await countReads('replica')).toBeGreaterThan(reads);
});

it('a standby that does not respond delays a request by two seconds only', async () => {
  const replica = { ...standby, host: '127.0.0.1', port: await listenOnLoopback(createServer()) };
  const other = await startOtherProcess({ connection: { ...primary, replica } });
  const startedAt = performance.now();
  expect((await get(other, '/api/catalogue/articles?limit=100')).statusCode).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect((await get(other, '/api/catalogue/articles?limit=99')).statusCode).toBe(200);
});

describe('canAskReplica', () => {
  it.each([
    [undefined, 0, true],
    [1000, 1000, false],
    [1000, 5999, false],
    [1000, 6000, true],
  ])('a failure at %s is decided at %s: %s', (failedAt, now, expected) => {
    expect(canAskReplica(failedAt, now)).toBe(expected);
  });
});
