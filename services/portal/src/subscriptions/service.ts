import { AppError, billingApi, type Receipt, type SubscriptionManagement } from '@escucho/contracts';
import type { Account, AccountRepository } from '../accounts/repository.ts';
import type { CurrentUser } from '../accounts/service.ts';
import type { BillingClient } from './billing-client.ts';
import { getSubscriptionStatus, type SubscriptionStatus } from './policy.ts';
import type { SubscriptionRepository } from './repository.ts';

const MINUTE_MS = 60_000;
/** What is known of purchases is asked for again after so long, should no event have told before. */
const SYNC_INTERVAL_MS = 5 * MINUTE_MS;
/** While the provider does not answer, it is asked so rarely for the same reader. */
const RETRY_DELAY_MS = MINUTE_MS / 2;
/** Who asks holds a connection to the database: a provider that is slow may not have them all. */
const MAX_CONCURRENT_SYNCS = 4;

const { subscribers } = billingApi;
const EMPTY_MANAGEMENT: SubscriptionManagement = { current: null, plans: [], managementUrl: null };

interface SubscriptionServiceDeps {
  subscriptions: SubscriptionRepository;
  accounts: Pick<AccountRepository, 'find'>;
  /** Without one nothing is for sale. */
  billing: BillingClient | undefined;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** A reader's subscription: what it allows, decided here and nowhere else, and what its owner does with it. */
export function createSubscriptionService({
  subscriptions,
  accounts,
  billing,
  report,
  clock,
}: SubscriptionServiceDeps) {
  const asking = new Map<string, Promise<void>>();
  const paused = new Map<string, number>();

  /** Asks for a reader's purchases now. Throws `unavailable`. */
  async function refresh(reader: string): Promise<void> {
    if (billing) await subscriptions.replacePurchases(reader, clock(), () => billing.purchases(reader));
  }

  /** Asks unless somebody does or it was in vain just now. Never throws. */
  function refreshInBackground(reader: string): Promise<void> {
    const known = asking.get(reader);
    if (known) return known;
    if ((paused.get(reader) ?? 0) > clock().getTime()) return Promise.resolve();
    const asked = refresh(reader)
      .catch((error: unknown) => {
        if (paused.size > 10_000) paused.clear();
        paused.set(reader, clock().getTime() + RETRY_DELAY_MS);
        report({ reason: String(error) }, 'purchases could not be asked for');
      })
      .finally(() => asking.delete(reader));
    asking.set(reader, asked);
    return asked;
  }

  async function findCurrentStatus({ subject, subscription }: CurrentUser): Promise<SubscriptionStatus> {
    const account = await accounts.find(subject);
    return account ? getSubscriptionStatus(account, account.grants, clock()) : subscription;
  }

  /** What is bought here is asked for anew, and shown with what it allows. Throws `unavailable`. */
  async function withStatus<M extends SubscriptionManagement>(reader: CurrentUser, management: M) {
    await refresh(reader.id);
    return { ...management, subscription: await findCurrentStatus(reader) };
  }

  function requireBilling(reader: CurrentUser): BillingClient {
    if (!billing || reader.platform !== null) throw new AppError('not_found');
    return billing;
  }

  /** RevenueCat manages on a page of its own, and knows no more than its address. */
  async function findManagement(
    reader: CurrentUser,
    provider: BillingClient,
  ): Promise<SubscriptionManagement> {
    try {
      return await provider.call(subscribers.findManagement, { params: { appUserId: reader.id } });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      return { ...EMPTY_MANAGEMENT, managementUrl: await provider.managementUrl(reader.id) };
    }
  }

  const createManagementAction =
    (endpoint: typeof subscribers.cancel | typeof subscribers.resume) => async (reader: CurrentUser) =>
      withStatus(reader, await requireBilling(reader).call(endpoint, { params: { appUserId: reader.id } }));

  return {
    /**
     * What a reader's subscription allows now (SUB-02, SUB-04). Somebody who was never asked for is, at once; later the
     * answer that is there serves while a new one is on its way.
     */
    async findStatus(account: Account): Promise<SubscriptionStatus> {
      const { platform, purchasesSyncedAt: checkedAt, grants, id } = account;
      const now = clock();
      if (billing && platform === null) {
        if (!checkedAt) {
          while (asking.size >= MAX_CONCURRENT_SYNCS) await Promise.race(asking.values());
          await refreshInBackground(id);
          const again = await accounts.find(account.subject);
          return getSubscriptionStatus(account, again?.grants ?? grants, now);
        }
        const isOld = now.getTime() - checkedAt.getTime() > SYNC_INTERVAL_MS;
        if (isOld && asking.size < MAX_CONCURRENT_SYNCS) void refreshInBackground(id);
      }
      return getSubscriptionStatus(account, grants, now);
    },

    /** Somebody says that something happened to a subscriber, who may be none of our readers. Throws `unavailable`. */
    async handleEvent(appUserId: string): Promise<void> {
      if (await subscriptions.isBillingCustomer(appUserId)) await refresh(appUserId);
    },

    async find(reader: CurrentUser) {
      if (!billing || reader.platform !== null)
        return { ...EMPTY_MANAGEMENT, subscription: reader.subscription };
      return withStatus(reader, await findManagement(reader, billing));
    },

    cancel: createManagementAction(subscribers.cancel),
    resume: createManagementAction(subscribers.resume),

    async changePlan(reader: CurrentUser, product: string) {
      const params = { appUserId: reader.id };
      return withStatus(
        reader,
        await requireBilling(reader).call(subscribers.choosePlan, { params, body: { product } }),
      );
    },

    async payRenewal(reader: CurrentUser) {
      return withStatus(
        reader,
        await requireBilling(reader).call(subscribers.pay, { params: { appUserId: reader.id } }),
      );
    },

    async createCardSetup(reader: CurrentUser) {
      return requireBilling(reader).call(subscribers.createCardSetup, { params: { appUserId: reader.id } });
    },

    async replaceCard(reader: CurrentUser, setup: string) {
      const params = { appUserId: reader.id };
      return withStatus(
        reader,
        await requireBilling(reader).call(subscribers.replaceCard, { params, body: { setup } }),
      );
    },

    async findReceipts(reader: CurrentUser): Promise<Receipt[]> {
      if (!billing || reader.platform !== null) return [];
      const params = { appUserId: reader.id };
      return billing.call(subscribers.findReceipts, { params }).then(
        ({ docs }) => docs,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'not_found') return [];
          throw error;
        },
      );
    },

    /** Ends what a reader pays for, and has the billing provider forget them. Throws `unavailable`. */
    async deleteCustomer(reader: Pick<CurrentUser, 'id' | 'platform'>): Promise<void> {
      if (reader.platform === null) await billing?.forget(reader.id);
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
