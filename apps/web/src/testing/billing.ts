import { api } from '@escucho/contracts';
import { createFakeProvider, offeringsJson, productsJson, subscribedJson } from '@escucho/purchases/testing';
import { HttpResponse, http } from 'msw';
import { ana } from './app.tsx';
import { mockEndpoint, server } from './server.ts';

type Replies = Parameters<typeof createFakeProvider>[0];

const subscriber = `/v1/subscribers/${ana._id}`;

/** The provider's calls by what they are for. */
export const billingEndpoints = {
  offerings: `GET ${subscriber}/offerings`,
  products: `GET /rcbilling${subscriber}/products?id=yearly&id=half&id=monthly`,
  customerInfo: `GET ${subscriber}`,
  branding: 'GET /rcbilling/v1/branding',
  subscribe: 'POST /rcbilling/v1/subscribe',
  checkout: 'GET /rcbilling/v1/checkout/session-1',
  confirm: 'POST /sandbox/confirm',
  authenticate: 'POST /sandbox/authenticate',
} as const;

/** Returns the response about the status of a purchase. */
export const checkoutStatus = (status: string, code?: number) => ({
  json: {
    operation: { status, is_expired: false, error: code === undefined ? null : { code, message: '' } },
  },
});

/** The response about a user without purchases. */
export const emptyCustomerJson = {
  request_date: '2026-11-21T12:00:00Z',
  subscriber: {
    first_seen: '2026-11-21T12:00:00Z',
    original_app_user_id: ana._id,
    entitlements: {},
    subscriptions: {},
    non_subscriptions: {},
  },
};

/** The billing section of /config.json. */
export const billingConfig = { baseUrl: `${location.origin}/billing`, apiKey: 'rcb_sb_key' };

/** Mocks the billing provider; `replies` replace successful ones. Returns the requests it received. */
export function mockBilling(replies: Partial<Record<keyof typeof billingEndpoints, Replies[string]>> = {}) {
  const defaults: Record<keyof typeof billingEndpoints, Replies[string]> = {
    offerings: { json: offeringsJson },
    products: { json: productsJson },
    customerInfo: { json: emptyCustomerJson },
    branding: {
      json: { seller_company_name: 'Escucho Press', seller_company_support_email: 'help@escucho.example' },
    },
    subscribe: { json: subscribedJson },
    checkout: checkoutStatus('succeeded'),
    confirm: {},
    authenticate: {},
  };
  const all = { ...defaults, ...replies };
  const { fetch, requests } = createFakeProvider({
    [billingEndpoints.offerings]: all.offerings,
    [billingEndpoints.products]: all.products,
    [billingEndpoints.customerInfo]: all.customerInfo,
    [billingEndpoints.branding]: all.branding,
    [billingEndpoints.subscribe]: all.subscribe,
    [billingEndpoints.checkout]: all.checkout,
    [billingEndpoints.confirm]: all.confirm,
    [billingEndpoints.authenticate]: all.authenticate,
  });
  mockEndpoint(api.subscription.createPurchaseToken, { token: 'token-1' });
  server.use(
    http.all('*/billing/*', async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers, signal } = request;
      const body = await request.text();
      const path = pathname.replace('/billing', '') + search;
      return fetch(`https://billing.test${path}`, { method, headers, signal, ...(body && { body }) }).catch(
        () => HttpResponse.error(),
      );
    }),
  );
  return requests;
}
