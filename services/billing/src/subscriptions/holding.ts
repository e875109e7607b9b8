import type { Database } from '../database.ts';
import { type Subscriber, timeOf } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { Fact } from './facts.ts';
import { type Stored, subscriptionRepository, type Which } from './repository.ts';

/** A subscription and its subscriber, held for a transaction; `now` by the subscriber's clock. */
export interface Held {
  tx: Database;
  subscriber: Subscriber;
  stored: Stored;
  now: Date;
  append: (facts: readonly Fact[]) => Promise<Stored>;
}

export type Holding = <Result>(which: Which, work: (held: Held) => Promise<Result>) => Promise<Result>;

/** Works on one subscription with it and its subscriber held, the subscriber first. */
export function createHolding({ db, clock }: { db: Database; clock: () => Date }): Holding {
  return ({ id, subscriberId }, work) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.lock(tx, id);
      if (!stored) throw new Error(`Subscription ${id} is not there`);
      const append = (facts: readonly Fact[]) =>
        subscriptionRepository.append(tx, stored, facts, subscriber.ahead);
      return work({ tx, subscriber, stored, now: timeOf(subscriber, clock()), append });
    });
}
