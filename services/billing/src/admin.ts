import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '@escucho/database';
import { type Database, open } from './database.ts';
import { toServerTime } from './subscribers/policy.ts';
import { dueAt } from './subscriptions/policy.ts';
import { type StoredSubscription, subscriptionRepository } from './subscriptions/repository.ts';
import { reduceEvents } from './subscriptions/state.ts';

const BATCH = 500;

/** What making all subscriptions again from the ledger came to. */
export interface Verified {
  subscriptions: number;
  entries: number;
  /** Those whose row is not what the ledger says, and why. */
  differing: { id: string; reason: string }[];
}

/** Why a subscription's row is not what its entries come to, if it is not. */
function differenceOf(
  {
    state,
    version,
    dueAt: stands,
    clockOffset,
  }: StoredSubscription & { dueAt: Date | null; clockOffset: number },
  events: Parameters<typeof reduceEvents>[0],
): string | undefined {
  if (events.length !== version) return `${version} entries are counted, ${events.length} are there`;
  const made = reduceEvents(events);
  if (!isDeepStrictEqual(made, state)) return 'its state is not what its entries come to';
  const due = dueAt(made);
  const expected = due && toServerTime({ clockOffset }, due);
  return expected?.getTime() === stands?.getTime()
    ? undefined
    : 'it is due at another time than its state says';
}

/** Makes every subscription again from the ledger and compares, each as it is at one moment. Changes nothing. */
async function verify(db: Database): Promise<Verified> {
  const verified: Verified = { subscriptions: 0, entries: 0, differing: [] };
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const batch = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => subscriptionRepository.findBatch(tx, after, BATCH));
    const last = batch.at(-1);
    if (!last) return verified;
    for (const each of batch) {
      const reason = differenceOf(each, each.events);
      verified.subscriptions += 1;
      verified.entries += each.events.length;
      if (reason) verified.differing.push({ id: each.id, reason });
    }
    after = last.id;
  }
}

/** What an operator does, whether or not the provider runs. `close` lets the database go. */
export function createBillingAdmin({ connection }: { connection: Connection }) {
  const db = open(connection, { name: 'billing admin', maxConnections: 2 });
  return { verify: () => verify(db), close: () => db.destroy() };
}
