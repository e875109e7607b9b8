import type { Database } from '../database.ts';
import {
  type AttemptCounter,
  countAttempt,
  isLimitExceeded,
  isLocked,
  type RateLimitKind,
} from './policy.ts';

type CounterKind = RateLimitKind | 'password' | 'second-factor';

const selectCounter = (db: Database, subject: string, kind: CounterKind) =>
  db
    .selectFrom('attempt_counter')
    .select(['count', 'firstAt', 'lastAt', 'lockedUntil'])
    .where('subject', '=', subject)
    .where('kind', '=', kind);

/**
 * Finds a counter.
 * @param subject the id of a user or of a decoy
 */
export const findCounter = (db: Database, subject: string, kind: CounterKind) =>
  selectCounter(db, subject, kind).executeTakeFirst();

/** Finds a counter and locks its row until the transaction ends. */
export const lockCounter = (tx: Database, subject: string, kind: CounterKind) =>
  selectCounter(tx, subject, kind).forUpdate().executeTakeFirst();

/**
 * Updates a counter, one transaction at a time, unless it locks the account.
 * @param update returns the new value, or undefined to leave the counter as it is
 * @returns the new value; undefined where the counter is as before
 */
export async function updateCounter(
  tx: Database,
  subject: string,
  kind: CounterKind,
  now: Date,
  update: (previous: AttemptCounter | undefined, now: Date) => AttemptCounter | undefined,
): Promise<AttemptCounter | undefined> {
  // A missing row cannot be locked: insert an empty one first.
  await tx
    .insertInto('attempt_counter')
    .values({ subject, kind, count: 0, firstAt: now, lastAt: now, lockedUntil: null })
    .onConflict((conflict) => conflict.columns(['subject', 'kind']).doNothing())
    .execute();
  const previous = await lockCounter(tx, subject, kind);
  if (isLocked(previous, now)) return undefined;
  const next = update(previous?.count === 0 ? undefined : previous, now);
  if (!next) return undefined;
  await tx
    .updateTable('attempt_counter')
    .set(next)
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .execute();
  return next;
}

/** Returns whether a rate limit refuses further attempts, without a lock. */
export async function isRateLimited(
  db: Database,
  subject: string,
  kind: RateLimitKind,
  now: Date,
): Promise<boolean> {
  return isLimitExceeded(await findCounter(db, subject, kind), kind, now);
}

/**
 * Counts an attempt; returns whether the rate limit allowed it. Attempts beyond the limit are refused without a lock, so
 * that a flood of guesses about one account does not occupy the connections of others.
 */
export async function consumeRateLimit(
  tx: Database,
  subject: string,
  kind: RateLimitKind,
  now: Date,
): Promise<boolean> {
  if (await isRateLimited(tx, subject, kind, now)) return false;
  const next = await updateCounter(tx, subject, kind, now, (previous) => countAttempt(previous, kind, now));
  return next !== undefined;
}

/** Deletes a counter, so that counting starts again. */
export async function resetCounter(tx: Database, subject: string, kind: CounterKind): Promise<void> {
  await tx.deleteFrom('attempt_counter').where('subject', '=', subject).where('kind', '=', kind).execute();
}
