import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { clockMoved } from '../deliveries/policy.ts';
import { deliveryRepository } from '../deliveries/repository.ts';
import { GatewayFault, requestKey } from '../gateways/gateway.ts';
import { timeOf } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { arrangementOf } from './arrangement.ts';
import { type Gateways, payingFor, type Release, type Walk } from './charging.ts';
import type { Fact, Subscription } from './facts.ts';
import type { Heed } from './heeding.ts';
import type { Holding } from './holding.ts';
import { canResume, dueAt, nextCharge } from './policy.ts';
import { type Stored, subscriptionRepository, type Which } from './repository.ts';
import { stateOf } from './state.ts';

/** What is to happen to a subscription, by where it stands; nothing where it is refused. */
type Decision = (state: Subscription, now: Date) => Fact[] | undefined;

function decided(decide: Decision, state: Subscription, now: Date): Fact[] {
  const facts = decide(state, now);
  if (!facts) throw new AppError('conflict');
  return facts;
}

/** A gateway that did not answer is asked again by the next round. */
function passingFault(error: unknown): void {
  if (!(error instanceof GatewayFault)) throw error;
}

/** What a subscription is ordered by that a gateway begins anew for one that stands so. */
const anewKey = ({ id, version }: Pick<Stored, 'id' | 'version'>) => `${id}.again.${version}`;
const anew = /^([0-9a-f-]{36})\.again\.\d+$/;

const MINUTE = 60_000;
const AT_ONCE = 8;
const TRIES = 3;

interface Ports {
  db: Database;
  holding: Holding;
  gateways: Gateways;
  walk: Walk;
  release: Release;
  heed: Heed;
  /** Called when what a subscriber has has changed, once it is written. */
  changed: () => void;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** Makes time pass for subscriptions, and lets their owners change them. */
export function subscriptionService(ports: Ports) {
  const { db, holding, gateways, walk, release, heed, changed, report, clock } = ports;

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

  /**
   * Has the gateway go on as a change says, if it keeps the subscription; what was changed there is written down first.
   * Out: the subscription that it began anew where the one it kept was over and is to go on.
   */
  async function tellGateway(
    which: Which,
    decide: Decision,
  ): Promise<{ gatewaySubscription: string } | undefined> {
    await heed(which);
    const { subscriber, stored, now } = await holding(which, async (held) => held);
    const facts = decided(decide, stored.state, now);
    const state = stateOf(facts, stored.state);
    const { gatewaySubscription: kept, expiresAt, unsubscribedAt } = state;
    const next = nextCharge(which.id, state);
    if (facts.length === 0 || !kept || !expiresAt || !next) return undefined;
    const paying = payingFor(gateways, subscriber, state, next);
    if (!paying) throw new GatewayFault('there is no gateway for this subscription');
    if (unsubscribedAt && expiresAt <= now) {
      // Its period is over: what is asked for after it must come to nothing. Whatever was paid is another period.
      return (await release(which)) ? undefined : tellGateway(which, decide);
    }
    const { gateway, charge } = paying;
    if ((await gateway.arrange(kept, arrangementOf(state))) || unsubscribedAt) return undefined;
    if (!facts.some(({ kind }) => kind === 'resumed')) throw new AppError('conflict');
    const key = anewKey(stored);
    const begins = { key, request: requestKey(key, clock()), terms: next.terms, trialEndsAt: expiresAt };
    const order = { ...begins, payer: charge.payer };
    const ordered = (await gateway.findOrdered(order)) ?? (await gateway.subscribe(order));
    if (!ordered.kept) throw new GatewayFault('the subscription could not be begun anew');
    return { gatewaySubscription: ordered.kept.subscription };
  }

  /** Ends a subscription at once. Out: false where somebody began a charge for it meanwhile. Throws `GatewayFault`. */
  async function endNow(which: Which): Promise<boolean> {
    while (!(await release(which))) changed();
    return holding(which, async ({ stored: { state }, now, append }) => {
      if (state.endedAt) return true;
      if (state.charge) return false;
      const stop: Fact[] = state.unsubscribedAt ? [] : [{ kind: 'cancelled', at: now, by: 'deletion' }];
      await append([...stop, { kind: 'expired', at: now, reason: 'deleted' }]);
      return true;
    });
  }

  return {
    managed,

    /**
     * Changes the subscription that its owner manages: at its gateway first, so that what is acknowledged is so. In: what
     * is decided of where it stands; nothing to refuse. Throws `not_found` where there is none, `conflict` where it is
     * refused, `GatewayFault`: then nothing has changed.
     */
    async change(subscriber: string, decide: Decision): Promise<void> {
      const found = await managed(subscriber);
      if (!found) throw new AppError('not_found');
      const begun = await tellGateway(found, decide);
      await holding(found, async ({ stored, now, append }) => {
        const facts = decided(decide, stored.state, now);
        const known = facts.map((fact) => (fact.kind === 'resumed' && begun ? { ...fact, ...begun } : fact));
        if (known.length > 0) await append(known);
      });
      // Whatever is due by it is done at once: what is cancelled while a renewal is owed has ended.
      await walk(found).catch(passingFault);
      changed();
    },

    /**
     * A gateway tells of a subscription that was ordered, which nobody may have written down: one that was begun anew is
     * what was asked for, unless something has happened since; then it is ended there. In: the order's key. Throws
     * `GatewayFault`.
     */
    async adopt(order: string, gatewaySubscription: string): Promise<void> {
      const [, id] = anew.exec(order) ?? [];
      const found = id ? await subscriptionRepository.find(db, id) : undefined;
      if (!found) return;
      const orphan = await holding(found, async ({ subscriber, stored, now, append }) => {
        const { state } = stored;
        if (state.gatewaySubscription === gatewaySubscription) return undefined;
        if (anewKey(stored) === order && canResume(state, now)) {
          await append([{ kind: 'resumed', at: now, gatewaySubscription }]);
          return undefined;
        }
        const next = nextCharge(stored.id, state);
        return next && payingFor(gateways, subscriber, { ...state, gatewaySubscription }, next);
      });
      await orphan?.gateway.end(orphan.charge);
      changed();
    },

    /**
     * Ends all that a subscriber has, at once. What is being paid is waited for, so that no money is taken unseen.
     * Throws `GatewayFault`: then nothing has ended for good, and it is to be asked again.
     */
    async endAll(subscriber: string): Promise<void> {
      for (const each of await subscriptionRepository.findOf(db, subscriber)) {
        if (each.state.charge && !each.state.gatewaySubscription) await walk(each);
        for (let tries = 1; !(await endNow(each)); tries += 1) {
          if (tries === TRIES) throw new GatewayFault('a charge is on its way');
        }
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
