import type Stripe from 'stripe';
import type { Terms } from '../../subscriptions/events.ts';
import type { GatewaySchedule, GatewayState } from '../../subscriptions/gateway-schedule.ts';
import type { ChargeOutcome } from '../../subscriptions/policy.ts';
import type { Charge, Order, OrderResult, Payer } from '../gateway.ts';
import { callStripe, fromUnixTime, getId, isMissing } from './client.ts';
import { createStripeInvoices, toPaidOutcome, toRefusal } from './invoices.ts';
import { toRecurring } from './prices.ts';

type PriceOf = (terms: Terms) => Promise<string | undefined>;

const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000);
const isOver = ({ status }: Stripe.Subscription) => status === 'canceled' || status === 'incomplete_expired';
/** Whether it goes on, paid for or on trial. */
const runs = ({ status }: Stripe.Subscription) => ['active', 'trialing', 'past_due'].includes(status);
const itemOf = ({ items }: Stripe.Subscription) => items.data[0];
/** Whether it ends with the period that runs. Stripe's own pages may say so by a date. */
function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  const { cancel_at: at, cancel_at_period_end: isSaid } = subscription;
  return isSaid || (at !== null && at <= (itemOf(subscription)?.current_period_end ?? at));
}

/** What a schedule has the subscription renewed by; nothing where it is released. */
function scheduledPrice(schedule: Stripe.SubscriptionSchedule | string | null): string | undefined {
  if (!schedule || typeof schedule === 'string') return undefined;
  return getId(schedule.phases.at(-1)?.items[0]?.price);
}

/** Subscriptions that Stripe keeps: it makes each period's invoice, and we see to it that it is paid (RCB-02). */
export function createStripeSubscriptions(stripe: Stripe, priceOf: PriceOf) {
  const invoices = createStripeInvoices(stripe);

  const retrieve = (id: string) => callStripe(stripe.subscriptions.retrieve(id, { expand: ['schedule'] }));

  const setDefaultCard = async ({ customer, card }: Payer): Promise<void> => {
    await callStripe(
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }),
    );
  };

  /** Ends a subscription now, unless it is over. */
  const stop = async (id: string): Promise<void> => {
    await callStripe(stripe.subscriptions.cancel(id)).catch(async (error: unknown) => {
      if (!isMissing(error) && !isOver(await retrieve(id))) throw error;
    });
  };

  /** Ends a subscription that nobody has, and sees to it that nothing is paid for it. Out: whether it went on. */
  async function drop(id: string): Promise<boolean> {
    if (isOver(await retrieve(id))) return false;
    for (const invoice of await invoices.listed(id)) {
      if (invoice.status === 'draft' || invoice.status === 'open') await invoices.drop(invoice);
    }
    await stop(id);
    return true;
  }

  /**
   * What a subscription's toStartEvents comes to: its first invoice is paid here, unless it is by now. One whose first payment
   * is refused is ended, for nobody has it.
   */
  async function begun(subscription: Stripe.Subscription, isTrial: boolean): Promise<OrderResult> {
    const { id, start_date: start, trial_end: trialEnd } = subscription;
    if (isTrial && trialEnd) {
      return { outcome: { status: 'trial' }, kept: { subscription: id, endsAt: fromUnixTime(trialEnd) } };
    }
    const first = await invoices.owed(id, fromUnixTime(start));
    const tried = first && ((await invoices.settled(first, 'once')) ?? (await invoices.pay(first)));
    const isRefused = tried === undefined || tried.status === 'failed';
    const outcome = first && isRefused ? ((await invoices.drop(first)) ?? tried) : tried;
    if (outcome?.status === 'succeeded' && outcome.paidPeriod) {
      return { outcome, kept: { subscription: id, endsAt: outcome.paidPeriod.endsAt } };
    }
    if (outcome?.status === 'pending') return { outcome };
    await stop(id);
    return {
      outcome: { status: 'failed', reason: outcome?.status === 'failed' ? outcome.reason : 'no_invoice' },
    };
  }

  async function findOrder({
    key,
    payer: { customer },
    trialEndsAt,
  }: Order): Promise<OrderResult | undefined> {
    const { data } = await callStripe(stripe.subscriptions.list({ customer, status: 'all', limit: 100 }));
    const ours = data.filter(({ metadata }) => metadata.checkout === key);
    // A request that Stripe could not decide may have been carried out beside the one that was sent after it.
    const best = ours.find(runs) ?? ours.find((each) => !isOver(each)) ?? ours[0];
    return best && begun(best, trialEndsAt !== undefined);
  }

  /**
   * Begins a subscription that is not paid, then pays it: so an answer that is lost, or a fault of Stripe's, never leaves in
   * doubt whether money has moved, and asking again moves none.
   */
  async function subscribe({ key, request, payer, terms, trialEndsAt }: Order): Promise<OrderResult> {
    const price = await priceOf(terms);
    if (!price) return { outcome: { status: 'failed', reason: 'no_price' } };
    const made = await stripe.subscriptions
      .create(
        {
          customer: payer.customer,
          items: [{ price }],
          metadata: { checkout: key },
          off_session: true,
          ...(trialEndsAt
            ? { payment_behavior: 'error_if_incomplete', trial_end: secondsOf(trialEndsAt) }
            : { payment_behavior: 'default_incomplete' }),
        },
        { idempotencyKey: request },
      )
      .catch(toRefusal);
    return 'object' in made ? begun(made, trialEndsAt !== undefined) : { outcome: made };
  }

  /** The invoice for a charge's period, if Stripe has made it. */
  const owedFor = async ({ subscription, startsAt }: Charge) =>
    subscription === null ? undefined : invoices.owed(subscription, startsAt);

  async function charge(wanted: Charge): Promise<ChargeOutcome> {
    const { subscription } = wanted;
    if (subscription === null) return { status: 'failed', reason: 'no_subscription' };
    const invoice = await owedFor(wanted);
    if (invoice) return (await invoices.settled(invoice)) ?? invoices.pay(invoice);
    return isOver(await retrieve(subscription)) ? { status: 'over' } : { status: 'pending' };
  }

  async function findCharge(wanted: Charge): Promise<ChargeOutcome | undefined> {
    const invoice = await owedFor(wanted);
    const outcome = invoice && (await invoices.settled(invoice));
    return outcome?.status === 'failed' ? undefined : outcome;
  }

  async function end({ subscription, startsAt }: Charge): Promise<ChargeOutcome | undefined> {
    if (subscription === null) return undefined;
    for (const invoice of await invoices.listed(subscription)) {
      const isMoney = invoice.status === 'paid' && invoice.amount_paid > 0;
      if (isMoney && invoices.isSince(invoice, startsAt)) return toPaidOutcome(invoice);
      const isOpen = invoice.status === 'draft' || invoice.status === 'open';
      const outcome = isOpen ? await invoices.drop(invoice) : undefined;
      if (outcome) return outcome;
    }
    await stop(subscription);
    return undefined;
  }

  /** Has another price begin with the next period. */
  async function schedule(subscription: string, price: string, terms: Terms): Promise<void> {
    const made = await callStripe(stripe.subscriptionSchedules.create({ from_subscription: subscription }));
    const [phase] = made.phases;
    const current = phase && getId(phase.items[0]?.price);
    if (!phase || !current) throw new Error('Stripe: a schedule without a phase');
    const { start_date, end_date, trial_end } = phase;
    await callStripe(
      stripe.subscriptionSchedules.update(made.id, {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items: [{ price: current }], start_date, end_date, ...(trial_end && { trial_end }) },
          { items: [{ price }], duration: toRecurring(terms.period), proration_behavior: 'none' },
        ],
      }),
    );
  }

  async function updateSchedule(id: string, { cancelAtPeriodEnd, next }: GatewaySchedule): Promise<boolean> {
    const found = await retrieve(id).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!found || isOver(found)) return false;
    const price = next ? await priceOf(next) : undefined;
    const scheduled = scheduledPrice(found.schedule);
    const isScheduled = price !== undefined && scheduled === price;
    const scheduleId = getId(found.schedule);
    if (scheduleId && !isScheduled) await callStripe(stripe.subscriptionSchedules.release(scheduleId));
    if (endsWithPeriod(found) !== cancelAtPeriodEnd) {
      const isByDate = !cancelAtPeriodEnd && !found.cancel_at_period_end;
      const end = isByDate ? { cancel_at: '' as const } : { cancel_at_period_end: cancelAtPeriodEnd };
      await callStripe(stripe.subscriptions.update(id, end));
    }
    if (next && price && !isScheduled && itemOf(found)?.price.id !== price) await schedule(id, price, next);
    return true;
  }

  async function standing(id: string): Promise<GatewayState> {
    const found = await retrieve(id);
    return {
      isOver: isOver(found),
      cancelAtPeriodEnd: endsWithPeriod(found),
      price: scheduledPrice(found.schedule) ?? itemOf(found)?.price.id ?? '',
    };
  }

  const money = { charge, findCharge, owedFor, end, drop, invoices };
  return { setDefaultCard, subscribe, findOrder, updateSchedule, standing, ...money };
}
