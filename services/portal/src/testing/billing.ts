import type { SubscriptionManagement } from '@escucho/contracts';

const SECRET = 'the secret of events in the tests';

/** A customer's purchase in the provider's format. */
interface Has {
  product?: string;
  store?: string;
  expires_date?: string | null;
  unsubscribe_detected_at?: string | null;
  billing_issues_detected_at?: string | null;
}

const plan = { product: 'monthly', title: 'Monthly', price: { amount: 300, currency: 'USD' }, period: 'P1M' };

/** Creates a fake billing provider, with the requests it received and a behavior that tests change. */
export function createFakeBilling() {
  const asked: string[] = [];
  const people = new Map<string, Has>();
  const conduct: {
    status: number;
    gone: boolean;
    waits: Promise<void> | undefined;
    manages: boolean;
    /** The body it sends instead of a valid one. */
    talks: string | undefined;
  } = { status: 200, gone: false, waits: undefined, manages: true, talks: undefined };

  function subscriberOf(name: string) {
    const has = people.get(name);
    const { product = 'monthly', store = 'rc_billing', expires_date = null, ...times } = has ?? {};
    return {
      subscriber: {
        management_url: 'https://billing.test/manage',
        entitlements: has ? { premium: { expires_date, product_identifier: product } } : {},
        subscriptions: has ? { [product]: { store, ...times } } : {},
        non_subscriptions: {},
      },
    };
  }

  const form = { setup: 'seti_1', clientSecret: 'secret', publishableKey: 'pk', accountId: 'acct' };
  const management: SubscriptionManagement = { current: null, plans: [plan], managementUrl: null };

  function answerOf(path: string): object {
    const [, , , name = '', what, more] = path.split('/');
    if (what === 'receipts') return { docs: [] };
    if (what === 'management') return { ...management, confirmation: null, ...(more === 'card' && form) };
    return subscriberOf(name);
  }

  async function send(address: string, { method, headers }: RequestInit): Promise<Response> {
    if (conduct.gone) throw new TypeError('fetch failed');
    const { pathname } = new URL(address);
    asked.push(`${method} ${pathname}`);
    // The state at the time of the request, however long the response takes.
    const answer = method === 'DELETE' ? { app_user_id: '', deleted: true } : answerOf(pathname);
    await conduct.waits;
    if (conduct.talks !== undefined) return new Response(conduct.talks);
    const isKnown = new Headers(headers).get('authorization') === 'Bearer sk_test';
    const status = pathname.includes('/management') && !conduct.manages ? 404 : conduct.status;
    return Response.json(answer, { status: isKnown ? status : 401 });
  }

  const options = { endpoint: 'https://billing.test', secretKey: 'sk_test', eventSecret: SECRET, send };
  return { asked, people, conduct, options, eventSecret: SECRET };
}
