import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeCatalogue } from '../catalogue-loader/repository.ts';
import { importContent } from '../content.ts';

import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';
import { missingFfmpeg, testMetadata } from '../testing/imports.ts';
import { writeArticle } from '../testing/library.ts';
import { copyRecording } from '../testing/recordings.ts';

const catalogue = await startCatalogueAdminTest();
const { db, connection, store, root, paths, administer, waitForBlockedTransactions } = catalogue;
const { ana, ferry, send, createUser, insertPlaylist, loadLibrary } = catalogue;

/** Unpublishes an article, and changes it once unpublishing waits for the catalogue's lock. */
async function changeWhileUnpublishing(slug: string, change: () => Promise<unknown>): Promise<void> {
  const changes = await changeCatalogue(db, async () => {
    const unpublishing = administer((admin) => admin.unpublish(slug));
    await waitForBlockedTransactions(1);
    const changing = change();
    await waitForBlockedTransactions(2);
    return [unpublishing, changing];
  });
  await Promise.all(changes);
  await administer((admin) => admin.publish(slug));
}

it('[CAT-10] editing an article while it is unpublished is refused, and no deadlock', async () => {
  await changeWhileUnpublishing('night-ferry', () =>
    expect(
      administer((admin) => admin.editArticle('night-ferry', { narrator: 'Somebody new' })),
    ).rejects.toThrow('There is no article night-ferry'),
  );
});

it('[CAT-10] an article that is announced while it is unpublished is no deadlock', async () => {
  await copyRecording('constant.mp3', join(root, 'recordings/tones.mp3'));
  const { promise: announced, resolve: finish } = createDeferred();
  let importing: Promise<unknown> = Promise.resolve();
  const slug = await new Promise<string>((resolve) => {
    importing = importContent({
      connection,
      mediaStore: store,
      source: join(root, 'recordings'),
      metadata: testMetadata,
      scratchFolder: join(root, 'scratch'),
      ffmpeg: missingFfmpeg,
      async announce([article]) {
        resolve(article?.slug ?? '');
        await announced;
      },
    });
  });
  await changeWhileUnpublishing(slug, () => {
    finish();
    return importing;
  });
  expect(await importing).toMatchObject({ added: [{ slug }] });
});

describe('[CAT-10] an article that users have data about', () => {
  type Action = 'unpublish' | 'remove';
  const administerFerry = (action: Action | 'publish') => administer((admin) => admin[action]('night-ferry'));

  /** Queues changes, one after the other, behind a statement that holds locks, and returns what came of each. */
  async function queueChanges(lock: RawBuilder<unknown>, changes: readonly (() => Promise<unknown>)[]) {
    const { results } = await db.transaction().execute(async (transaction) => {
      await lock.execute(transaction);
      const started: Promise<unknown>[] = [];
      for (const change of changes) {
        const result = change();
        result.catch(() => {});
        started.push(result);
        await waitForBlockedTransactions(started.length);
      }
      return { results: Promise.allSettled(started) };
    });
    return results;
  }

  const statusOf = async (response: ReturnType<typeof send>) => (await response).statusCode;
  const succeeded = (value: unknown) => ({ status: 'fulfilled', value });

  /** Creates a user with progress in the ferry, a bookmark and two playlists that contain it. */
  async function createListenerOfFerry() {
    const user = await createUser({ subscribed: true });
    const entry = { track: ferry, position: 50, device: crypto.randomUUID(), sequence: 1, cause: 'pause' };
    expect(await statusOf(send(api.listening.saveProgress, { token: user.token, body: entry }))).toBe(200);
    const bookmark = { params: { id: crypto.randomUUID() }, body: { track: ferry, position: 12, note: '' } };
    expect(await statusOf(send(api.bookmarks.saveBookmark, { token: user.token, ...bookmark }))).toBe(200);
    const playlists = [
      await insertPlaylist(user.id, 'Mornings', ['night-ferry']),
      await insertPlaylist(user.id, 'Evenings', ['green-door', 'night-ferry']),
    ];
    return { ...user, playlists };
  }

  const deleteAccount = (token: string) => statusOf(send(api.account.deleteAccount, { token }));
  const lockProgress = (userId: string) =>
    sql`select from listening_progress where user_id = ${userId} for update`;

  it.each<Action>(['unpublish', 'remove'])('%s waits for a change of a playlist', async (action) => {
    const id = await insertPlaylist(ana.id, 'Evenings', ['night-ferry', 'green-door']);
    const body = { _id: id, 'articles.removed': [ferry] };
    const results = await queueChanges(sql`select from playlist where id = ${id} for update`, [
      () => statusOf(send(api.playlists.changePlaylist, { token: ana.token, body })),
      () => administerFerry(action),
    ]);
    expect(results).toMatchObject([succeeded(200), { status: 'fulfilled' }]);
    await administerFerry('publish');
  });

  it.each<Action>(['unpublish', 'remove'])('%s waits for the deletion of an account', async (action) => {
    const user = await createListenerOfFerry();
    const results = await queueChanges(lockProgress(user.id), [
      () => deleteAccount(user.token),
      () => administerFerry(action),
    ]);
    expect(results).toMatchObject([succeeded(200), { status: 'fulfilled' }]);
    await administerFerry('publish');
  });

  it('publishing it again waits for the deletion of an account', async () => {
    const user = await createListenerOfFerry();
    await administerFerry('unpublish');
    const lock = sql`select from withdrawn_row where user_id = ${user.id} for update`;
    const results = await queueChanges(lock, [
      () => deleteAccount(user.token),
      () => administerFerry('publish'),
    ]);
    expect(results).toMatchObject([succeeded(200), { status: 'fulfilled' }]);
  });

  it.each([0, 1])(
    'a load that changes its duration waits for an account whose playlist %s is deleted first',
    async (first) => {
      const user = await createListenerOfFerry();
      await writeArticle(paths.content, 'night-ferry', { duration: 120 });
      const { loading } = await db.transaction().execute(async (transaction) => {
        // As the deletion of an account does, which deletes the playlists in no order.
        await sql`select from users where id = ${user.id} for update`.execute(transaction);
        await sql`delete from playlist where id = ${user.playlists[first]}`.execute(transaction);
        const loading = Promise.allSettled([loadLibrary()]);
        await waitForBlockedTransactions(1);
        await sql`delete from users where id = ${user.id}`.execute(transaction);
        return { loading };
      });
      expect(await loading).toMatchObject([succeeded({ loaded: ['night-ferry'], failed: [] })]);
      await writeArticle(paths.content, 'night-ferry');
    },
  );
});
