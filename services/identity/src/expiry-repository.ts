import type { Database } from './database.ts';
import { deleteUser } from './users/repository.ts';

const HOUR_MS = 3_600_000;
/** Longer than the window of any rate limit. */
const ATTEMPT_RETENTION_MS = 25 * HOUR_MS;
/** A second redemption after this revokes nothing any more. */
const AUTHORIZATION_CODE_RETENTION_MS = 24 * HOUR_MS;
const SESSION_RETENTION_MS = 7 * 24 * HOUR_MS;
/** Longer than the lifetime of any token. */
const RETIRED_KEY_RETENTION_MS = 25 * HOUR_MS;

const UNCONFIRMED_RETENTION_MS = 7 * 24 * HOUR_MS;
const MAX_DELETED_USERS = 500;

/** Deletes sign-ups that nobody confirmed, once no code can confirm them. */
async function deleteUnconfirmedUsers(tx: Database, updatedBefore: Date): Promise<void> {
  const rows = await tx
    .selectFrom('account')
    .select('id')
    .where('status', '=', 'UNCONFIRMED')
    .where('updatedAt', '<', updatedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('verification_code').select('userId').whereRef('userId', '=', 'account.id'))),
    )
    .limit(MAX_DELETED_USERS)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { id } of rows) await deleteUser(tx, id);
}

/** Deletes rows that cannot affect a response any more: expired handshakes, codes and sessions, old counters, mail and sign-ups. */
export async function deleteExpiredRows(db: Database, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  for (const [table, retentionMs] of [
    ['used_handshake', HOUR_MS],
    ['verification_code', HOUR_MS],
    ['hosted_session', HOUR_MS],
    ['federated_sign_in', HOUR_MS],
    ['authorization_code', AUTHORIZATION_CODE_RETENTION_MS],
    ['session', SESSION_RETENTION_MS],
  ] as const) {
    await db.deleteFrom(table).where('expiresAt', '<', before(retentionMs)).execute();
  }
  await db.deleteFrom('attempt_counter').where('lastAt', '<', before(ATTEMPT_RETENTION_MS)).execute();
  await db.deleteFrom('signing_key').where('retiredAt', '<', before(RETIRED_KEY_RETENTION_MS)).execute();
  await db.deleteFrom('outbox_mail').where('expiresAt', '<=', now).execute();
  await db.transaction().execute((tx) => deleteUnconfirmedUsers(tx, before(UNCONFIRMED_RETENTION_MS)));
}
