import { AppError, billingApi, type Receipt, type SubscriptionManagement } from '@escucho/contracts';
import type { Account, AccountRepository } from '../accounts/repository.ts';
import type { Reader } from '../accounts/service.ts';
import type { BillingClient } from './billing.ts';
import { type Standing, statusOf } from './policy.ts';
import type { SubscriptionRepository } from './repository.ts';

const MINUTE = 60_000;
/** What is known of purchases is asked for again after so long, should no event have told before. */
const FRESH = 5 * MINUTE;
/** While the provider does not answer, it is asked so rarely for the same reader. */
const PAUSE = MINUTE / 2;
/** Who asks holds a connection to the database: a provider that is slow may not have them all. */
const AT_ONCE = 4;

const { subscribers } = billingApi;
const nothing: SubscriptionManagement = { current: null, plans: [], managementUrl: null };

interface Ports {
  subscriptions: SubscriptionRepository;
  accounts: Pick<AccountRepository, 'find'>;
  /** Without one nothing is for sale. */
  billing: BillingClient | undefined;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** A reader's subscription: what it allows, decided here and nowhere else, and what its owner does with it. */
export function subscriptionService({ subscriptions, accounts, billing, report, clock }: Ports) {
  const asking = new Map<string, Promise<void>>();
  const paused = new Map<string, number>();

  /** Asks for a reader's purchases now. Throws `unavailable`. */
  async function refresh(reader: string): Promise<void> {
    if (billing) await subscriptions.replacePurchases(reader, clock(), () => billing.purchases(reader));
  }

  /** Asks unless somebody does or it was in vain just now. Never throws. */
  function refreshQuietly(reader: string): Promise<void> {
    const known = asking.get(reader);
    if (known) return known;
    if ((paused.get(reader) ?? 0) > clock().getTime()) return Promise.resolve();
    const asked = refresh(reader)
      .catch((error: unknown) => {
        if (paused.size > 10_000) paused.clear();
        paused.set(reader, clock().getTime() + PAUSE);
        report({ reason: String(error) }, 'purchases could not be asked for');
      })
      .finally(() => asking.delete(reader));
    asking.set(reader, asked);
    return asked;
  }

  async function standingNow({ subject, subscription }: Reader): Promise<Standing> {
    const account = await accounts.find(subject);
    return account ? statusOf(account, account.grants, clock()) : subscription;
  }

  /** What is bought here is asked for anew, and shown with what it allows. Throws `unavailable`. */
  async function shown<M extends SubscriptionManagement>(reader: Reader, management: M) {
    await refresh(reader.id);
    return { ...management, subscription: await standingNow(reader) };
  }

  function sold(reader: Reader): BillingClient {
    if (!billing || reader.platform !== null) throw new AppError('not_found');
    return billing;
  }

  /** RevenueCat manages on a page of its own, and knows no more than its address. */
  async function managementOf(reader: Reader, provider: BillingClient): Promise<SubscriptionManagement> {
    try {
      return await provider.call(subscribers.findManagement, { params: { appUserId: reader.id } });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      return { ...nothing, managementUrl: await provider.managementUrl(reader.id) };
    }
  }

  const managed =
    (endpoint: typeof subscribers.cancel | typeof subscribers.resume) => async (reader: Reader) =>
      shown(reader, await sold(reader).call(endpoint, { params: { appUserId: reader.id } }));

  return {
    /**
     * What a reader's subscription allows now (SUB-02, SUB-04). Somebody who was never asked for is, at once; later the
     * answer that is there serves while a new one is on its way.
     */
    async standingOf(account: Account): Promise<Standing> {
      const { platform, checkedAt, grants, id } = account;
      const now = clock();
      if (billing && platform === null) {
        if (!checkedAt) {
          while (asking.size >= AT_ONCE) await Promise.race(asking.values());
          await refreshQuietly(id);
          const again = await accounts.find(account.subject);
          return statusOf(account, again?.grants ?? grants, now);
        }
        const isOld = now.getTime() - checkedAt.getTime() > FRESH;
        if (isOld && asking.size < AT_ONCE) void refreshQuietly(id);
      }
      return statusOf(account, grants, now);
    },

    /** Somebody says that something happened to a subscriber, who may be none of our readers. Throws `unavailable`. */
    async heardOf(appUserId: string): Promise<void> {
      if (await subscriptions.buysHere(appUserId)) await refresh(appUserId);
    },

    async find(reader: Reader) {
      if (!billing || reader.platform !== null) return { ...nothing, subscription: reader.subscription };
      return shown(reader, await managementOf(reader, billing));
    },

    cancel: managed(subscribers.cancel),
    resume: managed(subscribers.resume),

    async changePlan(reader: Reader, product: string) {
      const params = { appUserId: reader.id };
      return shown(reader, await sold(reader).call(subscribers.choosePlan, { params, body: { product } }));
    },

    async pay(reader: Reader) {
      return shown(reader, await sold(reader).call(subscribers.pay, { params: { appUserId: reader.id } }));
    },

    async beginCard(reader: Reader) {
      return sold(reader).call(subscribers.createCardSetup, { params: { appUserId: reader.id } });
    },

    async takeCard(reader: Reader, setup: string) {
      const params = { appUserId: reader.id };
      return shown(reader, await sold(reader).call(subscribers.replaceCard, { params, body: { setup } }));
    },

    async findReceipts(reader: Reader): Promise<Receipt[]> {
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
    async forget(reader: Pick<Reader, 'id' | 'platform'>): Promise<void> {
      if (reader.platform === null) await billing?.forget(reader.id);
    },
  };
}

export type SubscriptionService = ReturnType<typeof subscriptionService>;
