import type { Subscription } from '../subscriptions/events.ts';
import { getAccessEnd } from '../subscriptions/policy.ts';
import { type Subscriber, toServerTime } from './policy.ts';

/** The product id of a granted subscription. */
const GRANTED_PRODUCT = 'promotional_gift';

const getEnd = (state: Subscription) => getAccessEnd(state)?.getTime() ?? Number.POSITIVE_INFINITY;

/** Returns when the grace period ends: with the access, where that was ended before. */
const getGraceEnd = (state: Subscription) => state.graceEndsAt && getAccessEnd(state);

const getProduct = ({ terms }: Subscription): string => terms?.product ?? GRANTED_PRODUCT;

/** Returns the subscription of each product that lasts longest. */
function groupByProduct(states: readonly Subscription[]): Map<string, Subscription> {
  const inOrder = states.toSorted((one, other) => getEnd(one) - getEnd(other));
  return new Map(inOrder.map((state) => [getProduct(state), state]));
}

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
export function toSubscriberDto({ subscriber, states, entitlement, managementUrl, now }: SubscriberView) {
  const toServerDate = (date: Date) => toIsoSeconds(toServerTime(subscriber, date));
  const toServerDateOrNull = (date: Date | null) => (date ? toServerDate(date) : null);
  const products = groupByProduct(states);
  const [, best] = [...products].reduce<[string, Subscription] | readonly []>(
    (best, each) => (best[1] && getEnd(best[1]) >= getEnd(each[1]) ? best : each),
    [],
  );
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
