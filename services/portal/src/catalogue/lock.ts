import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Waits for other transactions that change the catalogue. The triggers that index and count articles take the same lock:
 * a transaction that locks rows of articles or system playlists takes it first, since two that hold rows while they wait
 * for it would be a deadlock.
 */
export const lockCatalogue = (transaction: Database) =>
  sql`select pg_advisory_xact_lock(hashtext('portal search'))`.execute(transaction);
