import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { clockMoved } from '../deliveries/policy.ts';
import { deliveryRepository } from '../deliveries/repository.ts';
import { GatewayFault } from '../gateways/gateway.ts';
import { timeOf } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { Walk } from './charging.ts';
import type { Fact, Subscription } from './facts.ts';
import type { Holding } from './holding.ts';
import { dueAt } from './policy.ts';
import { type Stored, subscriptionRepository } from './repository.ts';

const MINUTE = 60_000;
const AT_ONCE = 8;

interface Ports {
  db: Database;
  holding: Holding;
  walk: Walk;
  /** Called when what a subscriber has has changed, once it is written. */
  changed: () => void;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** Makes time pass for subscriptions, and lets their owners change them. */
export function subscriptionService({ db, holding, walk, changed, report, clock }: Ports) {
  /** Moves a subscriber's clock to where the next thing is due, at most to the target. In and out: seconds ahead. */
  const moveToNextStop = (subscriberId: string, target: number) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.findOf(tx, subscriberId);
      const now = timeOf(subscriber, clock()).getTime();
      const waits = stored
        .map(({ state }) => Math.ceil(((dueAt(state)?.getTime() ?? now) - now) / 1000))
        .filter((wait) => wait > 0);
      const ahead = Math.min(target, ...waits.map((wait) => subscriber.ahead + wait));
      await subscriberRepository.change(tx, subscriberId, { ahead });
      await deliveryRepository.insert(tx, subscriberId, [clockMoved(clock())]);
      for (const each of stored) await subscriptionRepository.reschedule(tx, each, ahead);
      return { stored, ahead };
    });

  /** The subscription that its owner manages: bought, and not over. */
  async function managed(subscriber: string): Promise<Stored | undefined> {
    const stored = await subscriptionRepository.findOf(db, subscriber);
    const open = stored.filter(({ state }) => state.terms && !state.endedAt);
    // One that a won dispute opened again may run beside another that was bought meanwhile.
    return open.find(({ state }) => !state.unsubscribedAt) ?? open[0];
  }

  return {
    managed,

    /**
     * Changes the subscription that its owner manages. In: what is decided of where it stands; nothing to refuse.
     * Throws `not_found` where there is none, `conflict` where it is refused.
     */
    async change(
      subscriber: string,
      decide: (state: Subscription, now: Date) => Fact[] | undefined,
    ): Promise<void> {
      const found = await managed(subscriber);
      if (!found) throw new AppError('not_found');
      await holding(found, async ({ stored, now, append }) => {
        const facts = decide(stored.state, now);
        if (!facts) throw new AppError('conflict');
        if (facts.length > 0) await append(facts);
      });
      changed();
    },

    /**
     * Ends all that a subscriber has, at once. What is being paid is waited for, so that no money is taken unseen.
     * Throws `GatewayFault`: then nothing has ended for good, and it is to be asked again.
     */
    async endAll(subscriber: string): Promise<void> {
      for (const each of await subscriptionRepository.findOf(db, subscriber)) {
        if (each.state.charge) await walk(each);
        await holding(each, async ({ stored: { state }, now, append }) => {
          if (state.endedAt) return;
          if (state.charge) throw new GatewayFault('a charge is on its way');
          const stop: Fact[] = state.unsubscribedAt ? [] : [{ kind: 'cancelled', at: now, by: 'deletion' }];
          await append([...stop, { kind: 'expired', at: now, reason: 'deleted' }]);
        });
      }
    },

    /**
     * Does all that is due, each subscription held by a lease against other processes. What fails is reported, and tried
     * again after a minute.
     */
    async rounds(): Promise<void> {
      const failed = (error: unknown) =>
        report(
          { reason: error instanceof Error ? error.message : String(error) },
          'subscription is tried again later',
        );
      for (;;) {
        const now = clock();
        const until = new Date(now.getTime() + MINUTE);
        const leased = await subscriptionRepository.lease(db, now, until, AT_ONCE);
        if (leased.length === 0) return;
        await Promise.all(leased.map((which) => walk(which).catch(failed)));
        changed();
      }
    },

    /**
     * Moves a subscriber's clock ahead, standing still wherever something is due on the way. In: seconds. Throws
     * `GatewayFault`: then the clock stands where that happened.
     */
    async advance(subscriberId: string, seconds: number): Promise<void> {
      const { ahead: from } = await db
        .transaction()
        .execute((tx) => subscriberRepository.lock(tx, subscriberId));
      const target = from + seconds;
      for (let ahead = from; ahead < target; ) {
        const stop = await moveToNextStop(subscriberId, target);
        for (const each of stop.stored) await walk(each);
        ahead = stop.ahead;
      }
      changed();
    },
  };
}

export type SubscriptionService = ReturnType<typeof subscriptionService>;
