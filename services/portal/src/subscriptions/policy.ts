import type { Subscription, User } from '@escucho/contracts';

/** A purchase or a gift. */
export interface Grant {
  store: string;
  expiresAt: Date | null;
  unsubscribeDetectedAt: Date | null;
  billingIssueDetectedAt: Date | null;
  /** Bought without real money, or granted in demo mode. */
  isSandbox: boolean;
}

/** The status of a user's subscription, derived from all grants. */
export interface SubscriptionStatus extends Omit<Subscription, 'expiresAt'> {
  expiresAt: Date | null;
}

const getEndTime = ({ expiresAt }: Grant): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** Returns the grants that count: those of the sandbox only where it is on. */
export const filterGrants = (grants: readonly Grant[], acceptsSandbox: boolean): readonly Grant[] =>
  acceptsSandbox ? grants : grants.filter(({ isSandbox }) => !isSandbox);

/**
 * Returns the status of a user's subscription (SUB-02, SUB-04): that of the grant that lasts longest. Operators' users
 * are always active, because their session ends with the plan; only Entel's subscriptions renew.
 */
export function getSubscriptionStatus(
  platform: User['platform'],
  grants: readonly Grant[],
  now: Date,
): SubscriptionStatus {
  if (platform !== null) {
    return { isActive: true, store: 'rc_billing', willRenew: platform === 'entel', expiresAt: null };
  }
  const [first, ...others] = grants;
  if (!first) return { isActive: false, store: null, willRenew: false, expiresAt: null };
  const best = others.reduce((best, grant) => (getEndTime(grant) > getEndTime(best) ? grant : best), first);
  return {
    isActive: getEndTime(best) > now.getTime(),
    store: best.store,
    willRenew:
      best.store !== 'promotional' &&
      best.expiresAt !== null &&
      best.unsubscribeDetectedAt === null &&
      best.billingIssueDetectedAt === null,
    expiresAt: best.expiresAt,
  };
}
