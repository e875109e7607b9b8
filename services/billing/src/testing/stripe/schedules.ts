import * as z from 'zod/mini';
import { type Account, createId, getPeriodEnd, invalidRequest, StripeApiError } from './account.ts';
import type { Metadata, Phase, StripeObjects } from './objects.ts';
import {
  bool,
  integer,
  isMatch,
  items,
  metadata,
  optional,
  page,
  paginate,
  type Route,
  retrieveRoute,
  route,
  text,
} from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';

type Schedule = StripeObjects['subscription_schedule'];

export interface NewPhase {
  items: { price: string; quantity?: number | undefined }[];
  start_date?: number | undefined;
  end_date?: number | undefined;
  trial_end?: number | undefined;
  duration?: { interval: string; interval_count?: number | undefined } | undefined;
  proration_behavior?: string | undefined;
  metadata?: Metadata | undefined;
}

/** Creates the operations on subscription schedules. */
export function createSchedules(account: Account, subscriptions: Subscriptions) {
  const emitUpdate = (schedule: Schedule, change: string) =>
    account.emit(`subscription_schedule.${change}`, schedule, schedule.customer);

  function active(id: string): Schedule {
    const schedule = account.get('subscription_schedule', id);
    if (schedule.status !== 'active') {
      throw invalidRequest(`The schedule is ${schedule.status}: it cannot be changed or released.`);
    }
    return schedule;
  }

  function release(schedule: Schedule): Schedule {
    const subscription = account.find('subscription', schedule.subscription);
    if (subscription) subscription.schedule = null;
    const released_subscription = schedule.subscription;
    Object.assign(schedule, { status: 'released', subscription: null, released_subscription });
    Object.assign(schedule, { current_phase: null, released_at: account.now(schedule.customer) });
    emitUpdate(schedule, 'released');
    if (subscription) account.emit('customer.subscription.updated', subscription, subscription.customer);
    return schedule;
  }

  /** Fills in a phase: it begins where the previous one ends and lasts one period by default. */
  function toPhase(fields: NewPhase, index: number, before: Phase | undefined): Phase {
    const param = `phases[${index}]`;
    const start = fields.start_date ?? before?.end_date;
    if (start === undefined)
      throw new StripeApiError(400, { param, message: 'The first phase needs its start_date.' });
    if (before && start !== before.end_date) {
      throw new StripeApiError(400, { param, message: 'A phase begins where the one before it ends.' });
    }
    const items = fields.items.map(({ price, quantity = 1 }, at) => {
      const { id, recurring } = account.requireParam('price', price, `${param}[items][${at}][price]`);
      return { price: id, quantity, metadata: {}, recurring };
    });
    const interval = fields.duration
      ? { interval_count: 1, ...fields.duration, interval: fields.duration.interval }
      : items[0]?.recurring;
    if (!interval) throw new StripeApiError(400, { param, message: 'A phase has a recurring price.' });
    const length = { interval: interval.interval, interval_count: interval.interval_count ?? 1 };
    const end = fields.end_date ?? getPeriodEnd(start, start, length);
    if (end <= start) throw new StripeApiError(400, { param, message: 'A phase ends after it begins.' });
    return {
      start_date: start,
      end_date: end,
      trial_end: fields.trial_end ?? null,
      proration_behavior: fields.proration_behavior ?? 'create_prorations',
      metadata: fields.metadata ?? {},
      items: items.map(({ recurring: _, ...item }) => item),
    };
  }

  return {
    release: (id: string) => release(active(id)),

    /** Creates a schedule with the current state of a subscription as its only phase. */
    create(from: string): Schedule {
      const subscription = account.requireParam('subscription', from, 'from_subscription');
      if (subscription.schedule) {
        throw invalidRequest(
          `You cannot migrate a subscription that is already attached to a schedule: \`${subscription.schedule}\`.`,
        );
      }
      if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
        throw invalidRequest(`You cannot migrate a subscription that is ${subscription.status}.`);
      }
      const [item] = subscription.items.data;
      const [start_date, end_date] = [item.current_period_start, item.current_period_end];
      const schedule = account.save('subscription_schedule', {
        id: createId('sub_sched'),
        object: 'subscription_schedule',
        livemode: true,
        metadata: {},
        created: account.now(subscription.customer),
        customer: subscription.customer,
        current_phase: { start_date, end_date },
        status: 'active',
        subscription: from,
        end_behavior: subscription.cancel_at_period_end ? 'cancel' : 'release',
        released_at: null,
        released_subscription: null,
        phases: [
          {
            start_date,
            end_date,
            metadata: {},
            proration_behavior: 'create_prorations',
            trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
            items: [{ price: item.price.id, quantity: item.quantity, metadata: {} }],
          },
        ],
      });
      subscription.schedule = schedule.id;
      emitUpdate(schedule, 'created');
      account.emit('customer.subscription.updated', subscription, subscription.customer);
      return schedule;
    },

    /** `phases` must list all phases; the first is the current one with its original start. */
    update(
      id: string,
      fields: {
        phases?: NewPhase[] | undefined;
        end_behavior?: 'release' | 'cancel' | undefined;
        metadata?: Metadata | undefined;
      },
    ): Schedule {
      const schedule = active(id);
      if (fields.phases) {
        const phases: Phase[] = [];
        for (const [index, each] of fields.phases.entries()) phases.push(toPhase(each, index, phases.at(-1)));
        if (phases[0]?.start_date !== schedule.current_phase?.start_date) {
          throw new StripeApiError(400, {
            param: 'phases[0][start_date]',
            message: 'You can not modify the start date of the current phase.',
          });
        }
        const [first] = phases;
        schedule.phases = phases;
        if (first) schedule.current_phase = { start_date: first.start_date, end_date: first.end_date };
      }
      if (fields.end_behavior) schedule.end_behavior = fields.end_behavior;
      Object.assign(schedule.metadata ?? {}, fields.metadata);
      emitUpdate(schedule, 'updated');
      return schedule;
    },

    getDueAt: (schedule: Schedule): number | undefined =>
      schedule.status === 'active' ? schedule.current_phase?.end_date : undefined,

    /** Ends the current phase: starts the next one or completes the schedule. */
    processDue(schedule: Schedule): void {
      const subscription = account.find('subscription', schedule.subscription);
      const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date);
      if (!subscription || !next) {
        if (schedule.end_behavior === 'cancel' && subscription) subscriptions.cancel(subscription.id);
        else release(schedule);
        return;
      }
      schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
      const [item] = next.items;
      if (item) subscriptions.setPrice(subscription, account.get('price', item.price));
      emitUpdate(schedule, 'updated');
    },
  };
}
export type Schedules = ReturnType<typeof createSchedules>;

const phase = z.strictObject({
  items,
  start_date: optional(integer),
  end_date: optional(integer),
  trial_end: optional(integer),
  proration_behavior: optional(z.enum(['none', 'create_prorations'])),
  metadata: optional(metadata),
  duration: optional(z.strictObject({ interval: text, interval_count: optional(integer) })),
});

export const scheduleRoutes = (account: Account, schedules: Schedules): Route[] => [
  route('POST', '/v1/subscription_schedules', { from_subscription: text }, ({ from_subscription: from }) =>
    schedules.create(from),
  ),
  route(
    'POST',
    '/v1/subscription_schedules/:id',
    {
      phases: optional(z.array(phase)),
      end_behavior: optional(z.enum(['release', 'cancel'])),
      metadata: optional(metadata),
      proration_behavior: optional(z.enum(['none', 'create_prorations'])),
    },
    (fields, id) => schedules.update(id, fields),
  ),
  route('POST', '/v1/subscription_schedules/:id/release', { preserve_cancel_date: optional(bool) }, (_, id) =>
    schedules.release(id),
  ),
  retrieveRoute(account, '/v1/subscription_schedules', 'subscription_schedule'),
  route(
    'GET',
    '/v1/subscription_schedules',
    { ...page, customer: optional(text) },
    ({ customer: of, ...pagination }) =>
      paginate(account, 'subscription_schedule', (each) => isMatch(of, each.customer), pagination),
  ),
];
