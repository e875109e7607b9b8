import { PurchasesError } from './errors.ts';
import type { SubscriberResponse } from './wire.ts';

type Subscriber = SubscriberResponse['subscriber'];
type EntitlementResponse = Subscriber['entitlements'][string];

/** Whether an end is missing or in the future; `now` in milliseconds. */
const isInFuture = (end: string | null | undefined, now: number) => !end || Date.parse(end) > now;

/** Converts an entitlement (section 3). Dates are strings as the provider sent them. */
function toEntitlement(
  identifier: string,
  { expires_date, purchase_date, product_identifier }: EntitlementResponse,
  { subscriptions, non_subscriptions }: Subscriber,
  now: number,
) {
  const subscription = subscriptions[product_identifier];
  const purchase = subscription ? undefined : non_subscriptions[product_identifier]?.at(-1);
  const bought = subscription ?? purchase;
  if (!bought) {
    throw new PurchasesError(
      'CustomerInfoError',
      'Could not find entitlement product in subscriptions or non-subscriptions.',
    );
  }
  const end = subscription && expires_date;
  const { unsubscribe_detected_at, billing_issues_detected_at } = subscription ?? {};
  const isGranted = bought.store === 'promotional' || !end;
  return {
    identifier,
    isActive: isInFuture(end, now),
    willRenew: !(isGranted || unsubscribe_detected_at || billing_issues_detected_at),
    store: bought.store,
    latestPurchaseDate: purchase_date,
    originalPurchaseDate: purchase?.original_purchase_date ?? purchase_date,
    expirationDate: end ?? null,
    productIdentifier: product_identifier,
    unsubscribeDetectedAt: unsubscribe_detected_at ?? null,
    billingIssueDetectedAt: billing_issues_detected_at ?? null,
    isSandbox: bought.is_sandbox,
    /** normal, intro or trial. */
    periodType: subscription?.period_type ?? 'normal',
  };
}

/**
 * Converts the subscriber response (SUB-04). An entitlement is active without an end or before it, and always for a one-time
 * purchase. It renews unless it is granted, has no end, was cancelled, or has a billing issue.
 *
 * @param now - in milliseconds
 * @throws PurchasesError `CustomerInfoError` - an entitlement refers to a product that was never bought
 */
export function toCustomerInfo({ request_date, subscriber }: SubscriberResponse, now: number) {
  const all = Object.fromEntries(
    Object.entries(subscriber.entitlements).map(([identifier, response]) => [
      identifier,
      toEntitlement(identifier, response, subscriber, now),
    ]),
  );
  return {
    entitlements: {
      all,
      active: Object.fromEntries(Object.entries(all).filter(([, { isActive }]) => isActive)),
    },
    /** Ids of the products whose subscription has not ended. */
    activeSubscriptions: Object.entries(subscriber.subscriptions)
      .filter(([, { expires_date }]) => isInFuture(expires_date, now))
      .map(([product]) => product),
    managementUrl: subscriber.management_url ?? null,
    originalAppUserId: subscriber.original_app_user_id,
    firstSeenDate: subscriber.first_seen,
    originalPurchaseDate: subscriber.original_purchase_date ?? null,
    requestDate: request_date,
  };
}

export type CustomerInfo = ReturnType<typeof toCustomerInfo>;
