import { randomUUID } from 'node:crypto';
import type { Connection } from '@escucho/database';
import { open } from './database.ts';
import { hasAccess, toSubscriberTime } from './subscribers/policy.ts';
import { subscriberRepository } from './subscribers/repository.ts';
import { toGiftEvents } from './subscriptions/policy.ts';
import { subscriptionRepository } from './subscriptions/repository.ts';

interface GiftOptions {
  connection: Connection;
  appUserId: string;
  clock?: () => Date;
}

/** Gives a subscription without an end to whoever has none that runs. The database must be migrated. */
export async function grantSubscription({
  connection,
  appUserId,
  clock = () => new Date(),
}: GiftOptions): Promise<void> {
  const db = open(connection, { name: 'billing seed', maxConnections: 1 });
  try {
    await subscriberRepository.create(db, appUserId, clock());
    const known = await subscriberRepository.find(db, appUserId);
    if (!known) throw new Error('A subscriber was forgotten while being made');
    await db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, known.id);
      const now = toSubscriberTime(subscriber, clock());
      const states = (await subscriptionRepository.findBySubscriber(tx, known.id)).map(({ state }) => state);
      if (hasAccess(states, now)) return;
      const made = { id: randomUUID(), subscriberId: known.id };
      await subscriptionRepository.append(tx, made, toGiftEvents(now, null), subscriber.clockOffset);
    });
  } finally {
    await db.destroy();
  }
}
