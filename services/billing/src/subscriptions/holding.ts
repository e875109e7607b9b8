import type { Database } from '../database.ts';
import { type Subscriber, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { SubscriptionEvent } from './events.ts';
import { type StoredSubscription, type SubscriptionRef, subscriptionRepository } from './repository.ts';

/** A subscription and its subscriber, held for a transaction; `now` by the subscriber's clock. */
export interface LockedSubscription {
  tx: Database;
  subscriber: Subscriber;
  stored: StoredSubscription;
  now: Date;
  append: (events: readonly SubscriptionEvent[]) => Promise<StoredSubscription>;
}

export type WithLock = <Result>(
  ref: SubscriptionRef,
  work: (held: LockedSubscription) => Promise<Result>,
) => Promise<Result>;

/** Works on one subscription with it and its subscriber held, the subscriber first. */
export function createWithLock({ db, clock }: { db: Database; clock: () => Date }): WithLock {
  return ({ id, subscriberId }, work) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.lock(tx, id);
      if (!stored) throw new Error(`Subscription ${id} is not there`);
      const append = (events: readonly SubscriptionEvent[]) =>
        subscriptionRepository.append(tx, stored, events, subscriber.clockOffset);
      return work({ tx, subscriber, stored, now: toSubscriberTime(subscriber, clock()), append });
    });
}
