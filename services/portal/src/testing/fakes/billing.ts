import type { Receipt, SubscriptionManagement } from '@escucho/contracts';

const SECRET = 'the secret of events in the tests';

/** A customer's purchase in the provider's format. */
interface FakePurchase {
  product?: string;
  store?: string;
  expires_date?: string | null;
  unsubscribe_detected_at?: string | null;
  billing_issues_detected_at?: string | null;
  is_sandbox?: boolean;
}

const plan = { product: 'monthly', title: 'Monthly', price: { amount: 300, currency: 'USD' }, period: 'P1M' };

/** Creates a fake billing provider, with the requests it received and a behavior that tests change. */
export function createFakeBilling() {
  const requests: string[] = [];
  const purchases = new Map<string, FakePurchase>();
  const receipts = new Map<string, Receipt[]>();
  const behavior: {
    status: number;
    isUnreachable: boolean;
    /** Delays the responses with purchases. */
    responseDelay: Promise<void> | undefined;
    /** Whether it has the management endpoints, unlike RevenueCat. */
    hasManagement: boolean;
    /** The body it sends instead of a valid one. */
    body: string | undefined;
  } = {
    status: 200,
    isUnreachable: false,
    responseDelay: undefined,
    hasManagement: true,
    body: undefined,
  };

  function toSubscriber(name: string) {
    const purchase = purchases.get(name);
    const { product = 'monthly', store = 'rc_billing', expires_date = null, ...times } = purchase ?? {};
    return {
      subscriber: {
        management_url: 'https://billing.test/manage',
        entitlements: purchase ? { premium: { expires_date, product_identifier: product } } : {},
        subscriptions: purchase ? { [product]: { store, ...times } } : {},
        non_subscriptions: {},
      },
    };
  }

  const form = { setup: 'seti_1', clientSecret: 'secret', publishableKey: 'pk', accountId: 'acct' };
  const management: SubscriptionManagement = { current: null, plans: [plan], managementUrl: null };

  function createResponse(path: string): object {
    const [, , , name = '', resource, action] = path.split('/');
    if (resource === 'receipts') return { docs: receipts.get(name) ?? [] };
    if (resource === 'purchase-tokens') return { token: `token of ${name}` };
    if (resource === 'management')
      return { ...management, confirmation: null, ...(action === 'card' && form) };
    return toSubscriber(name);
  }

  async function send(address: string, { method, headers }: RequestInit): Promise<Response> {
    if (behavior.isUnreachable) throw new TypeError('fetch failed');
    const { pathname } = new URL(address);
    requests.push(`${method} ${pathname}`);
    const isManagement = /\/(management|purchase-tokens)/.test(pathname);
    // The state at the time of the request, however long the response takes.
    const response = method === 'DELETE' ? { app_user_id: '', deleted: true } : createResponse(pathname);
    if (!isManagement) await behavior.responseDelay;
    if (behavior.body !== undefined) return new Response(behavior.body);
    const isKnown = new Headers(headers).get('authorization') === 'Bearer sk_test';
    const status = isManagement && !behavior.hasManagement ? 404 : behavior.status;
    return Response.json(response, { status: isKnown ? status : 401 });
  }

  const options = { endpoint: 'https://billing.test', secretKey: 'sk_test', eventSecret: SECRET, send };
  return { requests, purchases, receipts, behavior, options, eventSecret: SECRET };
}
