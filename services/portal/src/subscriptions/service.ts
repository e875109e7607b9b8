import { AppError, api, billingApi, type Receipt, type SubscriptionManagement } from '@escucho/contracts';
import type { Log } from '@escucho/database';
import { bulkhead, TimeoutStrategy, timeout } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Account, AccountRepository } from '../accounts/repository.ts';
import { type CurrentUser, type Route, toSubscription } from '../accounts/user.ts';
import { expireByClock } from '../cache.ts';
import { type BillingClient, isNotFound } from './billing-client.ts';
import { filterGrants, getSubscriptionStatus, type SubscriptionStatus } from './policy.ts';
import type { SubscriptionRepository } from './repository.ts';

const MINUTE_MS = 60_000;
/** Purchases are read again after this time, in case an event was lost. */
const SYNC_INTERVAL_MS = 5 * MINUTE_MS;
/** Time between attempts for the same user while the provider does not respond. */
const RETRY_DELAY_MS = MINUTE_MS / 2;
/** Each sync holds a database connection: a slow provider must not occupy all of them. */
const MAX_CONCURRENT_SYNCS = 4;
/** How long the first requests of a user wait for their purchases, behind those of others. */
const FIRST_SYNC_WAIT_MS = 5000;
const MAX_TRACKED_FAILURES = 10_000;

const EMPTY_MANAGEMENT: SubscriptionManagement = { current: null, plans: [], managementUrl: null };

interface SubscriptionServiceDeps {
  subscriptions: SubscriptionRepository;
  accounts: Pick<AccountRepository, 'find'>;
  /** Undefined when nothing is for sale. */
  billing: BillingClient | undefined;
  /** Whether subscriptions that were bought without real money count. */
  acceptsSandbox: boolean;
  log: Pick<Log, 'warn'>;
  clock: () => Date;
}

/** Decides what a user's subscription allows, and manages it at the billing provider. */
export function createSubscriptionService(deps: SubscriptionServiceDeps) {
  const { subscriptions, accounts, billing, acceptsSandbox, log, clock } = deps;
  const syncLimit = bulkhead(MAX_CONCURRENT_SYNCS, Number.POSITIVE_INFINITY);
  const firstSyncWait = timeout(FIRST_SYNC_WAIT_MS, TimeoutStrategy.Aggressive);
  /** The last sync of a user that was requested, and whether it has begun. */
  const lastSyncs = new Map<string, { sync: Promise<void>; hasBegun: boolean }>();
  /** Ids of users whose purchases could not be read shortly before. */
  const failures = new LRUCache<string, true>({
    max: MAX_TRACKED_FAILURES,
    ttl: RETRY_DELAY_MS,
    ...expireByClock(clock),
  });

  const getStatus = ({ platform, grants }: Pick<Account, 'platform' | 'grants'>): SubscriptionStatus =>
    getSubscriptionStatus(platform, filterGrants(grants, acceptsSandbox), clock());

  /**
   * Reads a user's purchases after the call. Calls during a sync share the next one, so that one user's requests do not
   * occupy all syncs.
   *
   * @throws AppError `unavailable`
   */
  function syncPurchases(userId: string): Promise<void> {
    const last = lastSyncs.get(userId);
    if (!billing) return Promise.resolve();
    if (last && !last.hasBegun) return last.sync;
    const next = { hasBegun: false, sync: Promise.resolve() };
    next.sync = (last?.sync.catch(() => {}) ?? Promise.resolve())
      .then(() =>
        syncLimit.execute(() => {
          next.hasBegun = true;
          return subscriptions.replacePurchases(userId, clock(), () => billing.findPurchases(userId));
        }),
      )
      .finally(() => {
        if (lastSyncs.get(userId) === next) lastSyncs.delete(userId);
      });
    lastSyncs.set(userId, next);
    return next.sync;
  }

  /** Joins a sync that was requested; does nothing shortly after a failure. Never throws. */
  async function syncInBackground(userId: string): Promise<void> {
    const last = lastSyncs.get(userId);
    if (last) return last.sync.catch(() => {});
    if (failures.has(userId)) return;
    await syncPurchases(userId).catch((error: unknown) => {
      failures.set(userId, true);
      log.warn({ reason: String(error) }, 'purchases could not be read from the billing provider');
    });
  }

  async function findCurrentStatus({ subject, subscription }: CurrentUser): Promise<SubscriptionStatus> {
    const account = await accounts.find(subject);
    return account ? getStatus(account) : subscription;
  }

  /**
   * Reads the purchases and adds the status to what the billing provider responded.
   *
   * @throws AppError `unavailable`
   */
  async function withStatus<M extends SubscriptionManagement>(user: CurrentUser, management: M) {
    await syncPurchases(user.id);
    return { ...management, subscription: toSubscription(await findCurrentStatus(user)) };
  }

  /** Returns the billing provider of a user who can buy here; operators' users cannot. */
  const findBilling = ({ platform }: Pick<CurrentUser, 'platform'>): BillingClient | undefined =>
    platform === null ? billing : undefined;

  /** @throws AppError `not_found` when the user cannot buy here */
  function requireBilling(user: CurrentUser): BillingClient {
    const provider = findBilling(user);
    if (!provider) throw new AppError('not_found');
    return provider;
  }

  /** RevenueCat has no management endpoint but a page of its own, whose URL is returned. */
  async function findManagement(user: CurrentUser, provider: BillingClient): Promise<SubscriptionManagement> {
    try {
      return await provider.call(billingApi.findManagement, user.id);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { ...EMPTY_MANAGEMENT, managementUrl: await provider.findManagementUrl(user.id) };
    }
  }

  return {
    /**
     * Returns what a user's subscription allows now (SUB-02, SUB-04). The first time, purchases are read before, unless
     * that takes too long; then the stored ones are used while newer ones are read in the background.
     */
    async findStatus(account: Account): Promise<SubscriptionStatus> {
      const { purchasesSyncedAt, id } = account;
      if (findBilling(account)) {
        if (!purchasesSyncedAt) {
          await firstSyncWait.execute(() => syncInBackground(id)).catch(() => {});
          return getStatus((await accounts.find(account.subject)) ?? account);
        }
        // Also where they were read while the clock was ahead.
        const isStale = Math.abs(clock().getTime() - purchasesSyncedAt.getTime()) > SYNC_INTERVAL_MS;
        if (isStale && syncLimit.executionSlots > 0) void syncInBackground(id);
      }
      return getStatus(account);
    },

    /**
     * Handles an event of the billing provider about a customer, who may not be one of our users.
     *
     * @throws AppError `unavailable`
     */
    async handleEvent(appUserId: string): Promise<void> {
      if (await subscriptions.isBillingCustomer(appUserId)) await syncPurchases(appUserId);
    },

    async find(user: CurrentUser) {
      const provider = findBilling(user);
      if (!provider) return { ...EMPTY_MANAGEMENT, subscription: toSubscription(user.subscription) };
      return withStatus(user, await findManagement(user, provider));
    },

    // The following throw `not_found` when the user cannot buy here, `conflict` and `unavailable`.

    cancel: async (user: CurrentUser) =>
      withStatus(user, await requireBilling(user).call(billingApi.cancel, user.id)),

    resume: async (user: CurrentUser) =>
      withStatus(user, await requireBilling(user).call(billingApi.resume, user.id)),

    payRenewal: async (user: CurrentUser) =>
      withStatus(user, await requireBilling(user).call(billingApi.pay, user.id)),

    changePlan: async (user: CurrentUser, product: string) =>
      withStatus(user, await requireBilling(user).call(billingApi.choosePlan, user.id, { product })),

    createCardSetup: async (user: CurrentUser) =>
      requireBilling(user).call(billingApi.createCardSetup, user.id),

    replaceCard: async (user: CurrentUser, setup: string) =>
      withStatus(user, await requireBilling(user).call(billingApi.replaceCard, user.id, { setup })),

    /**
     * Creates a token with which the user may buy; null at RevenueCat, which has none.
     *
     * @throws AppError `not_found` when the user cannot buy here, `unavailable`
     */
    async createPurchaseToken(user: CurrentUser): Promise<{ token: string | null }> {
      try {
        return await requireBilling(user).call(billingApi.createPurchaseToken, user.id);
      } catch (error) {
        if (findBilling(user) && isNotFound(error)) return { token: null };
        throw error;
      }
    },

    async findReceipts(user: CurrentUser): Promise<{ docs: Receipt[] }> {
      try {
        return await requireBilling(user).call(billingApi.findReceipts, user.id);
      } catch (error) {
        if (isNotFound(error)) return { docs: [] };
        throw error;
      }
    },

    /**
     * Deletes a user's customer record at the billing provider, which stops all renewals.
     *
     * @throws AppError `unavailable`
     */
    deleteCustomer: async (userId: string) => billing?.deleteCustomer(userId),
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;

/** Registers the endpoints of subscriptions. */
export function registerSubscriptions(route: Route, subscriptions: SubscriptionService): void {
  route(api.subscription.findSubscription).handle(({ user }) => subscriptions.find(user));
  route(api.subscription.cancelSubscription).handle(({ user }) => subscriptions.cancel(user));
  route(api.subscription.resumeSubscription).handle(({ user }) => subscriptions.resume(user));
  route(api.subscription.changePlan).handle(({ user, body }) => subscriptions.changePlan(user, body.product));
  route(api.subscription.payRenewal).handle(({ user }) => subscriptions.payRenewal(user));
  route(api.subscription.createCardSetup).handle(({ user }) => subscriptions.createCardSetup(user));
  route(api.subscription.replaceCard).handle(({ user, body }) => subscriptions.replaceCard(user, body.setup));
  route(api.subscription.createPurchaseToken).handle(({ user }) => subscriptions.createPurchaseToken(user));
  route(api.subscription.findReceipts).handle(({ user }) => subscriptions.findReceipts(user));
}
