import type Stripe from 'stripe';
import type { Environment } from '../../subscribers/policy.ts';
import type { Terms } from '../../subscriptions/events.ts';
import type { GatewaySchedule, GatewayState } from '../../subscriptions/gateway-schedule.ts';
import type { ChargeOutcome } from '../../subscriptions/policy.ts';
import {
  type Charge,
  GatewayError,
  type Order,
  type OrderResult,
  type Payer,
  type RefundOutcome,
} from '../gateway.ts';
import { callStripe, fromUnixTime, getId, hasCode, ignoreMissing, isMissing } from './client.ts';
import { createStripeInvoices, toPaidOutcome, toPaidPeriod, toRefusal } from './invoices.ts';
import { toRecurring } from './prices.ts';

type PriceOf = (terms: Terms) => Promise<string | undefined>;

const toUnixTime = (date: Date) => Math.floor(date.getTime() / 1000);
const isEnded = (found: Stripe.Subscription | undefined): boolean =>
  !found || found.status === 'canceled' || found.status === 'incomplete_expired';
/** Whether it is active, on trial, or waiting for a payment. */
const isActive = ({ status }: Stripe.Subscription) => ['active', 'trialing', 'past_due'].includes(status);
const getItem = ({ items }: Stripe.Subscription) => items.data[0];
/** Whether it ends with the current period. Stripe's own pages may set a date instead. */
function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  const { cancel_at: at, cancel_at_period_end: isAtPeriodEnd } = subscription;
  return isAtPeriodEnd || (at !== null && at <= (getItem(subscription)?.current_period_end ?? at));
}

/** Returns the price of a schedule's last phase; undefined where the schedule is released. */
function getScheduledPrice(schedule: Stripe.SubscriptionSchedule | string | null): string | undefined {
  if (!schedule || typeof schedule === 'string') return undefined;
  return getId(schedule.phases.at(-1)?.items[0]?.price);
}

/** Creates the operations on Stripe's subscriptions: Stripe creates each period's invoice, the service pays it (RCB-02). */
export function createStripeSubscriptions(stripe: Stripe, priceOf: PriceOf, environment: Environment) {
  const invoices = createStripeInvoices(stripe);

  /**
   * Whether an error means that test data were deleted at Stripe. Live data never are: what is missing there belongs to
   * another account, which may go on charging for it.
   */
  const isDeleted = (error: unknown) => environment === 'sandbox' && isMissing(error);

  /** Returns a subscription; undefined for one that was deleted. */
  const retrieve = (id: string): Promise<Stripe.Subscription | undefined> =>
    callStripe(stripe.subscriptions.retrieve(id, { expand: ['schedule'] })).catch((error: unknown) => {
      if (!isDeleted(error)) throw error;
      return undefined;
    });

  const setDefaultCard = async ({ customer, card }: Payer): Promise<boolean> => {
    const settings = { invoice_settings: { default_payment_method: card } };
    const updated = await callStripe(stripe.customers.update(customer, settings)).catch(ignoreMissing);
    return updated !== undefined;
  };

  /**
   * Refunds what is left of a payment. Some or all may have been refunded in Stripe's dashboard. Needs no idempotency key:
   * nothing is left after a refund, and a key would repeat a server error of Stripe's.
   */
  async function refund(reference: string): Promise<RefundOutcome> {
    try {
      await callStripe(stripe.refunds.create({ payment_intent: reference }));
    } catch (error) {
      if (hasCode(error, 'charge_disputed')) return 'disputed';
      if (isDeleted(error)) return 'deleted';
      if (!hasCode(error, 'charge_already_refunded')) throw error;
    }
    return 'refunded';
  }

  /** Cancels a subscription now, unless it has ended. */
  const cancelNow = async (id: string): Promise<void> => {
    await callStripe(stripe.subscriptions.cancel(id)).catch(async (error: unknown) => {
      if (!isEnded(await retrieve(id))) throw error;
    });
  };

  /** Returns the payment of an invoice, or that it is pending; voids an unpaid one. */
  async function findPaidOrVoid(invoice: Stripe.Invoice): Promise<ChargeOutcome | undefined> {
    const { status, amount_paid: paid } = invoice;
    if (status === 'paid') return paid > 0 ? toPaidOutcome(invoice) : undefined;
    return status === 'draft' || status === 'open' ? invoices.voidUnpaid(invoice) : undefined;
  }

  /** Cancels an orphaned subscription, so that nothing is owed or paid for it: refunds what was paid. */
  async function cancelOrphan(id: string): Promise<boolean> {
    if (isEnded(await retrieve(id))) return false;
    for (const invoice of await invoices.list(id)) {
      const outcome = await findPaidOrVoid(invoice);
      if (outcome?.status === 'pending') throw new GatewayError('a charge is pending');
      if (outcome?.status !== 'succeeded') continue;
      await refund(outcome.reference);
    }
    await cancelNow(id);
    return true;
  }

  /**
   * Completes a new subscription: pays its first invoice, unless it is paid. Cancels the subscription when the payment is
   * refused, because nothing refers to it.
   */
  async function completeOrder(subscription: Stripe.Subscription, isTrial: boolean): Promise<OrderResult> {
    const { id, start_date: start, trial_end: trialEnd } = subscription;
    if (isTrial && trialEnd) {
      return { outcome: { status: 'trial' }, gatewaySubscription: { id, endsAt: fromUnixTime(trialEnd) } };
    }
    const first = await invoices.findOwed(id, fromUnixTime(start));
    const tried =
      first && ((await invoices.findOutcome(first, { isFirstAttempt: true })) ?? (await invoices.pay(first)));
    const isRefused = tried === undefined || tried.status === 'failed';
    const outcome = first && isRefused ? ((await invoices.voidUnpaid(first)) ?? tried) : tried;
    if (outcome?.status === 'succeeded' && outcome.paidPeriod) {
      return { outcome, gatewaySubscription: { id, endsAt: outcome.paidPeriod.endsAt } };
    }
    if (outcome?.status === 'pending') return { outcome };
    await cancelNow(id);
    return {
      outcome: { status: 'failed', reason: outcome?.status === 'failed' ? outcome.reason : 'no_invoice' },
    };
  }

  /**
   * Completes one of the subscriptions that were created for an order, and cancels the others: Stripe may have carried out
   * an undecided request beside the one that was sent after it, and another process may have sent one.
   */
  async function findOrder({
    key,
    payer: { customer },
    trialEndsAt,
  }: Order): Promise<OrderResult | undefined> {
    // A customer who is missing has none.
    const page = await callStripe(stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).catch(
      ignoreMissing,
    );
    const existing = (page?.data ?? []).filter(({ metadata }) => metadata.checkout === key);
    // The newest is listed first. The oldest is the same for every process.
    const best = existing.findLast(isActive) ?? existing.findLast((each) => !isEnded(each)) ?? existing[0];
    for (const other of existing) if (other !== best) await cancelOrphan(other.id);
    return best && completeOrder(best, trialEndsAt !== undefined);
  }

  /**
   * Creates an unpaid subscription, then pays it: a lost response or a server error of Stripe's never leaves open whether
   * money has moved, and repeating the request moves none.
   */
  async function subscribe(order: Order): Promise<OrderResult> {
    const { key, idempotencyKey, payer, terms, trialEndsAt } = order;
    const price = await priceOf(terms);
    if (!price) return { outcome: { status: 'failed', reason: 'no_price' } };
    const created = await stripe.subscriptions
      .create(
        {
          customer: payer.customer,
          items: [{ price }],
          metadata: { checkout: key },
          off_session: true,
          ...(trialEndsAt
            ? { payment_behavior: 'error_if_incomplete', trial_end: toUnixTime(trialEndsAt) }
            : { payment_behavior: 'default_incomplete' }),
        },
        { idempotencyKey },
      )
      .catch(toRefusal);
    if (!('object' in created)) return { outcome: created };
    return (await findOrder(order)) ?? completeOrder(created, trialEndsAt !== undefined);
  }

  /** Returns the invoice of a charge's period, if Stripe has created it. */
  const findUnpaidInvoice = async ({ subscription, startsAt }: Charge) =>
    subscription === null ? undefined : invoices.findOwed(subscription, startsAt);

  async function charge(request: Charge): Promise<ChargeOutcome> {
    const { subscription } = request;
    if (subscription === null) return { status: 'failed', reason: 'no_subscription' };
    const invoice = await findUnpaidInvoice(request);
    const outcome = invoice && (await invoices.findOutcome(invoice));
    if (outcome && outcome.status !== 'failed') return outcome;
    if (invoice?.auto_advance) return outcome ?? invoices.pay(invoice);
    // Stripe does not collect it, because the subscription has ended or somebody wants it so.
    const found = await retrieve(subscription);
    if (isEnded(found)) return { status: 'ended' };
    const paidPeriod = invoice && invoice.status !== 'open' ? toPaidPeriod(invoice) : undefined;
    if (found?.pause_collection && paidPeriod) return { status: 'waived', paidPeriod };
    if (!invoice || invoice.status === 'draft') return { status: 'pending' };
    return outcome ?? invoices.pay(invoice);
  }

  async function findCharge(request: Charge): Promise<ChargeOutcome | undefined> {
    const invoice = await findUnpaidInvoice(request);
    const outcome = invoice && (await invoices.findOutcome(invoice));
    return outcome?.status === 'failed' ? undefined : outcome;
  }

  async function cancelSubscription({ subscription, startsAt }: Charge): Promise<ChargeOutcome | undefined> {
    if (subscription === null) return undefined;
    for (const invoice of await invoices.list(subscription)) {
      const outcome = await findPaidOrVoid(invoice);
      if (outcome && (invoice.status !== 'paid' || invoices.isSince(invoice, startsAt))) return outcome;
    }
    await cancelNow(subscription);
    return undefined;
  }

  /** Schedules another price from the next period on. */
  async function schedule(subscription: string, price: string, terms: Terms): Promise<void> {
    const created = await callStripe(
      stripe.subscriptionSchedules.create({ from_subscription: subscription }),
    );
    const [phase] = created.phases;
    const current = phase && getId(phase.items[0]?.price);
    if (!phase || !current) throw new Error('Stripe: a schedule without a phase');
    const { start_date, end_date, trial_end } = phase;
    await callStripe(
      stripe.subscriptionSchedules.update(created.id, {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items: [{ price: current }], start_date, end_date, ...(trial_end && { trial_end }) },
          { items: [{ price }], duration: toRecurring(terms.period), proration_behavior: 'none' },
        ],
      }),
    );
  }

  async function updateSchedule(
    id: string,
    { cancelAtPeriodEnd, next, current }: GatewaySchedule,
  ): Promise<boolean> {
    const found = await retrieve(id);
    if (!found || isEnded(found)) return false;
    const terms = next ?? (cancelAtPeriodEnd ? null : current);
    const price = terms ? await priceOf(terms) : undefined;
    if (next && !price) throw new GatewayError('Stripe: there is no price for the next period');
    const isScheduled = next !== null && getScheduledPrice(found.schedule) === price;
    const scheduleId = getId(found.schedule);
    if (scheduleId && !isScheduled) await callStripe(stripe.subscriptionSchedules.release(scheduleId));
    if (endsWithPeriod(found) !== cancelAtPeriodEnd) {
      const isByDate = !cancelAtPeriodEnd && !found.cancel_at_period_end;
      const end = isByDate ? { cancel_at: '' as const } : { cancel_at_period_end: cancelAtPeriodEnd };
      await callStripe(stripe.subscriptions.update(id, end));
    }
    if (terms && price && !isScheduled && getItem(found)?.price.id !== price)
      await schedule(id, price, terms);
    return true;
  }

  async function getState(id: string): Promise<GatewayState> {
    const found = await retrieve(id);
    return {
      hasEnded: isEnded(found),
      cancelAtPeriodEnd: found !== undefined && endsWithPeriod(found),
      price: found ? (getScheduledPrice(found.schedule) ?? getItem(found)?.price.id ?? '') : '',
    };
  }

  return {
    setDefaultCard,
    subscribe,
    findOrder,
    updateSchedule,
    getState,
    charge,
    findCharge,
    findUnpaidInvoice,
    cancelSubscription,
    cancelOrphan,
    refund,
    invoices,
  };
}
