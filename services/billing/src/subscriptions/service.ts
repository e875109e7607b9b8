import type { Database } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { billingErrors } from '../errors.ts';
import { GatewayError, ignoreGatewayError, type Order, toIdempotencyKey } from '../gateways/gateway.ts';
import { getEnvironment, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { toClockMovedEvent, webhookRepository } from '../webhooks/repository.ts';
import { changeRepository } from './change-repository.ts';
import { reduceEvents, type Subscription, type SubscriptionEvent } from './events.ts';
import { toGatewaySchedule } from './gateway-schedule.ts';
import type { WithLock } from './lock.ts';
import { canResume, getDueAt, getNextCharge } from './policy.ts';
import { findGatewayCharge, isAccepted, type Processing } from './processing.ts';
import {
  changeLockRepository,
  type StoredSubscription,
  type SubscriptionRef,
  subscriptionRepository,
} from './repository.ts';

const MAX_CANCEL_ATTEMPTS = 3;
/** Jobs run within seconds of the due time; after this long one must have been lost. */
const OVERDUE_MS = 10 * 60_000;
/** Longer than all requests of a change to the gateway may take. The lock of a killed process expires after it. */
const CHANGE_LOCK_MS = 5 * 60_000;

/** Decides which events a request appends. Throws a BillingError that refuses it. */
export type Decision = (state: Subscription, now: Date) => SubscriptionEvent[];

/** The order key of a gateway subscription that replaces one that had ended; valid for one version of ours. */
const toResumeKey = ({ id, version }: Pick<StoredSubscription, 'id' | 'version'>) => `${id}.again.${version}`;
const resumeKeyPattern = /^([0-9a-f-]{36})\.again\.\d+$/;

interface SubscriptionDeps extends BillingDeps, Processing {
  withLock: WithLock;
  /** `processDue` for jobs, many of which run at the same time. */
  processDueInBatches: Processing['processDue'];
}

/** Creates the service that lets time pass for subscriptions and lets their owners change them. */
export function createSubscriptionService(deps: SubscriptionDeps) {
  const { db, withLock, gateways, processDue, processDueInBatches, cancelAtGateway } = deps;
  const { syncFromGateway, hasWebhook, clock } = deps;

  /** Advances a subscriber's clock to the next due time, at most to `target` (seconds of offset). */
  const advanceToNextDue = (subscriberId: string, target: number) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.findBySubscriber(tx, subscriberId);
      const now = toSubscriberTime(subscriber, clock()).getTime();
      const waits = stored
        .map(({ state }) => Math.ceil(((getDueAt(state)?.getTime() ?? now) - now) / 1000))
        .filter((wait) => wait > 0);
      const nextDue = Math.min(target, ...waits.map((wait) => subscriber.clockOffset + wait));
      // Another request may have advanced it further.
      const clockOffset = Math.max(subscriber.clockOffset, nextDue);
      await subscriberRepository.update(tx, subscriberId, { clockOffset });
      if (hasWebhook)
        await webhookRepository.insert(tx, [{ subscriberId, event: toClockMovedEvent(clock()) }]);
      for (const each of stored) {
        await changeRepository.reschedule(tx, each, { now: clock(), clockOffset });
      }
      return { stored, clockOffset };
    });

  /** Returns the subscription that its owner manages: bought and not ended. */
  async function findManaged(
    subscriberId: string,
    on: Database = db,
  ): Promise<StoredSubscription | undefined> {
    const stored = await subscriptionRepository.findBySubscriber(on, subscriberId);
    const open = stored.filter(({ state }) => state.terms && !state.endedAt && isAccepted(gateways, state));
    // One that a won dispute reopened may exist beside one that was bought in between.
    return open.find(({ state }) => !state.unsubscribedAt) ?? open[0];
  }

  /** Builds the order of a gateway subscription that replaces one that had ended. */
  function toResumeOrder(stored: StoredSubscription, order: Pick<Order, 'terms' | 'trialEndsAt' | 'payer'>) {
    const key = toResumeKey(stored);
    return { key, idempotencyKey: toIdempotencyKey(key, clock()), ...order };
  }

  /**
   * Applies a change at the gateway, if it manages the subscription; changes made there are recorded first.
   *
   * @returns the gateway's new subscription, where the former one had ended and the change resumes it
   */
  async function updateGateway(
    ref: SubscriptionRef,
    decide: Decision,
  ): Promise<{ gatewaySubscription: string } | undefined> {
    await syncFromGateway(ref, { hasChangeLock: true });
    const { subscriber, stored, now } = await withLock(ref, async (locked) => locked);
    const events = decide(stored.state, now);
    const state = reduceEvents(events, stored.state);
    const { gatewaySubscription: id, expiresAt, unsubscribedAt } = state;
    const next = getNextCharge(ref.id, state);
    if (events.length === 0 || !id || !expiresAt || !next) return undefined;
    const found = findGatewayCharge(gateways, subscriber, state, next);
    if (!found) throw new GatewayError('there is no gateway for this subscription');
    if (unsubscribedAt && expiresAt <= now) {
      // The period is over, so no charge for the next one may succeed. One that did is recorded as another period.
      return (await cancelAtGateway(ref)) ? undefined : updateGateway(ref, decide);
    }
    const { gateway, charge } = found;
    if ((await gateway.updateSchedule(id, toGatewaySchedule(state))) || unsubscribedAt) return undefined;
    if (!events.some(({ kind }) => kind === 'resumed')) throw billingErrors.endedAtGateway();
    // Another period may have been paid for before it ended. Nothing refers to a subscription that is replaced.
    if (!(await cancelAtGateway(ref))) return updateGateway(ref, decide);
    const order = toResumeOrder(stored, { terms: next.terms, trialEndsAt: expiresAt, payer: charge.payer });
    const result = (await gateway.findOrder(order)) ?? (await gateway.subscribe(order));
    if (result.outcome.status === 'failed') throw billingErrors.endedAtGateway();
    if (!result.gatewaySubscription) throw new GatewayError('the subscription could not be resumed');
    return { gatewaySubscription: result.gatewaySubscription.id };
  }

  /**
   * Changes a subscription while no other request does. Otherwise the gateway could end with the change of one request and
   * the ledger with that of the other.
   *
   * @throws BillingError while another request changes it
   */
  async function withChangeLock({ id, state }: StoredSubscription, work: () => Promise<void>): Promise<void> {
    if (!state.gatewaySubscription) return work();
    const now = clock();
    const until = new Date(now.getTime() + CHANGE_LOCK_MS);
    if (!(await changeLockRepository.lock(db, id, { now, until }))) throw billingErrors.changeInProgress();
    try {
      await work();
    } finally {
      await changeLockRepository.unlock(db, id, until);
    }
  }

  /** Ends a subscription now. Returns false when a charge was begun in between. */
  async function endNow(ref: SubscriptionRef): Promise<boolean> {
    let isCancelled = false;
    while (!isCancelled) isCancelled = await cancelAtGateway(ref);
    return withLock(ref, async ({ stored: { state }, now, append }) => {
      if (state.endedAt) return true;
      if (state.charge) return false;
      const cancelled: SubscriptionEvent[] = state.unsubscribedAt
        ? []
        : [{ kind: 'cancelled', at: now, by: 'deletion' }];
      append([...cancelled, { kind: 'expired', at: now, reason: 'deleted' }]);
      return true;
    });
  }

  /** Returns the subscription that an order resumes. */
  async function findResumed(orderKey: string): Promise<StoredSubscription | undefined> {
    const [, id] = resumeKeyPattern.exec(orderKey) ?? [];
    return id ? subscriptionRepository.find(db, id) : undefined;
  }

  /**
   * Handles an event about a gateway subscription that no record refers to: one that was created to resume ours is
   * recorded, unless ours has changed since; then it is cancelled at the gateway, and what was paid for it is refunded.
   *
   * @param orderKey - the key it was ordered by
   * @returns whether it was cancelled, now or before
   * @throws GatewayError
   */
  async function adoptGatewaySubscription(orderKey: string, gatewaySubscription: string): Promise<boolean> {
    const found = await findResumed(orderKey);
    if (!found) return false;
    const gateway = await withLock(found, async ({ stored, now, append }) => {
      const { state } = stored;
      if (state.gatewaySubscription === gatewaySubscription) return undefined;
      if (toResumeKey(stored) !== orderKey || !canResume(state, now)) return gateways[getEnvironment(state)];
      append([{ kind: 'resumed', at: now, gatewaySubscription }]);
      return undefined;
    });
    await gateway?.cancelOrphan(gatewaySubscription);
    return gateway !== undefined;
  }

  return {
    findManaged,

    /**
     * Changes the subscription that its owner manages, at its gateway first.
     *
     * @throws BillingError without a subscription, while another request changes it, and what `decide` throws
     * @throws GatewayError - then nothing has changed
     */
    async change(subscriberId: string, decide: Decision): Promise<void> {
      const found = await findManaged(subscriberId);
      if (!found) throw billingErrors.subscriptionNotFound();
      await withChangeLock(found, async () => {
        const resumed = await updateGateway(found, decide);
        await withLock(found, async ({ tx, stored, now, append }) => {
          await changeLockRepository.complete(tx, found.id);
          const events = decide(stored.state, now);
          append(events.map((event) => (event.kind === 'resumed' ? { ...event, ...resumed } : event)));
        });
      });
      // E.g. a subscription that is cancelled while a renewal is unpaid ends at once.
      await processDue(found).catch(ignoreGatewayError);
    },

    adoptGatewaySubscription,

    /** Returns whether there is a subscription that a gateway's order resumes. */
    hasOrder: async (key: string) => (await findResumed(key)) !== undefined,

    /**
     * Adopts the gateway subscription that resumes ours, where one was created but not recorded.
     *
     * @throws GatewayError
     */
    async adoptReplacement(id: string): Promise<void> {
      const found = await subscriptionRepository.find(db, id);
      if (!found) return;
      const { subscriber, stored, now } = await withLock(found, async (locked) => locked);
      const { state } = stored;
      const next = getNextCharge(id, state);
      if (!next || !state.gatewaySubscription || !state.expiresAt || !canResume(state, now)) return;
      const gatewayCharge = findGatewayCharge(gateways, subscriber, state, next);
      if (!gatewayCharge) return;
      const { gateway, charge } = gatewayCharge;
      const { terms } = next;
      const order = toResumeOrder(stored, { terms, trialEndsAt: state.expiresAt, payer: charge.payer });
      const result = await gateway.findOrder(order);
      if (result?.gatewaySubscription)
        await adoptGatewaySubscription(order.key, result.gatewaySubscription.id);
    },

    /**
     * Ends all subscriptions of a subscriber now. Waits for a charge in progress, so that no payment goes unrecorded.
     *
     * @throws GatewayError - then nothing has ended and the caller must try again
     */
    async cancelAll(subscriberId: string): Promise<void> {
      for (const each of await subscriptionRepository.findBySubscriber(db, subscriberId)) {
        if (each.state.charge && !each.state.gatewaySubscription) await processDue(each);
        for (let attempt = 1; !(await endNow(each)); attempt += 1) {
          if (attempt === MAX_CANCEL_ATTEMPTS) throw new GatewayError('a charge is pending');
        }
      }
    },

    /** Processes one subscription for its job. Throws what the gateway throws, so that the job is tried again. */
    async process(ref: SubscriptionRef): Promise<void> {
      // After demo mode the sandbox's subscriptions stay as they are: nothing is charged, and nobody gets an email.
      if (!gateways.sandbox && (await subscriptionRepository.find(db, ref.id))?.state.isSandbox) return;
      if (await processDueInBatches(ref)) return;
      // Without a new event there is no new job: the gateway has not decided, or this one ran early by our clock.
      await withLock(ref, ({ tx, stored, clock }) => changeRepository.reschedule(tx, stored, clock));
    },

    enqueueOverdue: () => changeRepository.enqueueOverdue(db, new Date(clock().getTime() - OVERDUE_MS)),

    /**
     * Advances a subscriber's clock, stopping wherever something is due.
     *
     * @throws GatewayError - then the clock stays where that happened
     */
    async advanceClock(subscriberId: string, seconds: number): Promise<void> {
      const { clockOffset: start } = await db
        .transaction()
        .execute((tx) => subscriberRepository.lock(tx, subscriberId));
      const target = start + seconds;
      for (let clockOffset = start; clockOffset < target; ) {
        const step = await advanceToNextDue(subscriberId, target);
        for (const each of step.stored) await processDue(each);
        clockOffset = step.clockOffset;
      }
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
