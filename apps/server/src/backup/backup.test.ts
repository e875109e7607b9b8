import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createBackupKey, openDatabase, withBackupLock } from '@escucho/database';
import { createFolder, createTestDatabase, silentLog as log } from '@escucho/database/testing';
import { createJobQueue, openJobConnections, startJobWorker } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { type MediaLocation, openMediaStore } from '@escucho/portal';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBucket } from '../../../../services/portal/src/testing/fakes/s3.ts';
import { createInstance } from '../instance.ts';
import { openBackupStore } from './backup-sets.ts';
import { restoreBackup } from './restore-backup.ts';
import { createBackupJobs, takeBackup } from './take-backup.ts';

const directory = await createFolder();
const source = await createTestDatabase();
const instance = createInstance();
const mediaStore = await openMediaStore({ directory: join(directory, 'media') });
await mediaStore.put(`ab/${'c'.repeat(62)}.mp3`, Readable.from(['sound']));
const clock = () => new Date('2026-11-23T03:06:40Z');
const setName = '2026-11-23T03-06-40Z';

const deps = { connection: source, instance, mediaStore, dataDir: join(directory, 'data'), log, clock };

const open = (connection: typeof source) =>
  openDatabase<object>({ connection, schema: 'identity', name: 'backup test', maxConnections: 1 });
const db = open(source);
await sql`insert into portal.narrator (name) values ('Ada')`.execute(db);
afterAll(() => db.destroy());

const findNarrators = async (connection: typeof source) => {
  const target = open(connection);
  const { rows } = await sql<{ name: string }>`select name from portal.narrator`.execute(target);
  await target.destroy();
  return rows.map(({ name }) => name);
};

const takeInto = async (location: MediaLocation, recipients: string[] = []) =>
  takeBackup({ ...deps, store: await openBackupStore(location), recipients, keepDays: 30 });

/** Restores the newest set of a location into a new database. */
async function restoreFrom(location: MediaLocation, options: Partial<Parameters<typeof restoreBackup>[0]>) {
  const connection = await createTestDatabase();
  const result = await restoreBackup({
    store: await openBackupStore(location),
    name: undefined,
    identities: [],
    connection,
    mediaStore,
    dataDir: join(directory, 'data'),
    secrets: undefined,
    replace: false,
    ...options,
  });
  return { connection, result };
}

const plain = { directory: join(directory, 'sets') };
beforeAll(() => takeInto(plain));

it('a backup set restores an empty machine: database, secrets and the list of media', async () => {
  const store = await openBackupStore(plain);
  expect(await store.list()).toEqual([{ name: setName, isComplete: true }]);
  const leftovers = await sql`select from pg_database where datname like 'escucho_scratch_%'`.execute(db);
  expect(leftovers.rows).toEqual([]);

  const dataDir = join(directory, 'empty machine');
  const emptyStore = await openMediaStore({ directory: join(dataDir, 'media') });
  const { connection, result } = await restoreFrom(plain, { dataDir, mediaStore: emptyStore });
  expect(result).toMatchObject({ name: setName, missingMedia: 1, manifest: { verified: true } });
  expect(await findNarrators(connection)).toEqual(['Ada']);
  expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(instance);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o077).toBe(0);
  expect((await readdir(dataDir)).toSorted()).toEqual(['media', 'secrets.json']);
});

it('the newest set is restored, and not one of the future', async () => {
  const sets = join(directory, 'clock');
  for (const name of [setName, '2199-01-01T00-00-00Z'])
    await cp(join(plain.directory, setName), join(sets, name), { recursive: true });
  const { result } = await restoreFrom({ directory: sets }, { dataDir: join(directory, 'clock data') });
  expect(result.name).toBe(setName);
  await rm(join(sets, setName), { recursive: true });
  const only = await restoreFrom({ directory: sets }, { dataDir: join(directory, 'clock data') });
  expect(only.result.name).toBe('2199-01-01T00-00-00Z');
});

it('the copy that a killed process left in the data directory is deleted by the next backup', async () => {
  for (const name of ['backup-work-killed', 'backup-other'])
    await mkdir(join(deps.dataDir, name), { recursive: true });
  await writeFile(join(deps.dataDir, 'backup-work-killed', 'database.gz'), 'all rows');
  await takeInto(plain);
  expect(await readdir(deps.dataDir)).toEqual(['backup-other']);
});

it('a set in a bucket is verified, encrypted for its recipients, and restored', async () => {
  const bucket = await startBucket();
  const location = bucket.toLocation('sets');
  const { identity, recipient } = await createBackupKey();
  const { manifest } = await takeInto(location, [recipient]);
  expect(manifest.verified).toBe(true);
  expect(Object.keys(manifest.files)).toEqual(['database.gz.age', 'secrets.json.age', 'media.json']);
  const store = await openBackupStore(location);
  for (const name of Object.keys(manifest.files)) {
    await store.get(setName, name, join(directory, name));
    expect(await readFile(join(directory, name), 'latin1')).not.toContain(instance.identitySecret);
  }
  const dataDir = join(directory, 'encrypted');
  await expect(restoreFrom(location, { dataDir })).rejects.toMatchObject({ code: 'backup-key' });
  const { result } = await restoreFrom(location, { dataDir, identities: [identity] });
  expect(result.missingMedia).toBe(0);
  await store.remove(setName);
  expect(await store.list()).toEqual([]);
});

it('a set with a changed file is refused, and nothing changes', async () => {
  const changed = join(directory, 'changed');
  await cp(plain.directory, changed, { recursive: true });
  await writeFile(join(changed, setName, 'secrets.json'), '{}');
  const dataDir = join(directory, 'damaged');
  const restoring = restoreFrom({ directory: changed }, { dataDir });
  await expect(restoring).rejects.toMatchObject({ code: 'backup-damaged' });
  expect(await readdir(dataDir)).toEqual([]);
});

it('a manifest that names files by paths is refused; nothing is written', async () => {
  const changed = join(directory, 'paths');
  await cp(plain.directory, changed, { recursive: true });
  const path = join(changed, setName, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  manifest.files['../escaped.json'] = manifest.files['secrets.json'];
  await writeFile(path, JSON.stringify(manifest));
  await cp(join(changed, setName, 'secrets.json'), join(changed, 'escaped.json'));
  const dataDir = join(directory, 'escaped');
  const restoring = restoreFrom({ directory: changed }, { dataDir });
  await expect(restoring).rejects.toMatchObject({ code: 'backup-damaged' });
  expect(await readdir(dataDir)).toEqual([]);
});

it('a set that does not exist or is incomplete is refused by its name', async () => {
  const incomplete = join(directory, 'incomplete');
  await cp(join(plain.directory, setName), join(incomplete, setName), { recursive: true });
  await rm(join(incomplete, setName, 'manifest.json'));
  for (const name of [setName, '2026-01-01T00-00-00Z'])
    await expect(restoreFrom({ directory: incomplete }, { name })).rejects.toMatchObject({
      code: 'backup-missing',
      message: expect.stringContaining(name),
    });
});

it('a restore does not replace other secrets, unless it is asked to', async () => {
  const dataDir = await mkdtemp(join(directory, 'in use-'));
  const others = JSON.stringify(createInstance());
  await writeFile(join(dataDir, 'secrets.json'), others);
  await expect(restoreFrom(plain, { dataDir })).rejects.toMatchObject({ code: 'backup-not-empty' });
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(others);
  await restoreFrom(plain, { dataDir, replace: true });
  expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(instance);
  expect(await readFile(join(dataDir, 'secrets.json.before-restore'), 'utf8')).toBe(others);
});

it('the job of the schedule takes a set, and skips while another process takes one', async () => {
  const location = { directory: join(directory, 'scheduled') };
  const jobs = createBackupJobs({ location, schedule: '17 3 * * *', keepDays: 30, recipients: [] }, deps);
  const queue = createJobQueue('portal');
  const [{ job } = expect.fail('no schedule')] = jobs?.schedule ?? [];
  const connections = await openJobConnections({ connection: source, log });
  const worker = await startJobWorker({ queue, connections, handlers: jobs?.handlers ?? [], log });
  const runJob = async () => {
    await queue.enqueue(db, job, {});
    await settleJobs(db, queue, { timeoutMs: 60_000 });
  };
  try {
    await withBackupLock(source, runJob);
    expect(await readdir(location.directory)).toEqual([]);
    await runJob();
    expect(await readdir(location.directory)).toEqual([setName]);
    expect((await queue.countJobs(db)).dead).toBe(0);
  } finally {
    await worker.stop();
    await connections.close();
  }
});
