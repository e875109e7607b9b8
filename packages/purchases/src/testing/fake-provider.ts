import type { Clock } from '../transport.ts';

/** Creates a clock whose waits resolve at once: each is recorded, and advances the time. */
export function createFakeClock(start = Date.parse('2026-11-21T12:00:00Z')) {
  let now = start;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => now,
    wait: async (milliseconds, signal) => {
      // The timeout of a call never expires.
      if (milliseconds >= 30_000) return new Promise(() => undefined);
      await Promise.resolve();
      signal?.throwIfAborted();
      waits.push(milliseconds);
      now += milliseconds;
    },
  };
  return { clock, waits };
}

type Reply = { status?: number; json?: unknown; text?: string } | 'no network' | 'silence';

/** A request that the fake provider received. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

/**
 * Creates a fake of the billing provider.
 *
 * @param replies - replies by `METHOD path`, query included; of several each is used once, the last one for ever
 * @returns a replacement for `fetch`, and the requests it received
 */
export function createFakeProvider(replies: Record<string, Reply | Reply[]>) {
  const requests: RecordedRequest[] = [];
  const queues = new Map(Object.entries(replies).map(([target, reply]) => [target, [reply].flat()]));
  const fetch = async (address: string, init: RequestInit): Promise<Response> => {
    const path = address.replace('https://billing.test', '');
    const method = init.method ?? 'GET';
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    requests.push({ method, path, headers: new Headers(init.headers), body });
    const queue = queues.get(`${method} ${path}`) ?? [];
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    if (reply === undefined) throw new Error(`There is no reply to ${method} ${path}`);
    if (reply === 'no network') throw new TypeError('Failed to fetch');
    if (reply === 'silence')
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    return new Response(reply.text ?? JSON.stringify(reply.json ?? {}), { status: reply.status ?? 200 });
  };
  return { fetch, requests };
}

const price = (amount: number) => ({ amount, currency: 'USD' });
const base = (period_duration: string, amount: number) => ({
  period_duration,
  cycle_count: 1,
  price: price(amount),
});

/** The plans of section 9, as the provider sends them. */
export const offeringsJson = {
  current_offering_id: 'default',
  offerings: [
    {
      identifier: 'default',
      description: 'The plans',
      metadata: null,
      packages: [
        { identifier: '$rc_annual', platform_product_identifier: 'yearly' },
        { identifier: '$rc_six_month', platform_product_identifier: 'half' },
        { identifier: '$rc_monthly', platform_product_identifier: 'monthly' },
      ],
    },
  ],
};

const product = (identifier: string, title: string, period: string, amount: number) => ({
  identifier,
  product_type: 'subscription',
  title,
  description: null,
  default_subscription_option_id: 'trial',
  subscription_options: {
    base_option: { id: 'base_option', base: base(period, amount), trial: null },
    trial: {
      id: 'trial',
      base: base(period, amount),
      trial: { period_duration: 'P3D', cycle_count: 1, price: null },
    },
  },
});

export const productsJson = {
  product_details: [
    product('yearly', 'Yearly', 'P1Y', 2700),
    product('half', 'Six months', 'P6M', 1500),
    product('monthly', 'Monthly', 'P1M', 300),
  ],
};

export const subscribedJson = {
  operation_session_id: 'session-1',
  next_action: 'collect_payment_info',
  data: { client_secret: 'secret-1', publishable_api_key: 'key-1', stripe_account_id: 'account-1' },
};
