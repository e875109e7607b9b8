import Stripe from 'stripe';
import { AUTHENTICATION_REQUIRED, type ChargeOutcome, type PaidPeriod } from '../../subscriptions/policy.ts';
import { callStripe, fromUnixTime, getId, ignoreMissing, toGatewayError } from './client.ts';

/** Clocks differ and Stripe counts in seconds, so a period may end this much later. */
const TOLERANCE_MS = 60_000;

/** Returns the line for the subscription's period, not a proration. */
const findSubscriptionLine = ({ lines }: Stripe.Invoice) =>
  lines.data.find(
    ({ parent }) => parent?.subscription_item_details && !parent.subscription_item_details.proration,
  );

/** Returns the subscription of an invoice, and the key of the order that created it. */
export function getInvoiceSubscription({ parent }: Stripe.Invoice) {
  const details = parent?.subscription_details;
  const subscription = getId(details?.subscription);
  return subscription ? { subscription, order: details?.metadata?.checkout } : undefined;
}

/** Returns the period that an invoice is for. */
export function toPaidPeriod(invoice: Stripe.Invoice): PaidPeriod | undefined {
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

/** Converts a paid invoice, with its payments expanded, to the outcome of a charge. */
export function toPaidOutcome(invoice: Stripe.Invoice): ChargeOutcome {
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
  const paidPeriod = toPaidPeriod(invoice);
  const reference = getId(paid?.payment.payment_intent) ?? invoice.id;
  return { status: 'succeeded', reference, ...(paidPeriod && { paidPeriod }) };
}

/** Returns why a card was refused: Stripe's decline code, its error code or `fallback`. */
function toReason(error: { code?: string; decline_code?: string } | null, fallback: string): string {
  const reasons = [error?.decline_code, error?.code, fallback];
  const authenticationCodes = [
    AUTHENTICATION_REQUIRED,
    'invoice_payment_intent_requires_action',
    'requires_action',
  ];
  if (reasons.some((reason) => reason && authenticationCodes.includes(reason)))
    return AUTHENTICATION_REQUIRED;
  return reasons.find((reason) => reason) ?? fallback;
}

/** Converts a refusal by Stripe or the card's bank to an outcome. Throws any other error. */
export function toRefusal(error: unknown): ChargeOutcome {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  const isRefusal = error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
  if (!isRefusal) throw toGatewayError(error);
  return { status: 'failed', reason: toReason(error, error.type) };
}

/** Returns the payment intent that an invoice waits for; its payments must be expanded. */
export function findPaymentIntent({ payments }: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const intents = payments?.data.flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' ? [intent] : [],
  );
  return intents?.find(({ status }) => status !== 'canceled');
}

/** Creates the operations on the invoices that Stripe creates for subscriptions (RCB-02). All throw `GatewayError`. */
export function createStripeInvoices(stripe: Stripe) {
  const retrieve = (id: string) =>
    callStripe(
      stripe.invoices.retrieve(id, {
        expand: ['payments.data.payment.payment_intent', 'confirmation_secret'],
      }),
    );

  const getStart = (invoice: Stripe.Invoice) => findSubscriptionLine(invoice)?.period.start ?? 0;
  const getEnd = (invoice: Stripe.Invoice) =>
    fromUnixTime(findSubscriptionLine(invoice)?.period.end ?? 0).getTime();
  /** Whether it is for a period after `since`, which Stripe may have begun before. */
  const isSince = (invoice: Stripe.Invoice, since: Date) => getEnd(invoice) > since.getTime() + TOLERANCE_MS;

  /** Lists the invoices of a subscription, the earliest period first; none of one that is missing. */
  async function list(subscription: string): Promise<Stripe.Invoice[]> {
    const page = await callStripe(
      stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] }),
    ).catch(ignoreMissing);
    return (page?.data ?? []).toSorted((one, other) => getStart(one) - getStart(other));
  }

  /** Returns the first invoice for a period after `since`. */
  const findOwed = async (subscription: string, since: Date): Promise<Stripe.Invoice | undefined> =>
    (await list(subscription)).find((invoice) => isSince(invoice, since));

  /**
   * Returns the outcome of an invoice that no request is paying now; undefined where it can be attempted. The error of an
   * earlier attempt counts as the outcome of a first invoice only.
   */
  async function findOutcome(
    invoice: Stripe.Invoice,
    { isFirstAttempt = false } = {},
  ): Promise<ChargeOutcome | undefined> {
    if (invoice.status === 'paid') return toPaidOutcome(invoice);
    if (invoice.status === 'void') return { status: 'failed', reason: 'void' };
    if (invoice.status === 'draft') return undefined;
    const now = await retrieve(invoice.id);
    if (now.status === 'paid') return toPaidOutcome(now);
    const { status = '', last_payment_error: error = null } = findPaymentIntent(now) ?? {};
    if (status === 'processing') return { status: 'pending' };
    return isFirstAttempt && error ? { status: 'failed', reason: toReason(error, status) } : undefined;
  }

  /** Finalizes a draft, and returns the invoice as it is then: another process, or Stripe, may have finalized it since. */
  async function finalize(id: string, params: Stripe.InvoiceFinalizeInvoiceParams): Promise<Stripe.Invoice> {
    try {
      return await stripe.invoices.finalizeInvoice(id, params);
    } catch (error) {
      const now = await retrieve(id);
      if (now.status === 'draft') throw toGatewayError(error);
      return now;
    }
  }

  /**
   * Pays an invoice with the customer's default card, finalizing a draft first. Needs no idempotency key: an invoice is paid
   * once, however often it is attempted, and a key would repeat a server error of Stripe's.
   */
  async function pay(invoice: Stripe.Invoice): Promise<ChargeOutcome> {
    const { id } = invoice;
    const expand = ['payments'];
    const open = invoice.status === 'draft' ? await finalize(id, { expand }) : invoice;
    if (open.status === 'paid') return toPaidOutcome(open);
    try {
      const paid = await stripe.invoices.pay(id, { off_session: true, expand });
      return paid.status === 'paid' ? toPaidOutcome(paid) : { status: 'pending' };
    } catch (error) {
      const refusal = toRefusal(error);
      // Stripe retries by itself as well, so the invoice may have been paid in between.
      return (await findOutcome(await retrieve(id))) ?? refusal;
    }
  }

  /** Voids an unpaid invoice. Returns its outcome where it was too late. */
  async function voidUnpaid(invoice: Stripe.Invoice): Promise<ChargeOutcome | undefined> {
    const { id } = invoice;
    if (invoice.status === 'draft') {
      const open = await finalize(id, { auto_advance: false });
      // An invoice of zero is paid when it is finalized.
      if (open.status === 'paid') return open.amount_paid > 0 ? toPaidOutcome(open) : undefined;
    }
    try {
      await stripe.invoices.voidInvoice(id);
      return undefined;
    } catch (error) {
      const now = await findOutcome(await retrieve(id));
      if (now?.status === 'failed') return undefined;
      if (now) return now;
      throw toGatewayError(error);
    }
  }

  return { retrieve, findOwed, findOutcome, pay, voidUnpaid, list, isSince };
}
