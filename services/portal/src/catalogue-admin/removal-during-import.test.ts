import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { silentLog as log } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withCatalogueAdmin } from '../content.ts';
import type { MediaStore } from '../media/media-store.ts';
import { startImportTest } from '../testing/imports.ts';
import { createPicture, readUniqueRecording, write } from '../testing/recordings.ts';

const { app, db, connection, store, root, call, createUser, runImport, reset } = await startImportTest();
const { token } = await createUser();

/** Imports a recording whose cover is that of all others. */
async function importRecording(name: string, mediaStore: MediaStore): Promise<void> {
  const source = join(root, name);
  await write(source, `${name}.mp3`, await readUniqueRecording(name));
  await write(source, `${name}.md`, `---\ntitle: ${name}\n---\nA tone.`);
  await write(source, 'cover.png', await createPicture());
  expect(await runImport({ source, mediaStore })).toMatchObject({ added: [{ title: name }], failed: [] });
}

const findArticle = (title: string) =>
  db.selectFrom('article').select(['id', 'slug']).where('title', '=', title).executeTakeFirstOrThrow();

async function remove(title: string, mediaStore = store): Promise<void> {
  const { slug } = await findArticle(title);
  await withCatalogueAdmin({ connection, mediaStore, log }, (admin) => admin.remove(slug));
}

it('[CAT-10] an article is not removed during an import, which may use the same media', async () => {
  await importRecording('first', store);
  const removals: PromiseSettledResult<void>[] = [];
  const removeOnceFound: MediaStore = {
    ...store,
    async stat(key) {
      const file = await store.stat(key);
      if (key.endsWith('.avif')) removals.push(...(await Promise.allSettled([remove('first')])));
      return file;
    },
  };
  await importRecording('second', removeOnceFound);
  expect(removals).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringMatching(/^An import is running/) } },
  ]);

  await remove('first');
  const { id } = await findArticle('second');
  const { image } = await call(api.catalogue.findArticle, token, { params: { id } });
  expect((await app.inject(image)).statusCode).toBe(200);
});

/** Resolves once the database has answered all other queries, which takes real time. */
async function waitForQueries(): Promise<void> {
  const findActive = sql`select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active'
      and pid <> pg_backend_pid()`;
  while ((await findActive.execute(db)).rows.length > 0);
}

it('[CAT-10] an import is refused during a removal whose media store takes minutes', async () => {
  await reset();
  await importRecording('third', store);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const imports: PromiseSettledResult<unknown>[] = [];
  await remove('third', {
    ...store,
    async remove(key) {
      if (imports.length === 0) {
        // In short steps: a query in progress must not exceed its time limit while the database responds.
        for (let seconds = 0; seconds < 120; seconds += 1) {
          await vi.advanceTimersByTimeAsync(1000);
          await waitForQueries();
        }
        // What an import waits for takes real time.
        vi.useRealTimers();
        imports.push(...(await Promise.allSettled([runImport()])));
      }
      await store.remove(key);
    },
  });
  expect(imports).toMatchObject([
    {
      status: 'rejected',
      reason: { message: expect.stringMatching(/^Another import or a removal is running/) },
    },
  ]);
});
