import Stripe from 'stripe';
import { GatewayFault } from './gateway.ts';

/** The keys of an account at Stripe. */
export interface StripeOptions {
  /** `sk_live_…`, or `sk_test_…` for play money. */
  secretKey: string;
  publishableKey: string;
  accountId: string;
  /** What its events are signed with. */
  webhookSecret: string;
  /** Where Stripe is, for tests. */
  address?: { protocol: 'http' | 'https'; host: string; port: number };
}

/** Stripe by its own library, which sends a call again under the same key when a connection broke. */
export const stripeClient = ({ secretKey, address }: StripeOptions): Stripe =>
  new Stripe(secretKey, {
    ...{ timeout: 8000, maxNetworkRetries: 1, telemetry: false, appInfo: { name: 'Escucho' } },
    ...address,
  });

/** What could not be asked, or was answered with nothing that decides, is a `GatewayFault`. */
export function faultOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return new GatewayFault(`Stripe: ${error.type} ${error.code ?? ''}`.trim(), { cause: error });
}

/** An answer of Stripe's. Throws `GatewayFault`. */
export async function asked<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw faultOf(error);
  }
}

/** Whether Stripe says that there is no such thing (any more). In: what `asked` threw. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof GatewayFault ? error.cause : undefined;
  return cause instanceof Stripe.errors.StripeError && cause.code === 'resource_missing';
}

/** A moment as Stripe says it, in seconds. */
export const dateOf = (seconds: number): Date => new Date(seconds * 1000);

/** The name of what Stripe gives by its name or whole. */
export const idOf = (thing: string | { id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id;
