import * as z from 'zod/mini';
import { type Account, createId, getPeriodEnd, invalidRequest, StripeApiError } from './account.ts';
import type { Phase, StripeObjects } from './objects.ts';
import { integer, items, optional, route, text } from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';

type Schedule = StripeObjects['subscription_schedule'];

const proration = optional(z.enum(['none', 'create_prorations']));
const phaseFields = z.strictObject({
  items,
  start_date: optional(integer),
  end_date: optional(integer),
  trial_end: optional(integer),
  proration_behavior: proration,
  duration: optional(
    z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: integer }),
  ),
});

/** Creates the operations and routes of subscription schedules. */
export function createSchedules(account: Account, subscriptions: Subscriptions) {
  const emitUpdate = (schedule: Schedule, change: string) =>
    account.emit(`subscription_schedule.${change}`, schedule, schedule.customer);

  function requireActive(id: string): Schedule {
    const schedule = account.get('subscription_schedule', id);
    if (schedule.status !== 'active') {
      throw invalidRequest(`The schedule is ${schedule.status}: it cannot be changed or released.`);
    }
    return schedule;
  }

  function release(schedule: Schedule): Schedule {
    const subscription = account.find('subscription', schedule.subscription);
    if (subscription) subscription.schedule = null;
    Object.assign(schedule, { status: 'released', subscription: null, current_phase: null });
    emitUpdate(schedule, 'released');
    if (subscription) account.emit('customer.subscription.updated', subscription, subscription.customer);
    return schedule;
  }

  /** Fills in a phase: it begins where the previous one ends and lasts one period by default. */
  function toPhase(fields: z.output<typeof phaseFields>, index: number, before: Phase | undefined): Phase {
    const param = `phases[${index}]`;
    const { start_date = before?.end_date, trial_end = null } = fields;
    if (start_date === undefined)
      throw new StripeApiError(400, { param, message: 'The first phase needs its start_date.' });
    if (before && start_date !== before.end_date) {
      throw new StripeApiError(400, { param, message: 'A phase begins where the one before it ends.' });
    }
    const [price] = fields.items.map((item, at) =>
      account.requireParam('price', item.price, `${param}[items][${at}][price]`),
    );
    const interval = fields.duration ?? price?.recurring;
    if (!interval) throw new StripeApiError(400, { param, message: 'A phase has a recurring price.' });
    const end_date = fields.end_date ?? getPeriodEnd(start_date, start_date, interval);
    if (end_date <= start_date)
      throw new StripeApiError(400, { param, message: 'A phase ends after it begins.' });
    return { start_date, end_date, trial_end, items: fields.items };
  }

  return {
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

    routes: [
      // Creates a schedule with the current state of a subscription as its only phase.
      route(
        'POST',
        '/v1/subscription_schedules',
        { from_subscription: text },
        ({ from_subscription: from }) => {
          const subscription = account.requireParam('subscription', from, 'from_subscription');
          const { customer, status, trial_end } = subscription;
          if (subscription.schedule) {
            throw invalidRequest(
              `You cannot migrate a subscription that is already attached to a schedule: \`${subscription.schedule}\`.`,
            );
          }
          if (!['active', 'trialing', 'past_due'].includes(status)) {
            throw invalidRequest(`You cannot migrate a subscription that is ${status}.`);
          }
          const [{ price, current_period_start, current_period_end }] = subscription.items.data;
          const phase = { start_date: current_period_start, end_date: current_period_end };
          const schedule = account.save('subscription_schedule', {
            id: createId('sub_sched'),
            object: 'subscription_schedule',
            created: account.now(customer),
            customer,
            current_phase: phase,
            status: 'active',
            subscription: from,
            end_behavior: subscription.cancel_at_period_end ? 'cancel' : 'release',
            phases: [
              {
                ...phase,
                trial_end: status === 'trialing' ? trial_end : null,
                items: [{ price: price.id }],
              },
            ],
          });
          subscription.schedule = schedule.id;
          emitUpdate(schedule, 'created');
          account.emit('customer.subscription.updated', subscription, customer);
          return schedule;
        },
      ),
      // `phases` must list all phases; the first is the current one with its original start.
      route(
        'POST',
        '/v1/subscription_schedules/:id',
        {
          phases: z.array(phaseFields),
          end_behavior: optional(z.enum(['release', 'cancel'])),
          proration_behavior: proration,
        },
        (fields, id) => {
          const schedule = requireActive(id);
          const phases: Phase[] = [];
          for (const [index, each] of fields.phases.entries())
            phases.push(toPhase(each, index, phases.at(-1)));
          const [first] = phases;
          if (!first || first.start_date !== schedule.current_phase?.start_date) {
            throw new StripeApiError(400, {
              param: 'phases[0][start_date]',
              message: 'You can not modify the start date of the current phase.',
            });
          }
          schedule.phases = phases;
          schedule.current_phase = { start_date: first.start_date, end_date: first.end_date };
          if (fields.end_behavior) schedule.end_behavior = fields.end_behavior;
          emitUpdate(schedule, 'updated');
          return schedule;
        },
      ),
      route('POST', '/v1/subscription_schedules/:id/release', {}, (_, id) => release(requireActive(id))),
    ],
  };
}
