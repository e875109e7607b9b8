import Stripe from 'stripe';
import { AUTHENTICATION_REQUIRED, type ChargeOutcome, type PaidPeriod } from '../../subscriptions/policy.ts';
import { callStripe, fromUnixTime, getId, toGatewayError } from './client.ts';

/** What an invoice may begin before the moment it is looked for by: clocks differ, and Stripe counts in seconds. */
const TOLERANCE = 60_000;

/** The line of an invoice that is the subscription's own: ref price, from when until when. */
const findSubscriptionLine = ({ lines }: Stripe.Invoice) =>
  lines.data.find(
    ({ parent }) => parent?.subscription_item_details && !parent.subscription_item_details.proration,
  );

/** The subscription that an invoice is of, and the key of the purchase that began it; nothing where it is of none. */
export function getInvoiceSubscription({ parent }: Stripe.Invoice) {
  const details = parent?.subscription_details;
  const subscription = getId(details?.subscription);
  return subscription ? { subscription, order: details?.metadata?.checkout } : undefined;
}

/** What a paid invoice paid for. */
function toPaidPeriod(invoice: Stripe.Invoice): PaidPeriod | undefined {
  const line = findSubscriptionLine(invoice);
  if (!line) return undefined;
  const { start, end } = line.period;
  return {
    money: { amount: invoice.amount_paid, currency: invoice.currency.toUpperCase() },
    startsAt: fromUnixTime(start),
    endsAt: fromUnixTime(end),
    price: getId(line.pricing?.price_details?.price),
  };
}

/** A paid invoice as the charge that it was. In: it with its payments; none where nothing was left to pay. */
export function toPaidOutcome(invoice: Stripe.Invoice): ChargeOutcome {
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
  const paidPeriod = toPaidPeriod(invoice);
  const reference = getId(paid?.payment.payment_intent) ?? invoice.id;
  return { status: 'succeeded', reference, ...(paidPeriod && { paidPeriod }) };
}

/** Why a card was refused. In: what Stripe says of it, where it does; else how the payment stands. */
function reasonOf(error: { code?: string; decline_code?: string } | null, otherwise: string): string {
  const reasons = [error?.decline_code, error?.code, otherwise];
  const asks = [AUTHENTICATION_REQUIRED, 'invoice_payment_intent_requires_action', 'requires_action'];
  if (reasons.some((reason) => reason && asks.includes(reason))) return AUTHENTICATION_REQUIRED;
  return reasons.find((reason) => reason) ?? otherwise;
}

/** A refusal by Stripe or the card's bank as an outcome. Throws what is none. */
export function toRefusal(error: unknown): ChargeOutcome {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  const isRefusal = error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
  if (!isRefusal) throw toGatewayError(error);
  return { status: 'failed', reason: reasonOf(error, error.type) };
}

/** The payment that an invoice waits for. In: the invoice with its payments and their intents. */
export function findPaymentIntent({ payments }: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const intents = payments?.data.flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' ? [intent] : [],
  );
  return intents?.find(({ status }) => status !== 'canceled');
}

/** The invoices of subscriptions, ref Stripe makes by itself (RCB-02). All of it throws `GatewayError`. */
export function createStripeInvoices(stripe: Stripe) {
  const whole = (id: string) =>
    callStripe(
      stripe.invoices.retrieve(id, {
        expand: ['payments.data.payment.payment_intent', 'confirmation_secret'],
      }),
    );

  const startOf = (invoice: Stripe.Invoice) =>
    fromUnixTime(findSubscriptionLine(invoice)?.period.start ?? 0).getTime();
  /** Whether it is for a period that begins at a moment or later. */
  const isSince = (invoice: Stripe.Invoice, since: Date) => startOf(invoice) >= since.getTime() - TOLERANCE;

  /** A subscription's invoices, that of the earliest period first. */
  async function listed(subscription: string): Promise<Stripe.Invoice[]> {
    const { data } = await callStripe(
      stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] }),
    );
    return data.toSorted((one, other) => startOf(one) - startOf(other));
  }

  /** The first of a subscription's invoices for a period that begins at a moment or later. */
  const owed = async (subscription: string, since: Date): Promise<Stripe.Invoice | undefined> =>
    (await listed(subscription)).find((invoice) => isSince(invoice, since));

  /** How an invoice stands that nobody tries to pay just now; nothing where it can be tried, `once` or however often. */
  async function settled(invoice: Stripe.Invoice, once?: 'once'): Promise<ChargeOutcome | undefined> {
    if (invoice.status === 'paid') return toPaidOutcome(invoice);
    if (invoice.status === 'void') return { status: 'failed', reason: 'void' };
    if (invoice.status === 'draft') return undefined;
    const now = await whole(invoice.id);
    if (now.status === 'paid') return toPaidOutcome(now);
    const { status = '', last_payment_error: error = null } = findPaymentIntent(now) ?? {};
    if (status === 'processing') return { status: 'pending' };
    return once && error ? { status: 'failed', reason: reasonOf(error, status) } : undefined;
  }

  /**
   * Pays an invoice by its customer's card; a draft is finalized first and does not wait its hour. An invoice is paid once,
   * however often it is tried, so no key of ours keeps a fault of Stripe's alive.
   */
  async function pay(invoice: Stripe.Invoice): Promise<ChargeOutcome> {
    const { id } = invoice;
    const expand = ['payments'];
    const open =
      invoice.status === 'draft'
        ? await callStripe(stripe.invoices.finalizeInvoice(id, { expand }))
        : invoice;
    if (open.status === 'paid') return toPaidOutcome(open);
    try {
      const paid = await stripe.invoices.pay(id, { off_session: true, expand });
      return paid.status === 'paid' ? toPaidOutcome(paid) : { status: 'pending' };
    } catch (error) {
      const refusal = toRefusal(error);
      // Stripe tries by itself as well: whoever comes second is told that it is paid.
      return (await settled(await whole(id))) ?? refusal;
    }
  }

  /** Sees to it that an unpaid invoice is never paid. Out: what it came to where that was too late. */
  async function drop(invoice: Stripe.Invoice): Promise<ChargeOutcome | undefined> {
    const { id } = invoice;
    if (invoice.status === 'draft') {
      const { status } = await callStripe(stripe.invoices.finalizeInvoice(id, { auto_advance: false }));
      // Of one over nothing, nothing is left to be paid.
      if (status === 'paid') return undefined;
    }
    try {
      await stripe.invoices.voidInvoice(id);
      return undefined;
    } catch (error) {
      const now = await settled(await whole(id));
      if (now?.status === 'failed') return undefined;
      if (now) return now;
      throw toGatewayError(error);
    }
  }

  return { whole, owed, settled, pay, drop, listed, isSince };
}
