/** The keys of a Stripe account. */
export interface StripeOptions {
  /** `sk_live_…` or `sk_test_…`. */
  secretKey: string;
  publishableKey: string;
  accountId: string;
  /** Verifies the signature of webhook events. */
  webhookSecret: string;
  /** The address of the API, for tests. */
  address?: { protocol: 'http' | 'https'; host: string; port: number };
}

/** Whether a secret or publishable key of Stripe is for test mode. */
export const isTestKey = (key: string): boolean => /^[rsp]k_test_/.test(key);
