import type { Database } from './database.ts';

const HOUR_MS = 3_600_000;
const ATTEMPT_RETENTION_MS = 2 * HOUR_MS;
/** A second redemption after this revokes nothing any more. */
const AUTHORIZATION_CODE_RETENTION_MS = 24 * HOUR_MS;
const SESSION_RETENTION_MS = 7 * 24 * HOUR_MS;
const MAIL_RETENTION_MS = 30 * 24 * HOUR_MS;
/** Longer than the lifetime of any token. */
const RETIRED_KEY_RETENTION_MS = 25 * HOUR_MS;

/** Deletes rows that cannot affect a response any more: expired handshakes, codes and sessions, old counters and mail. */
export async function deleteExpiredRows(db: Database, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  for (const table of [
    'used_handshake',
    'verification_code',
    'hosted_session',
    'federated_sign_in',
  ] as const) {
    await db.deleteFrom(table).where('expires_at', '<', before(HOUR_MS)).execute();
  }
  await db
    .deleteFrom('authorization_code')
    .where('expires_at', '<', before(AUTHORIZATION_CODE_RETENTION_MS))
    .execute();
  await db.deleteFrom('session').where('expires_at', '<', before(SESSION_RETENTION_MS)).execute();
  await db.deleteFrom('attempt_counter').where('last_at', '<', before(ATTEMPT_RETENTION_MS)).execute();
  await db.deleteFrom('signing_key').where('retired_at', '<', before(RETIRED_KEY_RETENTION_MS)).execute();
  await db.deleteFrom('outbox_mail').where('created_at', '<', before(MAIL_RETENTION_MS)).execute();
}
