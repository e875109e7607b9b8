import type { CustomerPortal } from '../customer-portal/service.ts';
import type { Database } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { billingErrors } from '../errors.ts';
import type { Subscription } from '../subscriptions/events.ts';
import { getAccessEnd } from '../subscriptions/policy.ts';
import { isAccepted } from '../subscriptions/processing.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { isAppUserId, isTrialEligible, type Subscriber, toServerTime } from './policy.ts';
import { subscriberRepository } from './repository.ts';

/** The product id of a granted subscription. */
const GRANTED_PRODUCT = 'promotional_gift';

const getEnd = (state: Subscription) => getAccessEnd(state)?.getTime() ?? Number.POSITIVE_INFINITY;

/** Returns when the grace period ends: with the access, where that was ended before. */
const getGraceEnd = (state: Subscription) => state.graceEndsAt && getAccessEnd(state);

const getProduct = ({ terms }: Subscription): string => terms?.product ?? GRANTED_PRODUCT;

const toIsoSeconds = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z');

interface SubscriberView {
  subscriber: Subscriber;
  states: readonly Subscription[];
  entitlement: string;
  managementUrl: string | null;
  now: Date;
}

/**
 * Converts a subscriber to the protocol's shape. Dates are by the server's clock, so an advanced clock moves them back for
 * clients, which have clocks of their own.
 */
function toSubscriberDto({ subscriber, states, entitlement, managementUrl, now }: SubscriberView) {
  const toServerDate = (date: Date) => toIsoSeconds(toServerTime(subscriber, date));
  const toServerDateOrNull = (date: Date | null) => (date ? toServerDate(date) : null);
  const inOrder = states.toSorted((one, other) => getEnd(one) - getEnd(other));
  // The last of each product, which lasts longest.
  const products = new Map(inOrder.map((state) => [getProduct(state), state]));
  const best = inOrder.at(-1);
  const first = states
    .map((state) => state.startedAt)
    .toSorted((one, other) => one.getTime() - other.getTime())[0];
  return {
    request_date: toIsoSeconds(now),
    request_date_ms: now.getTime(),
    subscriber: {
      original_app_user_id: subscriber.appUserId,
      first_seen: toServerDate(subscriber.firstSeenAt),
      last_seen: toIsoSeconds(now),
      management_url: managementUrl,
      original_application_version: null,
      original_purchase_date: toServerDateOrNull(first ?? null),
      entitlements: best
        ? {
            [entitlement]: {
              expires_date: toServerDateOrNull(getAccessEnd(best)),
              grace_period_expires_date: toServerDateOrNull(getGraceEnd(best)),
              product_identifier: getProduct(best),
              product_plan_identifier: null,
              purchase_date: toServerDate(best.purchasedAt),
            },
          }
        : {},
      subscriptions: Object.fromEntries(
        [...products].map(([product, state]) => [
          product,
          {
            purchase_date: toServerDate(state.purchasedAt),
            original_purchase_date: toServerDate(state.startedAt),
            expires_date: toServerDateOrNull(getAccessEnd(state)),
            billing_issues_detected_at: toServerDateOrNull(state.billingIssueAt),
            unsubscribe_detected_at: toServerDateOrNull(state.unsubscribedAt),
            grace_period_expires_date: toServerDateOrNull(getGraceEnd(state)),
            refunded_at: toServerDateOrNull(state.refundedAt),
            auto_resume_date: null,
            product_plan_identifier: null,
            store_transaction_id: null,
            is_sandbox: state.isSandbox,
            period_type: state.periodType,
            store: state.store,
          },
        ]),
      ),
      non_subscriptions: {},
      other_purchases: {},
    },
  };
}

interface SubscriberDeps extends BillingDeps {
  portal: CustomerPortal;
}

/** Creates the service for subscribers. An unknown app user id becomes a subscriber at the first request. */
export function createSubscriberService(deps: SubscriberDeps) {
  const { db, catalogue, gateways, managementUrl, portal, clock } = deps;

  /** Throws for an invalid app user id. */
  async function findOrCreate(appUserId: string) {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    return subscriberRepository.findOrCreate(db, appUserId, clock());
  }

  /** Returns a subscriber who must exist, so that a refused request creates none. Throws `BillingError`. */
  async function getExisting(appUserId: string): Promise<Subscriber> {
    if (!isAppUserId(appUserId)) throw billingErrors.invalidUserId();
    const subscriber = await subscriberRepository.find(db, appUserId);
    if (!subscriber) throw billingErrors.subscriberNotFound();
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
