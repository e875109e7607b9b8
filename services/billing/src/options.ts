import type { Connection } from '@escucho/database';
import type { MailTransport } from '@escucho/service-kit';
import type { StripeOptions } from './gateways/stripe/client.ts';
import type { WebhookEndpoint } from './webhooks/service.ts';

/** The keys of one installation. A public key is in every page; the secret one is for servers. */
export interface BillingKeys {
  /** `rcb_sb_…`, for play money; without one there is none. */
  sandbox?: string;
  /** `rcb_…`, for real money. */
  production?: string;
  /** `sk_…` */
  secret: string;
}

/** Whether a key of Stripe's, secret or publishable, is for play money. */
export const isTestKey = (key: string): boolean => /^[rsp]k_test_/.test(key);

/** What the billing provider is given. */
export interface BillingOptions {
  connection: Connection;
  keys: BillingKeys;
  /** Cards of play money, ref anybody may confirm, and clocks that anybody may move: for trying out only. */
  sandbox: boolean;
  /** What is for sale, as the offerings file says it; ours by default. */
  catalogue?: unknown;
  /** Where this service is reached by people, without a slash at the end. */
  address: string;
  /** Where subscribers see to their subscription. */
  managementUrl: string;
  /** Real cards, or Stripe's own play money, by the kind of its keys. */
  stripe?: StripeOptions;
  /** How subscribers are told what concerns their money; without one it stays here, for the outbox page. */
  mailTransport?: MailTransport;
  /** Who is told what happens. */
  listener?: WebhookEndpoint;
  clock?: () => Date;
}
