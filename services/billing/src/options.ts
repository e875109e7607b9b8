import type { Connection } from '@escucho/database';
import type { MailTransport } from '@escucho/service-kit';
import type { StripeOptions } from './gateways/stripe/client.ts';
import type { WebhookEndpoint } from './webhooks/service.ts';

/** The API keys of one installation. Public keys are in every page; the secret key is for servers. */
export interface BillingKeys {
  /** `rcb_sb_…`, for the sandbox; without it the sandbox cannot be used. */
  sandbox?: string;
  /** `rcb_…`, for real money. */
  production?: string;
  /** `sk_…` */
  secret: string;
}

/** Whether a secret or publishable key of Stripe is for test mode. */
export const isTestKey = (key: string): boolean => /^[rsp]k_test_/.test(key);

/** The options of the billing provider. */
export interface BillingOptions {
  connection: Connection;
  keys: BillingKeys;
  /** Enables the sandbox gateway, whose cards and clocks anybody may control. Not for production. */
  sandbox: boolean;
  /** The content of the offerings file; the built-in catalogue by default. */
  catalogue?: unknown;
  /** The public URL of this service, without a trailing slash. */
  address: string;
  /** The page where users manage their subscription. */
  managementUrl: string;
  /** Live or test mode, by the kind of its keys. */
  stripe?: StripeOptions;
  /** Sends notification e-mails; without it they stay in the database for the outbox page. */
  mailTransport?: MailTransport;
  /** Receives webhook events. */
  webhook?: WebhookEndpoint;
  clock?: () => Date;
}
