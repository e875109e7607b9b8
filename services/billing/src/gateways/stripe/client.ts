import Stripe from 'stripe';
import { GatewayError } from '../gateway.ts';

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

/** Creates Stripe's client, which retries once under the same idempotency key when a connection breaks. */
export const createStripeClient = ({ secretKey, address }: StripeOptions): Stripe =>
  new Stripe(secretKey, {
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Escucho' },
    ...address,
  });

/** Converts an error of Stripe's library to a `GatewayError`; returns others as they are. */
export function toGatewayError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return new GatewayError(`Stripe: ${error.type} ${error.code ?? ''}`.trim(), { cause: error });
}

/** Awaits a call of Stripe's API. Throws `GatewayError`. */
export async function callStripe<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw toGatewayError(error);
  }
}

/** Whether an error of `callStripe` has one of Stripe's error codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  const cause = error instanceof GatewayError ? error.cause : undefined;
  return cause instanceof Stripe.errors.StripeError && codes.includes(cause.code ?? '');
}

/** Whether an error of `callStripe` means that the object does not exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

/** Handles a rejection of `callStripe`: returns undefined where the object does not exist. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

export const fromUnixTime = (seconds: number): Date => new Date(seconds * 1000);

/** Returns the id of a reference, which Stripe serializes as an id or as the object. */
export const getId = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;
