import type { Connection } from '@escucho/database';
import { countLockWaiters, createFolder } from '@escucho/database/testing';
import { sql } from 'kysely';
import { beforeEach, vi } from 'vitest';
import { type CatalogueAdmin, withCatalogueAdmin } from '../content.ts';
import { startPortal } from './portal.ts';

/**
 * Starts a portal with a subscriber, Ana. The catalogue is as loaded, and nothing is saved of users, before each test.
 *
 * @param options.connection - a migrated database; one of its own by default
 */
export async function startCatalogueAdminTest(options: { connection?: Connection } = {}) {
  const portal = await startPortal(options);
  const { db, connection, store, clock, articleId, loadLibrary } = portal;
  const warnings: string[] = [];
  const log = { info() {}, error() {}, warn: (detail: object) => void warnings.push(JSON.stringify(detail)) };
  const administer = <Result>(work: (admin: CatalogueAdmin) => Promise<Result>) =>
    withCatalogueAdmin({ connection, mediaStore: store, log, clock: clock.now }, work);

  /** Waits until so many transactions wait for others. */
  const waitForBlockedTransactions = (count: number) =>
    vi.waitUntil(async () => (await countLockWaiters(db)) >= count, { timeout: 20_000 });

  const root = await createFolder();

  const ana = await portal.createUser({ subscribed: true });
  const ferry = articleId('night-ferry');

  beforeEach(async () => {
    await db.deleteFrom('withdrawn_article').execute();
    await db.deleteFrom('listening_event').execute();
    await sql`delete from bookmark`.execute(db);
    await db.deleteFrom('listening_progress').execute();
    await db.deleteFrom('playlist').where('owner_id', 'is not', null).execute();
    await sql`delete from playlist_item`.execute(db);
    await db.updateTable('playlist').set({ content_hash: null }).execute();
    await db
      .updateTable('article')
      .set({ content_hash: '', source_stamp: '', edited_columns: '{}' })
      .where('id', '=', ferry)
      .execute();
    await loadLibrary();
  });

  return { ...portal, root, log, warnings, administer, waitForBlockedTransactions, ana, ferry };
}
