import * as z from 'zod/mini';
import { type CustomerInfo, customerInfoOf } from './customer-info.ts';
import { PurchasesError } from './errors.ts';
import { checkApiKey, checkUserId, isSandboxKey } from './identifiers.ts';
import {
  joinOfferings,
  type Offerings,
  type Package,
  productIdsOf,
  type SubscriptionOption,
} from './offerings.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import {
  brandingAnswer,
  checkoutAnswer,
  offeringsAnswer,
  productsAnswer,
  type SubscribeAnswer,
  subscribeAnswer,
  subscriberAnswer,
} from './wire.ts';

/** Who sells: its name, the path of its icon, and whom to write to; null where it does not say. */
export interface Branding {
  companyName: string | null;
  icon: string | null;
  supportEmail: string | null;
}

/** What is bought: a package, by one of its product's options, with the e-mail that receipts go to. */
export interface Order {
  pack: Package;
  option: SubscriptionOption;
  email: string;
}

/** What the card step needs; all three must be there (section 5). */
export interface CardSetup {
  clientSecret: string;
  publishableKey: string;
  accountId: string;
}

/** A purchase that was begun: `card` is what to confirm a card with, null when nothing is left to do. */
export interface StartedPurchase {
  session: string;
  card: CardSetup | null;
}

export type OperationStatus = 'started' | 'in_progress' | 'succeeded' | 'failed';

/** How a purchase stands; `errorCode` why it failed, null when it has not or does not say. */
export interface Operation {
  status: OperationStatus;
  errorCode: number | null;
}

/** The billing provider for one reader. Every call takes a signal to give up, and rejects with PurchasesError or its reason. */
export interface Billing {
  isSandbox: boolean;
  userId: string;
  offerings: (signal?: AbortSignal) => Promise<Offerings>;
  customerInfo: (signal?: AbortSignal) => Promise<CustomerInfo>;
  branding: (signal?: AbortSignal) => Promise<Branding>;
  subscribe: (order: Order, signal?: AbortSignal) => Promise<StartedPurchase>;
  operation: (session: string, signal?: AbortSignal) => Promise<Operation>;
  /**
   * Plays the card's provider where cards are of the embedded sandbox: the card of that secret is taken, or not;
   * `asks_later`: it is, and its bank wants later charges confirmed.
   */
  confirmTestCard: (clientSecret: string, outcome: 'succeeded' | 'failed' | 'asks_later') => Promise<void>;
  /** Plays the bank that wants a charge confirmed. */
  confirmTestPayment: (clientSecret: string, outcome: 'succeeded' | 'failed') => Promise<void>;
}

export interface BillingOptions extends TransportOptions {
  userId: string;
  /** Hears what an operator should know, e.g. offerings without anything to buy. */
  warn: (message: string) => void;
}

/** The option that stands for the product's plain price; it is not named when it is bought. */
const baseOption = 'base_option';

const statuses: readonly OperationStatus[] = ['started', 'in_progress', 'succeeded', 'failed'];

function startedOf({ operation_session_id: session, next_action, data }: SubscribeAnswer): StartedPurchase {
  if (next_action === 'completed') return { session, card: null };
  const { client_secret, publishable_api_key, stripe_account_id } = data ?? {};
  if (next_action !== 'collect_payment_info' || !client_secret || !publishable_api_key || !stripe_account_id)
    throw new PurchasesError(
      'UnexpectedBackendResponseError',
      `The purchase cannot go on by "${next_action}" with what came along.`,
    );
  return {
    session,
    card: { clientSecret: client_secret, publishableKey: publishable_api_key, accountId: stripe_account_id },
  };
}

/**
 * The billing provider's public side (section 7). In: where it is, the public key, the reader's id, fetch and a clock.
 * Throws InvalidCredentialsError or InvalidAppUserIdError before anything is asked (SUB-05).
 */
export function createBilling({ userId, warn, ...options }: BillingOptions): Billing {
  checkApiKey(options.apiKey);
  checkUserId(userId);
  const call = createTransport(options);
  const user = encodeURIComponent(userId);

  return {
    isSandbox: isSandboxKey(options.apiKey),
    userId,

    async offerings(signal) {
      const path = `/v1/subscribers/${user}/offerings`;
      const offered = await call({ method: 'GET', path, signal }, offeringsAnswer);
      const ids = productIdsOf(offered).map((id) => `id=${encodeURIComponent(id)}`);
      const productsPath = `/rcbilling/v1/subscribers/${user}/products?${ids.join('&')}`;
      const products =
        ids.length > 0
          ? await call({ method: 'GET', path: productsPath, signal }, productsAnswer)
          : { product_details: [] };
      const offerings = joinOfferings(offered, products);
      if (offerings.all.length === 0)
        warn('Billing configuration: there are no offerings with a product to buy.');
      return offerings;
    },

    async customerInfo(signal) {
      const path = `/v1/subscribers/${user}`;
      const answer = await call({ method: 'GET', path, signal }, subscriberAnswer);
      return customerInfoOf(answer, options.clock.now());
    },

    async branding(signal) {
      const answer = await call({ method: 'GET', path: '/rcbilling/v1/branding', signal }, brandingAnswer);
      return {
        companyName: answer.seller_company_name ?? null,
        icon: answer.app_icon_webp ?? answer.app_icon ?? null,
        supportEmail: answer.seller_company_support_email ?? null,
      };
    },

    async subscribe({ pack, option, email }, signal) {
      const body = {
        app_user_id: userId,
        product_id: pack.product.identifier,
        email,
        presented_offering_identifier: pack.offering,
        ...(option.id !== baseOption && { offer_id: option.id }),
      };
      const asked = { method: 'POST', path: '/rcbilling/v1/subscribe', body, signal } as const;
      return startedOf(await call(asked, subscribeAnswer));
    },

    async operation(session, signal) {
      const path = `/rcbilling/v1/checkout/${encodeURIComponent(session)}`;
      const { operation } = await call({ method: 'GET', path, signal }, checkoutAnswer);
      const status = statuses.find((known) => known === operation.status);
      if (!status)
        throw new PurchasesError(
          'UnexpectedBackendResponseError',
          `The purchase stands at "${operation.status}".`,
        );
      return { status, errorCode: operation.error?.code ?? null };
    },

    async confirmTestCard(clientSecret, outcome) {
      const asks = { outcome: 'succeeded', charges: 'authentication_required' };
      const body = { client_secret: clientSecret, ...(outcome === 'asks_later' ? asks : { outcome }) };
      await call({ method: 'POST', path: '/sandbox/confirm', body }, z.unknown());
    },

    async confirmTestPayment(clientSecret, outcome) {
      const body = { client_secret: clientSecret, outcome };
      await call({ method: 'POST', path: '/sandbox/authenticate', body }, z.unknown());
    },
  };
}
