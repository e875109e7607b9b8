import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { api, buildPath } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { createFolder, createTestDatabase, toDatabaseUrl } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { writeLibrary } from '../../../services/portal/src/testing/library.ts';
import { loadInstance } from './instance.ts';
import { startProduct } from './product.ts';
import { readSettings } from './settings.ts';
import { describeStartError } from './start-errors.ts';
import { findFreePort, signInByPassword } from './testing/product.ts';

/** Made by scripts/archive-release.mjs, which signs the demo account in and stores what the test expects. */
const previousRelease = new URL('testing/releases/v0.3.0.tar.br', import.meta.url);

const connection = await createTestDatabase();

it('a version that is older than its database refuses to start and gives the reason', async () => {
  const dataDir = await createFolder();
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'upgrade test', maxConnections: 1 });
  onTestFinished(() => db.destroy());
  await sql`insert into migration_checksum values ('9999_future', '')`.execute(db);

  const env = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: dataDir };
  const starting = startProduct(readSettings(env));
  const message = await starting.then(() => undefined, describeStartError);
  expect(message).toMatch(/upgraded by a newer version, which added migration 9999_future/);
});

it('starts on the data of the previous release, with all that a user stored', async () => {
  const directory = await createFolder();
  const archive = join(directory, 'release.tar');
  await pipeline(createReadStream(previousRelease), createBrotliDecompress(), createWriteStream(archive));
  execFileSync('tar', ['-xf', archive, '-C', directory]);

  const dataDir = join(directory, 'data');
  const contentDirectory = join(directory, 'content');
  await writeLibrary(contentDirectory);
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', IDENTITY_ALLOW: 'USER_PASSWORD_AUTH' };
  const settings = readSettings({ ...env, PORT: String(await findFreePort()) });
  const { app, stop } = await startProduct(settings, { contentDirectory });
  onTestFinished(stop);

  const { clientId } = await loadInstance(dataDir);
  const { AccessToken } = await signInByPassword(app, clientId, 'demo@escucho.test');
  const headers = { authorization: `Bearer ${AccessToken}` };
  const get = async (url: string) => (await app.inject({ url, headers })).json();
  expect(await get(`/api${buildPath(api.auth.me)}`)).toMatchObject({ subscription: { isActive: true } });
  const { docs } = await get('/api/catalogue/articles?kind=article');
  const track = docs.find(({ title }: { title: string }) => title === "The Otter's Pocket");
  expect(track).toMatchObject({ progress: 21 });
  expect(await get(`/api/bookmarks?track=${track._id}`)).toMatchObject({
    docs: [{ position: 12, note: 'otter' }],
  });
  expect(await get('/api/playlist/find-paginated')).toMatchObject({
    docs: expect.arrayContaining([expect.objectContaining({ name: 'Para el tren', origin: 'user' })]),
  });
  const audio = await app.inject({ url: track.url });
  expect([audio.statusCode, audio.headers['content-type']]).toEqual([200, 'audio/mpeg']);
}, 120_000);
