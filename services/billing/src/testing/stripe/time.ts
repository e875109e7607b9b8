import type { Account, Kinds } from './account.ts';
import { secondsOf } from './calendar.ts';
import type { Invoices } from './invoices.ts';
import { Refusal } from './refusal.ts';
import type { Schedules } from './schedules.ts';
import type { Subscriptions } from './subscriptions.ts';

interface Parts {
  account: Account;
  invoices: Invoices;
  subscriptions: Subscriptions;
  schedules: Schedules;
}

/** Something that Stripe does by itself at a moment. */
interface Turn {
  at: number;
  does: () => void;
}

/**
 * Lets time pass at Stripe: periods roll over, drafts are finalized and paid after their hour, what was refused is tried
 * again, subscriptions and schedules end. In: until when; whose time, everybody's unless said.
 */
export function passing({ account, invoices, subscriptions, schedules }: Parts) {
  function collect(invoice: Kinds['invoice']): void {
    try {
      if (invoice.status === 'draft') invoices.finalize(invoice);
      invoice.next_payment_attempt = null;
      if (invoice.status === 'open' && invoices.intentOf(invoice)?.status !== 'processing')
        invoices.collect(invoice);
    } catch (error) {
      // Nobody is there to be told that there is no card: it stays open.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  function turns(isOf: (customer: string) => boolean): Turn[] {
    const found: Turn[] = [];
    const add = (at: number | null | undefined, does: () => void) => {
      if (typeof at === 'number') found.push({ at, does });
    };
    // In this order where several fall on one moment.
    for (const each of account.list('subscription_schedule'))
      if (isOf(each.customer)) add(schedules.dueAt(each), () => schedules.turn(each));
    for (const each of account.list('subscription'))
      if (isOf(each.customer)) add(subscriptions.dueAt(each), () => subscriptions.turn(each));
    for (const each of account.list('invoice')) {
      if (!isOf(each.customer) || !each.auto_advance) continue;
      if (each.status === 'draft') add(each.automatically_finalizes_at, () => collect(each));
      if (each.status === 'open') add(each.next_payment_attempt, () => collect(each));
    }
    return found;
  }

  return function pass(until: Date, customer?: string): void {
    const target = secondsOf(until);
    const isOf = (each: string) => customer === undefined || each === customer;
    for (;;) {
      const due = turns(isOf).filter(({ at }) => at <= target);
      const [first, ...others] = due;
      if (!first) break;
      const next = others.reduce((soonest, each) => (each.at < soonest.at ? each : soonest), first);
      account.move(next.at, customer);
      next.does();
    }
    account.move(target, customer);
  };
}
