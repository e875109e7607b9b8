import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '@escucho/database';
import { openBillingDatabase } from './database.ts';
import { hasAccess, toSubscriberTime } from './subscribers/policy.ts';
import { subscriberRepository } from './subscribers/repository.ts';
import { changeRepository, getServerDueAt, toChange } from './subscriptions/change-repository.ts';
import { reduceEvents, type SubscriptionEvent } from './subscriptions/events.ts';
import { toGrantEvents } from './subscriptions/policy.ts';
import { type StoredSubscription, subscriptionRepository } from './subscriptions/repository.ts';

const BATCH_SIZE = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The result of comparing all subscriptions with their events. */
interface VerificationReport {
  subscriptions: number;
  entries: number;
  /** The subscriptions whose row differs from what their events reduce to. */
  differing: { id: string; reason: string }[];
}

/** Returns why a row differs from what its events reduce to; undefined if it does not. */
function findDifference(
  row: StoredSubscription & { dueAt: Date | null; clockOffset: number; events: SubscriptionEvent[] },
): string | undefined {
  const { events, version } = row;
  if (events.length !== version) return `its version is ${version}, but it has ${events.length} events`;
  const state = reduceEvents(events);
  if (!isDeepStrictEqual(state, row.state)) return 'its state is not what its events reduce to';
  return getServerDueAt(state, row)?.getTime() === row.dueAt?.getTime()
    ? undefined
    : 'its due time does not follow from its state';
}

/**
 * Reduces all events again and compares the result with each row, in batches that each see one snapshot. Works whether or
 * not the provider runs.
 */
export async function verifySubscriptions(connection: Connection): Promise<VerificationReport> {
  await using db = openBillingDatabase(connection, { name: 'billing admin', maxConnections: 1 });
  const report: VerificationReport = { subscriptions: 0, entries: 0, differing: [] };
  for (let after = FIRST_ID; ; ) {
    const batch = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => subscriptionRepository.findBatch(tx, after, BATCH_SIZE));
    const last = batch.at(-1);
    if (!last) return report;
    for (const row of batch) {
      const reason = findDifference(row);
      report.subscriptions += 1;
      report.entries += row.events.length;
      if (reason) report.differing.push({ id: row.id, reason });
    }
    after = last.id;
  }
}

interface GrantOptions {
  connection: Connection;
  appUserId: string;
}

/**
 * Grants a subscription without an end to a user who has no active one. It counts where there is a sandbox. The database must
 * be migrated.
 */
export async function grantSubscription({ connection, appUserId }: GrantOptions): Promise<void> {
  await using db = openBillingDatabase(connection, { name: 'billing seed', maxConnections: 1 });
  const { subscriber } = await subscriberRepository.findOrCreate(db, appUserId, new Date());
  await db.transaction().execute(async (tx) => {
    const { id: subscriberId, clockOffset } = await subscriberRepository.lock(tx, subscriber.id);
    const now = new Date();
    const at = toSubscriberTime({ clockOffset }, now);
    const stored = await subscriptionRepository.findBySubscriber(tx, subscriberId);
    const states = stored.map(({ state }) => state);
    if (hasAccess(states, at)) return;
    const ref = { id: randomUUID(), subscriberId };
    const change = toChange(ref, toGrantEvents(at, null), { now, clockOffset });
    await changeRepository.saveAll(tx, [change], true);
  });
}
