import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { type Subscriber, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import {
  changeRepository,
  type SubscriberClock,
  type SubscriptionChange,
  toChange,
} from './change-repository.ts';
import type { SubscriptionEvent } from './events.ts';
import { type StoredSubscription, type SubscriptionRef, subscriptionRepository } from './repository.ts';

/** A subscription and its subscriber, locked for a transaction. */
interface LockedSubscription {
  tx: Database;
  subscriber: Subscriber;
  stored: StoredSubscription;
  /** By the subscriber's clock. */
  now: Date;
  clock: SubscriberClock;
  /** Appends events, if any, at most once; they are saved with the transaction. Returns the subscription after them. */
  append: (events: readonly SubscriptionEvent[]) => StoredSubscription;
}

export type WithLock = <Result>(
  ref: SubscriptionRef,
  work: (locked: LockedSubscription) => Promise<Result>,
) => Promise<Result>;

type LockDeps = Pick<BillingDeps, 'db' | 'hasWebhook' | 'clock'>;

interface LockCall {
  ref: SubscriptionRef;
  /** Returns the function that resolves the call, for when the transaction is committed. */
  work: (locked: LockedSubscription) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/**
 * Locks the subscriptions of calls for one transaction, the subscribers first, and does the work of each. What they append
 * is saved at the end.
 */
function runLocked({ db, clock, hasWebhook }: LockDeps, calls: readonly LockCall[]): Promise<(() => void)[]> {
  return db.transaction().execute(async (tx) => {
    const subscriberIds = new Set(calls.map(({ ref }) => ref.subscriberId));
    const subscribers = await subscriberRepository.lockAll(tx, [...subscriberIds]);
    const subscriptions = await subscriptionRepository.lockAll(
      tx,
      calls.map(({ ref }) => ref.id),
    );
    const changes: SubscriptionChange[] = [];
    const resolvers: (() => void)[] = [];
    for (const { ref, work } of calls) {
      const subscriber = subscribers.find(({ id }) => id === ref.subscriberId);
      const stored = subscriptions.find(({ id }) => id === ref.id);
      if (!subscriber || !stored) throw new Error(`Subscription ${ref.id} does not exist`);
      const subscriberClock = { now: clock(), clockOffset: subscriber.clockOffset };
      const append = (events: readonly SubscriptionEvent[]) => {
        if (events.length === 0) return stored;
        const change = toChange(stored, events, subscriberClock);
        changes.push(change);
        return change.after;
      };
      const now = toSubscriberTime(subscriber, subscriberClock.now);
      resolvers.push(await work({ tx, subscriber, stored, now, clock: subscriberClock, append }));
    }
    await changeRepository.saveAll(tx, changes, hasWebhook);
    return resolvers;
  });
}

/** Settles calls in one transaction; where that fails, each in its own, so that one error does not affect the others. */
async function settleCalls(deps: LockDeps, calls: readonly LockCall[]): Promise<void> {
  try {
    for (const resolve of await runLocked(deps, calls)) resolve();
  } catch (error) {
    const [first, ...others] = calls;
    if (others.length === 0) first?.reject(error);
    else for (const call of calls) await settleCalls(deps, [call]);
  }
}

const createLock =
  (submit: (call: LockCall) => void): WithLock =>
  (ref, work) =>
    new Promise((resolve, reject) => {
      const resolveWith = async (locked: LockedSubscription) => {
        const result = await work(locked);
        return () => resolve(result);
      };
      submit({ ref, reject, work: resolveWith });
    });

/** Creates the function that locks a subscription for a transaction; the subscriber is always locked first. */
export const createWithLock = (deps: LockDeps): WithLock =>
  createLock((call) => void settleCalls(deps, [call]));

const MAX_BATCH_SIZE = 100;

/**
 * Creates a `WithLock` for many subscriptions at a time: calls that are made during one transaction share the next one,
 * so that the cost of a commit is shared as well. The work may be done twice, and may only append.
 */
export function createBatchedLock(deps: LockDeps): WithLock {
  const waiting = new Set<LockCall>();
  let isRunning = false;

  function takeBatch(): LockCall[] {
    const batch = new Map<string, LockCall>();
    for (const call of waiting) {
      if (batch.size === MAX_BATCH_SIZE) break;
      if (!batch.has(call.ref.id)) batch.set(call.ref.id, call);
    }
    for (const call of batch.values()) waiting.delete(call);
    return [...batch.values()];
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) {
      // Jobs that continue after the same transaction make their next calls in this turn.
      await setImmediate();
      await settleCalls(deps, takeBatch());
    }
    isRunning = false;
  }

  return createLock((call) => {
    waiting.add(call);
    if (!isRunning) void run();
  });
}
