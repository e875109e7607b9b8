import { randomBytes } from 'node:crypto';
import type { Behavior, Interval, ObjectType, StripeEvent, StripeObjects } from './objects.ts';

/** An error response of Stripe's API: its status and the `error` object of its body. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;

  constructor(
    status: number,
    error: { type?: string; code?: string; message: string; [field: string]: unknown },
  ) {
    super(error.message);
    this.status = status;
    this.error = { type: 'invalid_request_error', ...error };
  }
}

/** The path names an object that does not exist. */
export const notFound = (type: string, id: string) =>
  new StripeApiError(404, { code: 'resource_missing', param: 'id', message: `No such ${type}: '${id}'` });

/** A parameter names an object that does not exist. */
export const invalidReference = (type: string, param: string, id: string) =>
  new StripeApiError(400, { code: 'resource_missing', param, message: `No such ${type}: '${id}'` });

/** The state of the object does not allow the request. */
export const invalidRequest = (message: string, code?: string) =>
  new StripeApiError(400, { ...(code && { code }), message });

export const createId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

export const toUnixTime = (date: Date): number => Math.floor(date.getTime() / 1000);

const DAY_SECONDS = 24 * 3600;

/** Adds months to an anchor. A day that the month does not have becomes its last day. */
function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return Date.UTC(from.getUTCFullYear(), month, day) / 1000 + (anchor % DAY_SECONDS);
}

function addIntervals(anchor: number, { interval, interval_count: count }: Interval, times: number): number {
  if (interval === 'day') return anchor + times * count * DAY_SECONDS;
  if (interval === 'week') return anchor + times * count * 7 * DAY_SECONDS;
  return addMonths(anchor, times * count * (interval === 'year' ? 12 : 1));
}

/**
 * Returns the end of the period that begins at `start`: the first multiple of the interval from the anchor after it. The
 * service has arithmetic of its own, so that tests compare the two.
 */
export function getPeriodEnd(anchor: number, start: number, interval: Interval): number {
  for (let times = 1; ; times += 1) {
    const end = addIntervals(anchor, interval, times);
    if (end > start) return end;
  }
}

const createObjectStore = (): { [K in ObjectType]: Map<string, StripeObjects[K]> } => ({
  customer: new Map(),
  payment_method: new Map(),
  setup_intent: new Map(),
  product: new Map(),
  price: new Map(),
  subscription: new Map(),
  invoice: new Map(),
  invoice_payment: new Map(),
  payment_intent: new Map(),
  charge: new Map(),
  refund: new Map(),
  dispute: new Map(),
  subscription_schedule: new Map(),
  'billing_portal.configuration': new Map(),
  'billing_portal.session': new Map(),
});

/** Creates the state of a Stripe account: its objects, the events it emitted and the time of each customer. */
export function createAccount(clock: () => Date) {
  const objects = createObjectStore();
  const events: StripeEvent[] = [];
  const deleted = new Set<string>();
  const times = new Map<string | undefined, number>();
  const behavior: Behavior = {
    decline: undefined,
    declines: new Map(),
    processing: false,
    serverErrors: 0,
    afterPayment: undefined,
    beforeResponse: undefined,
    failingPath: undefined,
  };

  const find = <K extends ObjectType>(type: K, id: string | null): StripeObjects[K] | undefined =>
    objects[type].get(id ?? '');

  return {
    objects,
    events,
    deleted,
    behavior,
    find,
    /** Counts the payment attempts. */
    paymentAttempts: 0,

    /** Returns the time in seconds: a customer's own where it was advanced, as with Stripe's test clocks. */
    now(customer?: string): number {
      const advanced = [times.get(undefined), times.get(customer)].filter((at) => at !== undefined);
      return Math.max(toUnixTime(clock()), ...advanced);
    },

    /** Sets the time of one customer, or of the whole account. */
    setTime(at: number, customer?: string): void {
      times.set(customer, at);
    },

    save<K extends ObjectType>(type: K, object: StripeObjects[K]): StripeObjects[K] {
      objects[type].set(object.id, object);
      return object;
    },

    list: <K extends ObjectType>(type: K): StripeObjects[K][] => [...objects[type].values()],

    /** Returns the object that a path names. Throws 404. */
    get<K extends ObjectType>(type: K, id: string): StripeObjects[K] {
      const object = find(type, id);
      if (!object) throw notFound(type, id);
      return object;
    },

    /** Returns the object that a parameter names. Throws 400. */
    requireParam<K extends ObjectType>(type: K, id: string, param: string): StripeObjects[K] {
      const object = find(type, id);
      if (!object) throw invalidReference(type, param, id);
      return object;
    },

    /** Records an event with a snapshot of its object. */
    emit(type: string, object: { id: string }, customer?: string): void {
      events.push({ type, customer, object: JSON.parse(JSON.stringify(object)) });
    },
  };
}
export type Account = ReturnType<typeof createAccount>;
