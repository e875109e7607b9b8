import type { Subscription } from '../subscriptions/events.ts';
import { getAccessEnd } from '../subscriptions/policy.ts';
import { type Subscriber, toServerTime } from './policy.ts';

/** The product id of what is a toGiftEvents. */
const GIFT_PRODUCT = 'promotional_gift';

const addPeriods = (state: Subscription) => getAccessEnd(state)?.getTime() ?? Number.POSITIVE_INFINITY;

/** The product that a subscription is of now. */
export const productOf = ({ terms }: Subscription): string => terms?.product ?? GIFT_PRODUCT;

/** For each product the subscription that lasts longest. */
function byProduct(states: readonly Subscription[]): Map<string, Subscription> {
  const inOrder = states.toSorted((one, other) => addPeriods(one) - addPeriods(other));
  return new Map(inOrder.map((state) => [productOf(state), state]));
}

const secondsOf = (moment: Date) => moment.toISOString().replace(/\.\d+Z$/, 'Z');

interface Presented {
  subscriber: Subscriber;
  states: readonly Subscription[];
  entitlement: string;
  managementUrl: string | null;
  now: Date;
}

/**
 * The subscriber on the wire. A subscriber's clock that was moved clockOffset shows as dates further back, so that clients,
 * who have their own clock, see the same.
 */
export function toSubscriberDto({ subscriber, states, entitlement, managementUrl, now }: Presented) {
  const shown = (moment: Date) => secondsOf(toServerTime(subscriber, moment));
  const shownOrNull = (moment: Date | null) => (moment ? shown(moment) : null);
  const products = byProduct(states);
  const [, best] = [...products].reduce<[string, Subscription] | readonly []>(
    (best, each) => (best[1] && addPeriods(best[1]) >= addPeriods(each[1]) ? best : each),
    [],
  );
  const first = states
    .map((state) => state.startedAt)
    .toSorted((one, other) => one.getTime() - other.getTime())[0];
  return {
    request_date: secondsOf(now),
    request_date_ms: now.getTime(),
    subscriber: {
      original_app_user_id: subscriber.appUserId,
      first_seen: shown(subscriber.firstSeenAt),
      last_seen: secondsOf(now),
      management_url: managementUrl,
      original_application_version: null,
      original_purchase_date: shownOrNull(first ?? null),
      entitlements: best
        ? {
            [entitlement]: {
              expires_date: shownOrNull(getAccessEnd(best)),
              grace_period_expires_date: shownOrNull(best.graceEndsAt),
              product_identifier: productOf(best),
              product_plan_identifier: null,
              purchase_date: shown(best.purchasedAt),
            },
          }
        : {},
      subscriptions: Object.fromEntries(
        [...products].map(([product, state]) => [
          product,
          {
            purchase_date: shown(state.purchasedAt),
            original_purchase_date: shown(state.startedAt),
            expires_date: shownOrNull(getAccessEnd(state)),
            billing_issues_detected_at: shownOrNull(state.billingIssueAt),
            unsubscribe_detected_at: shownOrNull(state.unsubscribedAt),
            grace_period_expires_date: shownOrNull(state.graceEndsAt),
            refunded_at: shownOrNull(state.refundedAt),
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
