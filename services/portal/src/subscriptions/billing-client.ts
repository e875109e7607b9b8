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

/** Where the billing provider is, and the key by which it knows us. */
export interface BillingOptions {
  /** Without a slash at the end. */
  endpoint: string;
  secretKey: string;
  /** What its events are signed with; without one none are believed. */
  eventSecret?: string;
  /** How it is reached; by the network unless said. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

/** A purchase or gift, by the product that the provider knows it by. */
export interface Purchase extends Grant {
  product: string;
}

/** No answer after so many milliseconds is none. */
const TIMEOUT_MS = 10_000;

const moment = z.nullish(
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text) => new Date(text)),
  ),
);
const entitlement = z.object({
  expires_date: moment,
  grace_period_expires_date: moment,
  product_identifier: z.string(),
});
const bought = z.object({
  store: z.string(),
  unsubscribe_detected_at: moment,
  billing_issues_detected_at: moment,
});
const subscriberAnswer = z.object({
  subscriber: z.object({
    management_url: z.nullish(z.string()),
    entitlements: z.record(z.string(), entitlement),
    subscriptions: z.record(z.string(), bought),
    non_subscriptions: z.record(z.string(), z.array(z.object({ store: z.string() }))),
  }),
});

type Subscriber = z.infer<typeof subscriberAnswer>['subscriber'];

/** What somebody has, by the rules of the specification's section 4: of a purchase that is no subscription no end counts. */
function toPurchases({ entitlements, subscriptions, non_subscriptions: others }: Subscriber): Purchase[] {
  const found = Object.values(entitlements).flatMap((each): Purchase[] => {
    const { product_identifier: product, expires_date: ends, grace_period_expires_date: grace } = each;
    const subscription = subscriptions[product];
    const [other] = others[product]?.slice(-1) ?? [];
    if (subscription) {
      return [
        {
          product,
          store: subscription.store,
          expiresAt: ends && grace && grace > ends ? grace : (ends ?? null),
          unsubscribeDetectedAt: subscription.unsubscribe_detected_at ?? null,
          billingIssueDetectedAt: subscription.billing_issues_detected_at ?? null,
        },
      ];
    }
    const open = { expiresAt: null, unsubscribeDetectedAt: null, billingIssueDetectedAt: null };
    return other ? [{ product, store: other.store, ...open }] : [];
  });
  return [...new Map(found.map((each) => [each.product, each])).values()];
}

/** The billing provider, asked as a server: by RevenueCat's protocol, and where ours is it, by the rest of the contracts. */
export function createBillingClient({ endpoint, secretKey, send = fetch }: BillingOptions) {
  /** Throws `unavailable` where there is no answer or none of this shape, `not_found` and `conflict` as they come. */
  async function ask<Schema extends z.ZodMiniType>(
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
    const answer = await send(endpoint + path, { ...init, signal }).catch((cause) => {
      throw new AppError('unavailable', { cause });
    });
    if (answer.status === 404) throw new AppError('not_found');
    if (answer.status === 409) throw new AppError('conflict');
    if (!answer.ok) {
      throw new AppError('unavailable', {
        cause: new Error(`The billing provider answered ${answer.status}.`),
      });
    }
    try {
      return schema.parse(await answer.json());
    } catch (cause) {
      throw new AppError('unavailable', { cause });
    }
  }

  async function call<E extends Endpoint>(
    target: E,
    sent: RequestInput<E> & { params: { appUserId: string }; body?: unknown },
  ): Promise<ResponseBody<E>> {
    const schema: E['response'] = target.response;
    return ask(schema, target.method, buildPath(target, { params: sent.params }), sent.body);
  }

  const subscriber = async (reader: string) =>
    (await ask(subscriberAnswer, 'GET', `/v1/subscribers/${encodeURIComponent(reader)}`)).subscriber;

  return {
    call,

    purchases: async (reader: string): Promise<Purchase[]> => toPurchases(await subscriber(reader)),

    managementUrl: async (reader: string) => (await subscriber(reader)).management_url ?? null,

    /** Stops all renewals and forgets the reader; one who is not known is forgotten already. */
    async forget(reader: string): Promise<void> {
      await call(billingApi.subscribers.deleteSubscriber, { params: { appUserId: reader } }).catch(
        (error: unknown) => {
          if (!(error instanceof AppError && error.code === 'not_found')) throw error;
        },
      );
    },
  };
}

export type BillingClient = ReturnType<typeof createBillingClient>;
