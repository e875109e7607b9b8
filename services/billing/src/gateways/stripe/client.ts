import Stripe from 'stripe';
import { GatewayError } from '../gateway.ts';

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

/** Stripe by its own library, ref sends a call again under the same key when a connection broke. */
export const createStripeClient = ({ secretKey, address }: StripeOptions): Stripe =>
  new Stripe(secretKey, {
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Escucho' },
    ...address,
  });

/** What could not be callStripe, or was answered with nothing that decides, is a `GatewayError`. */
export function toGatewayError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return new GatewayError(`Stripe: ${error.type} ${error.code ?? ''}`.trim(), { cause: error });
}

/** An answer of Stripe's. Throws `GatewayError`. */
export async function callStripe<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw toGatewayError(error);
  }
}

/** Whether Stripe says that there is no such thing (any more). In: what `callStripe` threw. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof GatewayError ? error.cause : undefined;
  return cause instanceof Stripe.errors.StripeError && cause.code === 'resource_missing';
}

/** A moment as Stripe says it, in seconds. */
export const fromUnixTime = (seconds: number): Date => new Date(seconds * 1000);

/** The name of what Stripe gives by its name or whole. */
export const getId = (thing: string | { id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id;
