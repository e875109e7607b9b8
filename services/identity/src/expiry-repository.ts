import type { Database } from './database.ts';

const HOUR_MS = 3_600_000;
/** Longer than the window of any rate limit. */
const ATTEMPT_RETENTION_MS = 25 * HOUR_MS;
/** A second redemption after this revokes nothing any more. */
const AUTHORIZATION_CODE_RETENTION_MS = 24 * HOUR_MS;
const SESSION_RETENTION_MS = 7 * 24 * HOUR_MS;
/** Longer than the lifetime of any token. */
const RETIRED_KEY_RETENTION_MS = 25 * HOUR_MS;

/** Deletes rows that cannot affect a response any more: expired handshakes, codes and sessions, old counters and mail. */
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
}
