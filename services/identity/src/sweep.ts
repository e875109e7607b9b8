import type { Database } from './database.ts';

const hour = 3_600_000;
const keptAttempts = 2 * hour;
const keptSessions = 7 * 24 * hour;
const keptMail = 30 * 24 * hour;
// No token lives longer than a day.
const keptKeys = 25 * hour;

/** Forgets what can change no answer any more: ended handshakes, codes and sessions, old attempts, old mail. */
export async function sweep(db: Database, now: Date): Promise<void> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await db.deleteFrom('answered_handshake').where('expires_at', '<', ago(hour)).execute();
  await db.deleteFrom('code').where('expires_at', '<', ago(hour)).execute();
  await db.deleteFrom('hosted_session').where('expires_at', '<', ago(hour)).execute();
  await db.deleteFrom('federation').where('expires_at', '<', ago(hour)).execute();
  // A code that comes again later than this ends nothing any more.
  await db
    .deleteFrom('authorization_code')
    .where('expires_at', '<', ago(24 * hour))
    .execute();
  await db.deleteFrom('session').where('expires_at', '<', ago(keptSessions)).execute();
  await db.deleteFrom('attempt').where('last_at', '<', ago(keptAttempts)).execute();
  await db.deleteFrom('signing_key').where('retired_at', '<', ago(keptKeys)).execute();
  await db.deleteFrom('mail').where('created_at', '<', ago(keptMail)).execute();
}
