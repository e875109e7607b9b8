import type { CustomerPortal } from '../customer-portal/service.ts';
import type { Database } from '../database.ts';
import { faults } from '../errors.ts';
import type { Catalogue } from '../offerings/catalogue.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { isAppUserId, isTrialEligible, type Subscriber } from './policy.ts';
import { toSubscriberDto } from './presenter.ts';
import { subscriberRepository } from './repository.ts';

interface Deps {
  db: Database;
  catalogue: Catalogue;
  /** Where a subscriber sees to the subscription who has no portal at the card gateway. */
  managementUrl: string;
  portal: CustomerPortal;
  clock: () => Date;
}

/** Knows subscribers by the app's names for them; who is callStripe for is known from then on. */
export function createSubscriberService({ db, catalogue, managementUrl, portal, clock }: Deps) {
  /** Throws for a name that nobody may have. */
  async function findOrCreate(appUserId: string): Promise<{ subscriber: Subscriber; isNew: boolean }> {
    if (!isAppUserId(appUserId)) throw faults.invalidUserId();
    const known = await subscriberRepository.find(db, appUserId);
    if (known) return { subscriber: known, isNew: false };
    const isNew = await subscriberRepository.create(db, appUserId, clock());
    const subscriber = await subscriberRepository.find(db, appUserId);
    if (!subscriber) throw new Error('A subscriber was forgotten while being made');
    return { subscriber, isNew };
  }

  const statesOf = async ({ id }: Subscriber) =>
    (await subscriptionRepository.findBySubscriber(db, id)).map(({ state }) => state);

  return {
    findOrCreate,

    /** The subscriber on the wire, and whether nobody callStripe before. */
    async info(appUserId: string) {
      // Before the rows are read: what is shown is at least as new as it says.
      const now = clock();
      const { subscriber, isNew } = await findOrCreate(appUserId);
      const states = await statesOf(subscriber);
      const { entitlement } = catalogue;
      const url = portal.urlFor(subscriber) ?? managementUrl;
      return {
        isNew,
        body: toSubscriberDto({ subscriber, states, entitlement, managementUrl: url, now }),
      };
    },

    /** Whether the subscriber may still have a trial. One who is not known yet may. */
    async isTrialEligible(appUserId: string): Promise<boolean> {
      if (!isAppUserId(appUserId)) throw faults.invalidUserId();
      const subscriber = await subscriberRepository.find(db, appUserId);
      return !subscriber || isTrialEligible(await statesOf(subscriber));
    },
  };
}

export type SubscriberService = ReturnType<typeof createSubscriberService>;
