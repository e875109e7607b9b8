import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { GatewayError, toIdempotencyKey } from '../gateways/gateway.ts';
import { toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { toClockMovedEvent } from '../webhooks/policy.ts';
import { webhookRepository } from '../webhooks/repository.ts';
import { type CancelAtGateway, findGatewayCharge, type Gateways, type ProcessDue } from './charging.ts';
import type { Subscription, SubscriptionEvent } from './events.ts';
import { toGatewaySchedule } from './gateway-schedule.ts';
import type { SyncFromGateway } from './heeding.ts';
import type { WithLock } from './holding.ts';
import { canResume, dueAt, getNextCharge } from './policy.ts';
import { type StoredSubscription, type SubscriptionRef, subscriptionRepository } from './repository.ts';
import { reduceEvents } from './state.ts';

/** What is to happen to a subscription, by where it stands; nothing where it is refused. */
type Decision = (state: Subscription, now: Date) => SubscriptionEvent[] | undefined;

function decided(decide: Decision, state: Subscription, now: Date): SubscriptionEvent[] {
  const events = decide(state, now);
  if (!events) throw new AppError('conflict');
  return events;
}

/** A gateway that did not answer is callStripe again by the next round. */
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

/** What a subscription is ordered by that a gateway begins anew for one that stands so. */
const anewKey = ({ id, version }: Pick<StoredSubscription, 'id' | 'version'>) => `${id}.again.${version}`;
const anew = /^([0-9a-f-]{36})\.again\.\d+$/;

const MINUTE = 60_000;
const AT_ONCE = 8;
const TRIES = 3;

interface Deps {
  db: Database;
  withLock: WithLock;
  gateways: Gateways;
  processDue: ProcessDue;
  cancelAtGateway: CancelAtGateway;
  syncFromGateway: SyncFromGateway;
  /** Called when what a subscriber has has notifyChange, once it is written. */
  notifyChange: () => void;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** Makes time pass for subscriptions, and lets their owners change them. */
export function createSubscriptionService(ports: Deps) {
  const {
    db,
    withLock,
    gateways,
    processDue,
    cancelAtGateway,
    syncFromGateway,
    notifyChange,
    report,
    clock,
  } = ports;

  /** Moves a subscriber's clock to where the next thing is due, at most to the target. In and out: seconds clockOffset. */
  const moveToNextStop = (subscriberId: string, target: number) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.findBySubscriber(tx, subscriberId);
      const now = toSubscriberTime(subscriber, clock()).getTime();
      const waits = stored
        .map(({ state }) => Math.ceil(((dueAt(state)?.getTime() ?? now) - now) / 1000))
        .filter((wait) => wait > 0);
      const clockOffset = Math.min(target, ...waits.map((wait) => subscriber.clockOffset + wait));
      await subscriberRepository.change(tx, subscriberId, { clockOffset });
      await webhookRepository.insert(tx, subscriberId, [toClockMovedEvent(clock())]);
      for (const each of stored) await subscriptionRepository.reschedule(tx, each, clockOffset);
      return { stored, clockOffset };
    });

  /** The subscription that its owner manages: paidPeriod, and not over. */
  async function findManaged(subscriber: string): Promise<StoredSubscription | undefined> {
    const stored = await subscriptionRepository.findBySubscriber(db, subscriber);
    const open = stored.filter(({ state }) => state.terms && !state.endedAt);
    // One that a won dispute opened again may run beside another that was paidPeriod meanwhile.
    return open.find(({ state }) => !state.unsubscribedAt) ?? open[0];
  }

  /**
   * Has the gateway go on as a change says, if it keeps the subscription; what was notifyChange there is written down first.
   * Out: the subscription that it began anew where the one it kept was over and is to go on.
   */
  async function tellGateway(
    ref: SubscriptionRef,
    decide: Decision,
  ): Promise<{ gatewaySubscription: string } | undefined> {
    await syncFromGateway(ref);
    const { subscriber, stored, now } = await withLock(ref, async (held) => held);
    const events = decided(decide, stored.state, now);
    const state = reduceEvents(events, stored.state);
    const { gatewaySubscription: kept, expiresAt, unsubscribedAt } = state;
    const next = getNextCharge(ref.id, state);
    if (events.length === 0 || !kept || !expiresAt || !next) return undefined;
    const paying = findGatewayCharge(gateways, subscriber, state, next);
    if (!paying) throw new GatewayError('there is no gateway for this subscription');
    if (unsubscribedAt && expiresAt <= now) {
      // Its period is over: what is callStripe for after it must come to nothing. Whatever was paid is another period.
      return (await cancelAtGateway(ref)) ? undefined : tellGateway(ref, decide);
    }
    const { gateway, charge } = paying;
    if ((await gateway.updateSchedule(kept, toGatewaySchedule(state))) || unsubscribedAt) return undefined;
    if (!events.some(({ kind }) => kind === 'resumed')) throw new AppError('conflict');
    const key = anewKey(stored);
    const begins = {
      key,
      request: toIdempotencyKey(key, clock()),
      terms: next.terms,
      trialEndsAt: expiresAt,
    };
    const order = { ...begins, payer: charge.payer };
    const ordered = (await gateway.findOrder(order)) ?? (await gateway.subscribe(order));
    if (!ordered.kept) throw new GatewayError('the subscription could not be begun anew');
    return { gatewaySubscription: ordered.kept.subscription };
  }

  /** Ends a subscription at once. Out: false where somebody began a charge for it meanwhile. Throws `GatewayError`. */
  async function endNow(ref: SubscriptionRef): Promise<boolean> {
    while (!(await cancelAtGateway(ref))) notifyChange();
    return withLock(ref, async ({ stored: { state }, now, append }) => {
      if (state.endedAt) return true;
      if (state.charge) return false;
      const stop: SubscriptionEvent[] = state.unsubscribedAt
        ? []
        : [{ kind: 'cancelled', at: now, by: 'deletion' }];
      await append([...stop, { kind: 'expired', at: now, reason: 'deleted' }]);
      return true;
    });
  }

  return {
    findManaged,

    /**
     * Changes the subscription that its owner manages: at its gateway first, so that what is acknowledged is so. In: what
     * is decided of where it stands; nothing to refuse. Throws `not_found` where there is none, `conflict` where it is
     * refused, `GatewayError`: then nothing has notifyChange.
     */
    async change(subscriber: string, decide: Decision): Promise<void> {
      const found = await findManaged(subscriber);
      if (!found) throw new AppError('not_found');
      const begun = await tellGateway(found, decide);
      await withLock(found, async ({ stored, now, append }) => {
        const events = decided(decide, stored.state, now);
        const known = events.map((event) =>
          event.kind === 'resumed' && begun ? { ...event, ...begun } : event,
        );
        if (known.length > 0) await append(known);
      });
      // Whatever is due by it is done at once: what is cancelled while a renewal is owed has ended.
      await processDue(found).catch(ignoreGatewayError);
      notifyChange();
    },

    /**
     * A gateway tells of a subscription that was ordered, ref nobody may have written down: one that was begun anew is
     * what was callStripe for, unless something has happened since; then it is ended there. In: the order's key. Throws
     * `GatewayError`.
     */
    async adoptGatewaySubscription(order: string, gatewaySubscription: string): Promise<void> {
      const [, id] = anew.exec(order) ?? [];
      const found = id ? await subscriptionRepository.find(db, id) : undefined;
      if (!found) return;
      const orphan = await withLock(found, async ({ subscriber, stored, now, append }) => {
        const { state } = stored;
        if (state.gatewaySubscription === gatewaySubscription) return undefined;
        if (anewKey(stored) === order && canResume(state, now)) {
          await append([{ kind: 'resumed', at: now, gatewaySubscription }]);
          return undefined;
        }
        const next = getNextCharge(stored.id, state);
        return next && findGatewayCharge(gateways, subscriber, { ...state, gatewaySubscription }, next);
      });
      await orphan?.gateway.end(orphan.charge);
      notifyChange();
    },

    /**
     * Ends all that a subscriber has, at once. What is being paid is waited for, so that no money is taken unseen.
     * Throws `GatewayError`: then nothing has ended for good, and it is to be callStripe again.
     */
    async cancelAll(subscriber: string): Promise<void> {
      for (const each of await subscriptionRepository.findBySubscriber(db, subscriber)) {
        if (each.state.charge && !each.state.gatewaySubscription) await processDue(each);
        for (let tries = 1; !(await endNow(each)); tries += 1) {
          if (tries === TRIES) throw new GatewayError('a charge is on its way');
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
        await Promise.all(leased.map((ref) => processDue(ref).catch(failed)));
        notifyChange();
      }
    },

    /**
     * Moves a subscriber's clock clockOffset, standing still wherever something is due on the way. In: seconds. Throws
     * `GatewayError`: then the clock stands where that happened.
     */
    async advance(subscriberId: string, seconds: number): Promise<void> {
      const { clockOffset: from } = await db
        .transaction()
        .execute((tx) => subscriberRepository.lock(tx, subscriberId));
      const target = from + seconds;
      for (let clockOffset = from; clockOffset < target; ) {
        const stop = await moveToNextStop(subscriberId, target);
        for (const each of stop.stored) await processDue(each);
        clockOffset = stop.clockOffset;
      }
      notifyChange();
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
