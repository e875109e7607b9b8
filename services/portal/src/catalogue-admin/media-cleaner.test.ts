import { randomBytes } from 'node:crypto';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { api } from '@escucho/contracts';
import { countLockWaiters, silentLog as log } from '@escucho/database/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withCatalogueAdmin } from '../content.ts';
import { type MediaStore, toKey } from '../media/media-store.ts';
import { startImportTest } from '../testing/imports.ts';
import { getRecordingPath, write } from '../testing/recordings.ts';

const importTest = await startImportTest();
const { app, db, connection, store, paths, folder, call, runImport, reset, administer } = importTest;
const { token } = await importTest.createUser({ subscribed: true });
const unusedDays = 30;

/** Cleans the store some days from now. Returns the keys of the unused files, and of the deleted ones. */
const clean = (days: number, { isDeleting = true, mediaStore = store } = {}) => {
  const clock = () => new Date(Date.now() + days * 24 * 3_600_000);
  return withCatalogueAdmin({ connection, mediaStore, log, clock }, async (admin) => {
    const { files, deleted } = await admin.cleanMedia({ unusedDays, isDeleting });
    return { unused: files.map(({ key }) => key), deleted: [...deleted] };
  });
};

const findImported = () =>
  db
    .selectFrom('article')
    .select(['id', 'slug', 'audio', 'image'])
    .where('source', 'is not', null)
    .executeTakeFirstOrThrow();

const recording = await readFile(getRecordingPath('constant.mp3'));
const versions = { first: recording, second: recording.subarray(0, -2000) };

/** Imports a version of a recording over the one before. Returns its article. */
async function importVersion(name: keyof typeof versions, mediaStore = store) {
  await write(folder, 'tones.mp3', versions[name]);
  await write(folder, 'tones.md', '---\ntitle: Tones\n---\nA tone.');
  expect((await runImport({ mediaStore })).failed).toEqual([]);
  return findImported();
}

async function expectPlayable(id: string): Promise<void> {
  const { url } = await call(api.listening.grantAudio, token, { params: { id }, query: {} });
  expect((await app.inject(url)).statusCode).toBe(200);
}

const waitForClaim = () => vi.waitUntil(async () => (await countLockWaiters(db)) > 0, { timeout: 20_000 });

beforeEach(async () => {
  await reset();
  await db.deleteFrom('unused_media').execute();
  await clean(0);
  await clean(unusedDays);
  expect(await clean(0)).toEqual({ unused: [], deleted: [] });
});

describe('[CAT-10] cleaning the media store', () => {
  it('deletes the audio of a replaced recording once it was long unused', async () => {
    const { audio } = await importVersion('first');
    const article = await importVersion('second');
    const found = { unused: [audio], deleted: [] };
    expect(await clean(0)).toEqual(found);
    expect(await clean(unusedDays - 1)).toEqual(found);
    expect(await clean(unusedDays, { isDeleting: false })).toEqual(found);
    expect(await clean(unusedDays)).toEqual({ unused: [audio], deleted: [audio] });
    expect(await store.stat(audio)).toBeUndefined();
    expect(article.audio).not.toBe(audio);
    await expectPlayable(article.id);
  });

  it('leaves the media of unpublished articles alone', async () => {
    const { id } = await importVersion('first');
    await administer(async (admin) => {
      const articles = await admin.findArticles('');
      for (const { slug } of articles) await admin.unpublish(slug);
      for (const days of [0, unusedDays]) expect(await clean(days)).toEqual({ unused: [], deleted: [] });
      for (const { slug } of articles) await admin.publish(slug);
    });
    await expectPlayable(id);
  });

  it('deletes the media of a removed article once its URLs have expired', async () => {
    const { id, slug, audio, image } = await importVersion('first');
    const { url } = await call(api.listening.grantAudio, token, { params: { id }, query: {} });
    await administer((admin) => admin.remove(slug));
    expect((await app.inject(url)).statusCode).toBe(200);
    expect((await clean(0)).unused).toEqual(expect.arrayContaining([audio, image]));
    expect((await clean(unusedDays - 1)).deleted).toEqual([]);
    expect((await clean(unusedDays)).deleted).toEqual(expect.arrayContaining([audio, image]));
    // So that it can be imported again.
    await administer((admin) => admin.publish(slug));
  });

  it('counts the days again for a file that was used in between', async () => {
    const { audio } = await importVersion('first');
    await importVersion('second');
    await clean(0);
    await importVersion('first');
    await importVersion('second');
    expect(await clean(unusedDays)).toMatchObject({ unused: [audio], deleted: [] });
    expect(await clean(2 * unusedDays)).toMatchObject({ deleted: [audio] });
  });

  it('leaves a file alone that was stored again since it was found unused', async () => {
    const { audio } = await importVersion('first');
    await importVersion('second');
    await clean(0);
    const storedAt = new Date(Date.now() + 15 * 24 * 3_600_000);
    await utimes(join(paths.directory, 'media', audio), storedAt, storedAt);
    expect(await clean(unusedDays)).toEqual({ unused: [audio], deleted: [] });
    expect(await clean(unusedDays + 15)).toMatchObject({ deleted: [audio] });
  });

  it('leaves a file alone that an import found at the same time', async () => {
    const { audio } = await importVersion('first');
    await importVersion('second');
    await clean(0);
    const cleaned: Awaited<ReturnType<typeof clean>>[] = [];
    const cleanOnceFound: MediaStore = {
      ...store,
      async stat(key) {
        const file = await store.stat(key);
        if (key === audio) cleaned.push(await clean(unusedDays));
        return file;
      },
    };
    const { id } = await importVersion('first', cleanOnceFound);
    expect(cleaned[0]).toEqual({ unused: [audio], deleted: [] });
    await expectPlayable(id);
    await importVersion('second');
    expect(await clean(2 * unusedDays)).toEqual({ unused: [audio], deleted: [] });
  });

  it('lets an import wait for the deletion of a file, which it stores again', async () => {
    const { audio } = await importVersion('first');
    await importVersion('second');
    await clean(0);
    const imports: ReturnType<typeof importVersion>[] = [];
    const importOnceDeleting: MediaStore = {
      ...store,
      async remove(key) {
        imports.push(importVersion('first'));
        await waitForClaim();
        await store.remove(key);
      },
    };
    expect(await clean(unusedDays, { mediaStore: importOnceDeleting })).toMatchObject({ deleted: [audio] });
    const { id } = await (imports[0] ?? expect.fail('no import'));
    await expectPlayable(id);
  });

  it('deletes what an import left that was killed before it wrote the article', async () => {
    const key = toKey(randomBytes(32).toString('hex'), 'mp3');
    await importVersion('first');
    await store.put(key, Readable.from(['sound']));
    await clean(0);
    expect(await clean(unusedDays)).toEqual({ unused: [key], deleted: [key] });
  });

  it('is refused where the catalogue uses no file of the store', async () => {
    const key = toKey(randomBytes(32).toString('hex'), 'mp3');
    const mediaStore: MediaStore = {
      ...store,
      async *keys() {
        yield key;
      },
    };
    await expect(clean(0, { mediaStore })).rejects.toThrow(/uses no file of the media store/);
    expect(await db.selectFrom('unused_media').selectAll().execute()).toEqual([]);
  });
});
