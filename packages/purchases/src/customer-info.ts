import { PurchasesError } from './errors.ts';
import type { SubscriberAnswer } from './wire.ts';

/** A right that something bought gives (section 3). Dates as the provider wrote them, null where there is none. */
export interface Entitlement {
  identifier: string;
  isActive: boolean;
  willRenew: boolean;
  store: string;
  latestPurchaseDate: string;
  originalPurchaseDate: string;
  expirationDate: string | null;
  productIdentifier: string;
  unsubscribeDetectedAt: string | null;
  billingIssueDetectedAt: string | null;
  isSandbox: boolean;
  /** normal, intro or trial. */
  periodType: string;
}

/** What the provider knows of a reader. */
export interface CustomerInfo {
  entitlements: {
    all: Readonly<Record<string, Entitlement>>;
    active: Readonly<Record<string, Entitlement>>;
  };
  /** Ids of the products whose subscription has not ended. */
  activeSubscriptions: readonly string[];
  managementUrl: string | null;
  originalAppUserId: string;
  firstSeenDate: string;
  originalPurchaseDate: string | null;
  requestDate: string;
}

type Subscriber = SubscriberAnswer['subscriber'];
type EntitlementAnswer = Subscriber['entitlements'][string];

/** Ends never, or later than now; `now` in milliseconds. */
const isAhead = (end: string | null | undefined, now: number) => !end || Date.parse(end) > now;

function bySubscription(
  identifier: string,
  { expires_date, purchase_date, product_identifier }: EntitlementAnswer,
  subscription: Subscriber['subscriptions'][string],
  now: number,
): Entitlement {
  const { store, unsubscribe_detected_at, billing_issues_detected_at, is_sandbox, period_type } =
    subscription;
  const isGift = store === 'promotional' || !expires_date;
  return {
    identifier,
    isActive: isAhead(expires_date, now),
    willRenew: !(isGift || unsubscribe_detected_at || billing_issues_detected_at),
    store,
    latestPurchaseDate: purchase_date,
    originalPurchaseDate: purchase_date,
    expirationDate: expires_date ?? null,
    productIdentifier: product_identifier,
    unsubscribeDetectedAt: unsubscribe_detected_at ?? null,
    billingIssueDetectedAt: billing_issues_detected_at ?? null,
    isSandbox: is_sandbox,
    periodType: period_type,
  };
}

const byPurchase = (
  identifier: string,
  { purchase_date, product_identifier }: EntitlementAnswer,
  purchase: Subscriber['non_subscriptions'][string][number],
): Entitlement => ({
  identifier,
  isActive: true,
  willRenew: false,
  store: purchase.store,
  latestPurchaseDate: purchase_date,
  originalPurchaseDate: purchase.original_purchase_date,
  expirationDate: null,
  productIdentifier: product_identifier,
  unsubscribeDetectedAt: null,
  billingIssueDetectedAt: null,
  isSandbox: purchase.is_sandbox,
  periodType: 'normal',
});

function entitlementOf(identifier: string, answer: EntitlementAnswer, subscriber: Subscriber, now: number) {
  const subscription = subscriber.subscriptions[answer.product_identifier];
  if (subscription) return bySubscription(identifier, answer, subscription, now);
  const purchase = subscriber.non_subscriptions[answer.product_identifier]?.at(-1);
  if (purchase) return byPurchase(identifier, answer, purchase);
  throw new PurchasesError(
    'CustomerInfoError',
    'Could not find entitlement product in subscriptions or non-subscriptions.',
  );
}

/**
 * What a subscriber's answer comes to (SUB-04): an entitlement holds while it has no end or one ahead, a thing bought once
 * for ever; it renews unless it is a gift, has no end, was cancelled, or could not be charged. In: the answer, and now in
 * milliseconds. Throws CustomerInfoError for an entitlement of a product that was never bought.
 */
export function customerInfoOf({ request_date, subscriber }: SubscriberAnswer, now: number): CustomerInfo {
  const all = Object.fromEntries(
    Object.entries(subscriber.entitlements).map(([identifier, answer]) => [
      identifier,
      entitlementOf(identifier, answer, subscriber, now),
    ]),
  );
  return {
    entitlements: {
      all,
      active: Object.fromEntries(Object.entries(all).filter(([, { isActive }]) => isActive)),
    },
    activeSubscriptions: Object.entries(subscriber.subscriptions)
      .filter(([, { expires_date }]) => isAhead(expires_date, now))
      .map(([product]) => product),
    managementUrl: subscriber.management_url ?? null,
    originalAppUserId: subscriber.original_app_user_id,
    firstSeenDate: subscriber.first_seen,
    originalPurchaseDate: subscriber.original_purchase_date ?? null,
    requestDate: request_date,
  };
}
