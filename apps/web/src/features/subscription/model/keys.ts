/** Whether a publishable key is Stripe's; else cards are of the embedded sandbox (BUY-06). */
export const isStripeKey = (publishableKey: string): boolean => /^pk_(test|live)_/.test(publishableKey);
