import { AppError } from '@escucho/contracts';
import type { CustomerPortal } from '../customer-portal/service.ts';
import type { Database } from '../database.ts';
import { billingErrors } from '../errors.ts';
import type { Catalogue } from '../offerings/catalogue.ts';
import type { Subscription } from '../subscriptions/events.ts';
import { type Gateways, isAccepted } from '../subscriptions/processing.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { isAppUserId, isTrialEligible, type Subscriber } from './policy.ts';
import { toSubscriberDto } from './presenter.ts';
import { subscriberRepository } from './repository.ts';

interface SubscriberDeps {
  db: Database;
  catalogue: Catalogue;
  gateways: Gateways;
  /** The `management_url` of subscribers without a customer portal. */
  managementUrl: string;
  portal: CustomerPortal;
  clock: () => Date;
}

/** Creates the service for subscribers. An unknown app user id becomes a subscriber at the first request. */
export function createSubscriberService(deps: SubscriberDeps) {
  const { db, catalogue, gateways, managementUrl, portal, clock } = deps;

  /** Throws for an invalid app user id. */
  async function findOrCreate(appUserId: string) {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    return subscriberRepository.findOrCreate(db, appUserId, clock());
  }

  /** Returns a subscriber who must exist, so that a refused request creates none. Throws `not_found`. */
  async function getExisting(appUserId: string): Promise<Subscriber> {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    const subscriber = await subscriberRepository.find(db, appUserId);
    if (!subscriber) throw new AppError('not_found');
    return subscriber;
  }

  /** Returns a subscriber's subscriptions that count. */
  async function findStates({ id }: Subscriber, on: Database = db): Promise<Subscription[]> {
    const stored = await subscriptionRepository.findBySubscriber(on, id);
    return stored.map(({ state }) => state).filter((state) => isAccepted(gateways, state));
  }

  return {
    findOrCreate,
    getExisting,
    findStates,

    /**
     * Returns the subscriber in the protocol's shape, and whether this request created it. Only a server, which knows who is
     * signed in, gets the link to the customer portal.
     */
    async getInfo(appUserId: string, { isServer }: { isServer: boolean }) {
      // Before the rows are read, so that the data is at least as new as its date.
      const now = clock();
      const { subscriber, isNew } = await findOrCreate(appUserId);
      const states = await findStates(subscriber);
      const { entitlement } = catalogue;
      const url = (isServer && (await portal.createUrl(subscriber))) || managementUrl;
      return {
        isNew,
        body: toSubscriberDto({ subscriber, states, entitlement, managementUrl: url, now }),
      };
    },

    /** Whether the user may still have a trial; an unknown one may. */
    async mayHaveTrial(appUserId: string): Promise<boolean> {
      if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
      const subscriber = await subscriberRepository.find(db, appUserId);
      return !subscriber || isTrialEligible(await findStates(subscriber));
    },
  };
}

export type SubscriberService = ReturnType<typeof createSubscriberService>;
