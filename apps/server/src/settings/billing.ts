import { readFile } from 'node:fs/promises';
import { isTestKey, parseCatalogue } from '@escucho/billing';
import { getErrorMessage } from '@escucho/database';
import * as z from 'zod/mini';
import { baseUrl, EnvError } from './variables.ts';

/** Environment variables of the billing provider and Stripe. */
export const billingVariables = {
  BILLING_URL: z.optional(baseUrl),
  BILLING_PUBLIC_KEY: z.optional(
    z.string().check(z.regex(/^rcb_[\w.-]+$/, 'must begin with rcb_, then letters, digits, _ . -')),
  ),
  BILLING_SECRET_KEY: z.optional(z.string().check(z.regex(/^[\w.-]+$/, 'must be a key'))),
  BILLING_WEBHOOK_SECRET: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  BILLING_OFFERINGS: z.optional(z.string()),
  STRIPE_SECRET_KEY: z.optional(
    z.string().check(z.regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret or restricted key, sk_… or rk_…')),
  ),
  STRIPE_PUBLISHABLE_KEY: z.optional(
    z.string().check(z.regex(/^pk_(test|live)_\w+$/, 'must be a publishable key, pk_…')),
  ),
  STRIPE_ACCOUNT_ID: z.optional(z.string().check(z.regex(/^acct_\w+$/, 'must be an account, acct_…'))),
  STRIPE_WEBHOOK_SECRET: z.optional(
    z.string().check(z.regex(/^whsec_\w+$/, 'must be the secret of a webhook, whsec_…')),
  ),
};

type Variables = z.output<z.ZodMiniObject<typeof billingVariables>>;

/**
 * Returns the external billing provider, RevenueCat or Escucho's in another process, if configured.
 *
 * @throws EnvError for a partial configuration
 */
export function readExternalBilling(env: Variables) {
  const { BILLING_URL: endpoint, BILLING_PUBLIC_KEY: publicKey, BILLING_SECRET_KEY: secretKey } = env;
  if (!endpoint && !publicKey && !secretKey) return undefined;
  if (!publicKey || !secretKey) {
    throw new EnvError([
      'BILLING_PUBLIC_KEY, BILLING_SECRET_KEY: both are required for an external billing provider; leave all BILLING_* unset for the embedded one',
    ]);
  }
  const { BILLING_WEBHOOK_SECRET: eventSecret } = env;
  return {
    endpoint: endpoint ?? 'https://api.revenuecat.com',
    publicKey,
    secretKey,
    ...(eventSecret && { eventSecret }),
  };
}

/**
 * Returns the Stripe account that takes cards for the embedded billing provider, if configured.
 *
 * @throws EnvError for a partial configuration, or test keys mixed with live ones
 */
export function readStripeAccount(env: Variables) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env;
  const { STRIPE_ACCOUNT_ID: accountId, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  if (!secretKey && !publishableKey && !accountId && !webhookSecret) return undefined;
  if (!secretKey || !publishableKey || !accountId || !webhookSecret) {
    throw new EnvError([
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_ACCOUNT_ID, STRIPE_WEBHOOK_SECRET: all four are required for card payments',
    ]);
  }
  if (isTestKey(secretKey) !== isTestKey(publishableKey)) {
    throw new EnvError([
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY: one key is for real money, the other is not',
    ]);
  }
  return { secretKey, publishableKey, accountId, webhookSecret };
}

/**
 * Reads the offerings from a JSON file.
 *
 * @throws EnvError with the reason when the file cannot be read or is invalid
 */
export async function readOfferings(path: string): Promise<unknown> {
  try {
    return parseCatalogue(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new EnvError([`BILLING_OFFERINGS: ${getErrorMessage(error)}`]);
  }
}
