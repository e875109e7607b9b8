import { type Account, StripeApiError, toUnixTime } from './account.ts';
import type { Invoices } from './invoices.ts';
import type { StripeObjects } from './objects.ts';
import type { Schedules } from './schedules.ts';
import type { Subscriptions } from './subscriptions.ts';

interface ClockDeps {
  account: Account;
  invoices: Invoices;
  subscriptions: Subscriptions;
  schedules: Schedules;
}

/** Something that Stripe does by itself at a time. */
interface DueAction {
  at: number;
  run: () => void;
}

/**
 * Creates the function that advances time, for one customer or for all: periods end, drafts are finalized and paid after
 * an hour, failed payments are retried, subscriptions and schedules end.
 */
export function createClock({ account, invoices, subscriptions, schedules }: ClockDeps) {
  function collect(invoice: StripeObjects['invoice']): void {
    try {
      if (invoice.status === 'draft') invoices.finalize(invoice);
      invoice.next_payment_attempt = null;
      if (invoice.status === 'open' && invoices.findIntent(invoice)?.status !== 'processing')
        invoices.collect(invoice);
    } catch (error) {
      // There is no request to answer that the customer has no card: the invoice stays open.
      if (!(error instanceof StripeApiError)) throw error;
    }
  }

  function listActions(isSelected: (customer: string) => boolean): DueAction[] {
    const actions: DueAction[] = [];
    const add = (at: number | null | undefined, run: () => void) => {
      if (typeof at === 'number') actions.push({ at, run });
    };
    // The order in which Stripe acts where several fall on one moment.
    for (const each of account.list('subscription_schedule'))
      if (isSelected(each.customer)) add(schedules.getDueAt(each), () => schedules.processDue(each));
    for (const each of account.list('subscription'))
      if (isSelected(each.customer)) add(subscriptions.getDueAt(each), () => subscriptions.processDue(each));
    for (const each of account.list('invoice')) {
      if (!isSelected(each.customer) || !each.auto_advance) continue;
      if (each.status === 'draft') add(each.automatically_finalizes_at, () => collect(each));
      if (each.status === 'open') add(each.next_payment_attempt, () => collect(each));
    }
    return actions;
  }

  return function advanceClock(until: Date, customer?: string): void {
    const target = toUnixTime(until);
    const isSelected = (each: string) => customer === undefined || each === customer;
    for (;;) {
      const due = listActions(isSelected).filter(({ at }) => at <= target);
      const [first, ...others] = due;
      if (!first) break;
      const next = others.reduce((soonest, each) => (each.at < soonest.at ? each : soonest), first);
      account.setTime(next.at, customer);
      next.run();
    }
    account.setTime(target, customer);
  };
}
