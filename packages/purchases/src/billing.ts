import * as z from 'zod/mini';
import { type CustomerInfo, toCustomerInfo } from './customer-info.ts';
import { PurchasesError } from './errors.ts';
import {
  joinOfferings,
  listProductIds,
  type Offerings,
  type Package,
  type SubscriptionOption,
} from './offerings.ts';
import { createTransport, findInvalidIdentifier, isSandboxKey, type TransportOptions } from './transport.ts';
import {
  brandingResponse,
  checkoutResponse,
  offeringsResponse,
  productsResponse,
  type SubscribeResponse,
  subscribeResponse,
  subscriberResponse,
} from './wire.ts';

/** The seller: name, icon path and support address. */
export interface Branding {
  companyName: string | null;
  icon: string | null;
  supportEmail: string | null;
}

/** A package to buy with an option of its product; receipts are sent to `email`. */
export interface Order {
  pack: Package;
  option: SubscriptionOption;
  email: string;
}

/** What the card step needs (section 5). */
export interface CardSetup {
  clientSecret: string;
  publishableKey: string;
  accountId: string;
}

/** A started purchase; `card` is null when no payment is needed. */
export interface StartedPurchase {
  session: string;
  card: CardSetup | null;
}

export interface BillingOptions extends TransportOptions {
  userId: string;
  /**
   * Requests a purchase token from the app's server, which Escucho's billing provider requires; null where the provider
   * has none. Without the function purchases carry no token.
   */
  requestPurchaseToken?: (signal?: AbortSignal) => Promise<string | null>;
  /** Receives warnings for operators: an invalid key or user id, offerings without anything to buy. */
  warn: (message: string) => void;
}

/** SUB-03: how a failed request for offerings is repeated, as options of TanStack Query: after 3, 6 and 9 seconds. */
export const offeringsRetry = { retry: 3, retryDelay: (failures: number) => (failures + 1) * 3000 };

/** SUB-03: likewise for customer info: after 5, 10 and 15 seconds. */
export const customerInfoRetry = { retry: 3, retryDelay: (failures: number) => (failures + 1) * 5000 };

/** SUB-03: how long customer info is fresh. */
export const CUSTOMER_INFO_MAX_AGE_MS = 30 * 60_000;

/** The option without a trial; it is not sent. */
const baseOption = 'base_option';

function toStartedPurchase({
  operation_session_id: session,
  next_action,
  data,
}: SubscribeResponse): StartedPurchase {
  if (next_action === 'completed') return { session, card: null };
  const { client_secret, publishable_api_key, stripe_account_id } = data ?? {};
  if (next_action !== 'collect_payment_info' || !client_secret || !publishable_api_key || !stripe_account_id)
    throw new PurchasesError(
      'UnexpectedBackendResponseError',
      `The purchase cannot continue with the next action "${next_action}" and its data.`,
    );
  return {
    session,
    card: { clientSecret: client_secret, publishableKey: publishable_api_key, accountId: stripe_account_id },
  };
}

/**
 * Creates the client of the billing provider's public API (section 7) for one user. Every call takes an abort signal, and
 * rejects with PurchasesError or its reason.
 *
 * @throws PurchasesError `InvalidCredentialsError` or `InvalidAppUserIdError`, logged by `warn`, before any request (SUB-05)
 */
export function createBilling({ userId, requestPurchaseToken, warn, ...options }: BillingOptions) {
  const invalid = findInvalidIdentifier(options.apiKey, userId);
  if (invalid) {
    warn(`Billing configuration: ${invalid.code}: ${invalid.message}`);
    throw invalid;
  }
  const call = createTransport(options);
  const user = encodeURIComponent(userId);

  const get = <Schema extends z.ZodMiniType>(path: string, schema: Schema, signal: AbortSignal | undefined) =>
    call({ method: 'GET', path, signal }, schema);

  return {
    isSandbox: isSandboxKey(options.apiKey),
    userId,

    async offerings(signal?: AbortSignal): Promise<Offerings> {
      const response = await get(`/v1/subscribers/${user}/offerings`, offeringsResponse, signal);
      const ids = listProductIds(response).map((id) => `id=${encodeURIComponent(id)}`);
      const productsPath = `/rcbilling/v1/subscribers/${user}/products?${ids.join('&')}`;
      const products =
        ids.length > 0 ? await get(productsPath, productsResponse, signal) : { product_details: [] };
      const offerings = joinOfferings(response, products);
      if (offerings.all.length === 0)
        warn('Billing configuration: there are no offerings with a product to buy.');
      return offerings;
    },

    async customerInfo(signal?: AbortSignal): Promise<CustomerInfo> {
      const response = await get(`/v1/subscribers/${user}`, subscriberResponse, signal);
      return toCustomerInfo(response, options.clock.now());
    },

    async branding(signal?: AbortSignal): Promise<Branding> {
      const response = await get('/rcbilling/v1/branding', brandingResponse, signal);
      return {
        companyName: response.seller_company_name ?? null,
        icon: response.app_icon_webp ?? response.app_icon ?? null,
        supportEmail: response.seller_company_support_email ?? null,
      };
    },

    async subscribe({ pack, option, email }: Order, signal?: AbortSignal): Promise<StartedPurchase> {
      const body = {
        app_user_id: userId,
        product_id: pack.product.identifier,
        email,
        presented_offering_identifier: pack.offering,
        ...(option.id !== baseOption && { offer_id: option.id }),
      };
      const token = await requestPurchaseToken?.(signal);
      const headers = token ? { 'x-purchase-token': token } : {};
      const request = { method: 'POST', path: '/rcbilling/v1/subscribe', body, headers, signal } as const;
      return toStartedPurchase(await call(request, subscribeResponse));
    },

    /** Returns the status of a purchase, and why it failed, if the provider states it. */
    async operation(session: string, signal?: AbortSignal) {
      const path = `/rcbilling/v1/checkout/${encodeURIComponent(session)}`;
      const { status, error } = (await get(path, checkoutResponse, signal)).operation;
      return { status, errorCode: error?.code ?? null };
    },

    /**
     * Completes a card form of the embedded sandbox. `authentication_required`: the card is accepted, and its bank wants
     * every renewal confirmed.
     */
    async confirmTestCard(
      clientSecret: string,
      outcome: 'succeeded' | 'failed' | 'authentication_required',
    ): Promise<void> {
      const result =
        outcome === 'authentication_required' ? { outcome: 'succeeded', charges: outcome } : { outcome };
      const body = { client_secret: clientSecret, ...result };
      await call({ method: 'POST', path: '/sandbox/confirm', body }, z.unknown());
    },

    /** Confirms or refuses a charge of the embedded sandbox as the bank. */
    async confirmTestPayment(clientSecret: string, outcome: 'succeeded' | 'failed'): Promise<void> {
      const body = { client_secret: clientSecret, outcome };
      await call({ method: 'POST', path: '/sandbox/authenticate', body }, z.unknown());
    },
  };
}

export type Billing = ReturnType<typeof createBilling>;
