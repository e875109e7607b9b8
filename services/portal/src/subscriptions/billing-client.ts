import {
  AppError,
  billingApi,
  buildPath,
  type Endpoint,
  type RequestInput,
  type ResponseBody,
} from '@escucho/contracts';
import * as z from 'zod/mini';
import type { Grant } from './policy.ts';

/** The billing provider's address and our credentials. */
export interface BillingOptions {
  /** Base URL, without a slash at the end. */
  endpoint: string;
  secretKey: string;
  /** Authenticates its webhook events; without one the webhook is not registered. */
  eventSecret?: string;
  /** Replaces `fetch`. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

/** A purchase or gift as the provider reports it. */
export interface Purchase extends Grant {
  product: string;
}

const TIMEOUT_MS = 10_000;

const dateSchema = z.nullish(
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text) => new Date(text)),
  ),
);
const entitlementSchema = z.object({
  expires_date: dateSchema,
  grace_period_expires_date: dateSchema,
  product_identifier: z.string(),
});
const subscriptionSchema = z.object({
  store: z.string(),
  unsubscribe_detected_at: dateSchema,
  billing_issues_detected_at: dateSchema,
  is_sandbox: z.nullish(z.boolean()),
});
const otherPurchaseSchema = z.object({ store: z.string(), is_sandbox: z.nullish(z.boolean()) });
const subscriberSchema = z.object({
  subscriber: z.object({
    management_url: z.nullish(z.string()),
    entitlements: z.record(z.string(), entitlementSchema),
    subscriptions: z.record(z.string(), subscriptionSchema),
    non_subscriptions: z.record(z.string(), z.array(otherPurchaseSchema)),
  }),
});

type Subscriber = z.infer<typeof subscriberSchema>['subscriber'];

/** Returns whether the provider does not know what was asked for. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'not_found';

/** Applies section 4 of the specification: a purchase that is not a subscription never expires. */
function toPurchases({ entitlements, subscriptions, non_subscriptions: others }: Subscriber): Purchase[] {
  const purchases = Object.values(entitlements).flatMap((entitlement): Purchase[] => {
    const { product_identifier: product, expires_date: ends, grace_period_expires_date: grace } = entitlement;
    const subscription = subscriptions[product];
    const bought = subscription ?? others[product]?.at(-1);
    if (!bought) return [];
    const expiresAt = ends && grace && grace > ends ? grace : (ends ?? null);
    return [
      {
        product,
        store: bought.store,
        isSandbox: bought.is_sandbox ?? false,
        expiresAt: subscription ? expiresAt : null,
        unsubscribeDetectedAt: subscription?.unsubscribe_detected_at ?? null,
        billingIssueDetectedAt: subscription?.billing_issues_detected_at ?? null,
      },
    ];
  });
  return [...new Map(purchases.map((purchase) => [purchase.product, purchase])).values()];
}

/** Creates a client of the billing provider. It speaks RevenueCat's protocol; the embedded provider has further endpoints. */
export function createBillingClient({ endpoint, secretKey, send = fetch }: BillingOptions) {
  /** @throws AppError `unavailable` without a valid response, `not_found`, `conflict` */
  async function request<Schema extends z.ZodMiniType>(
    schema: Schema,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema>> {
    const headers = {
      authorization: `Bearer ${secretKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(endpoint + path, { ...init, signal }).catch((cause) => {
      throw new AppError('unavailable', { cause });
    });
    if (response.status === 404) throw new AppError('not_found');
    if (response.status === 409) throw new AppError('conflict');
    if (!response.ok) {
      throw new AppError('unavailable', {
        cause: new Error(`The billing provider responded with ${response.status}.`),
      });
    }
    try {
      return schema.parse(await response.json());
    } catch (cause) {
      throw new AppError('unavailable', { cause });
    }
  }

  async function call<E extends Endpoint>(
    target: E,
    appUserId: string,
    ...[body]: 'body' extends keyof RequestInput<E> ? [body: RequestInput<E>['body']] : []
  ): Promise<ResponseBody<E>> {
    const schema: E['response'] = target.response;
    return request(schema, target.method, buildPath(target, { params: { appUserId } }), body);
  }

  const getSubscriber = async (userId: string) =>
    (await request(subscriberSchema, 'GET', `/v1/subscribers/${encodeURIComponent(userId)}`)).subscriber;

  return {
    call,

    findPurchases: async (userId: string): Promise<Purchase[]> => toPurchases(await getSubscriber(userId)),

    findManagementUrl: async (userId: string) => (await getSubscriber(userId)).management_url ?? null,

    /** Stops all renewals and deletes the customer; does nothing for an unknown one. */
    async deleteCustomer(userId: string): Promise<void> {
      await call(billingApi.deleteSubscriber, userId).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

export type BillingClient = ReturnType<typeof createBillingClient>;
