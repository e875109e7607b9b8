import type { Database } from '../database.ts';
import { type AllowanceKind, type Attempts, afterTaking } from './policy.ts';

type Kind = AllowanceKind | 'wrong password';

const columns = [
  'count',
  'first_at as firstAt',
  'last_at as lastAt',
  'blocked_until as blockedUntil',
] as const;

/** What a subject has tried, or nothing. */
export function findAttempts(db: Database, subject: string, kind: Kind): Promise<Attempts | undefined> {
  return db
    .selectFrom('attempt')
    .select(columns)
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** The same, held for this transaction: whoever else would change it waits. */
export function lockAttempts(tx: Database, subject: string, kind: Kind): Promise<Attempts | undefined> {
  return tx
    .selectFrom('attempt')
    .select(columns)
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Replaces what a subject has tried by what `decide` makes of it, one transaction at a time. In: a rule that gives the
 * next attempts, or nothing to leave them. Out: what it gave.
 */
export async function changeAttempts(
  tx: Database,
  subject: string,
  kind: Kind,
  now: Date,
  decide: (previous: Attempts | undefined) => Attempts | undefined,
): Promise<Attempts | undefined> {
  // A row that is not there cannot be held: put an empty one first.
  await tx
    .insertInto('attempt')
    .values({ subject, kind, count: 0, first_at: now, last_at: now, blocked_until: null })
    .onConflict((conflict) => conflict.columns(['subject', 'kind']).doNothing())
    .execute();
  const previous = await lockAttempts(tx, subject, kind);
  const next = decide(previous?.count === 0 ? undefined : previous);
  if (!next) return undefined;
  const row = {
    count: next.count,
    first_at: next.firstAt,
    last_at: next.lastAt,
    blocked_until: next.blockedUntil,
  };
  await tx
    .insertInto('attempt')
    .values({ subject, kind, ...row })
    .onConflict((conflict) => conflict.columns(['subject', 'kind']).doUpdateSet(row))
    .execute();
  return next;
}

/** Takes one from an allowance. Out: whether there was one left. */
export async function takeOne(
  tx: Database,
  subject: string,
  kind: AllowanceKind,
  now: Date,
): Promise<boolean> {
  const next = await changeAttempts(tx, subject, kind, now, (previous) => afterTaking(previous, kind, now));
  return next !== undefined;
}

/** Forgets what a subject has tried. */
export async function clearAttempts(tx: Database, subject: string, kind: Kind): Promise<void> {
  await tx.deleteFrom('attempt').where('subject', '=', subject).where('kind', '=', kind).execute();
}
