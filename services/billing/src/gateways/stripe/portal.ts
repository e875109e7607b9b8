import type Stripe from 'stripe';
import { callStripe } from './client.ts';

/** What our configuration of the portal is known by, among those that somebody else made at Stripe. */
const mark = { escucho: 'portal' };

/** Cancelling, cards and invoices. Another plan is chosen with us, where it begins with the next period. */
const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
};

/** Stripe's customer portal (RCB-02). */
export function stripePortal(stripe: Stripe) {
  let known: string | undefined;

  /** Our configuration, made once for an account. */
  async function configuration(): Promise<string> {
    const { data } = await callStripe(stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
    const ours = data.find(({ metadata }) => metadata?.escucho === mark.escucho);
    if (ours) return ours.id;
    const once = { idempotencyKey: 'escucho.portal' };
    return (await callStripe(stripe.billingPortal.configurations.create({ features, metadata: mark }, once)))
      .id;
  }

  /** A page of the portal for one customer, good for minutes. In: where it leads back to. Throws `GatewayError`. */
  return async (customer: string, returnUrl: string): Promise<string> => {
    known ??= await configuration();
    const asks = { customer, configuration: known, return_url: returnUrl };
    return (await callStripe(stripe.billingPortal.sessions.create(asks))).url;
  };
}
