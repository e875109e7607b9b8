import type { User } from '@escucho/contracts';

/** A purchase or gift; absent times are null. */
export interface Grant {
  store: string;
  expiresAt: Date | null;
  unsubscribeDetectedAt: Date | null;
  billingIssueDetectedAt: Date | null;
}

/** What a reader's grants come to. */
export interface SubscriptionStatus {
  isActive: boolean;
  store: string | null;
  willRenew: boolean;
  expiresAt: Date | null;
}

const none: SubscriptionStatus = { isActive: false, store: null, willRenew: false, expiresAt: null };

const getEnd = ({ expiresAt }: Grant): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/** By which operator a reader came, if by one, and since when it says that the subscription has ended. */
interface Origin {
  platform: User['platform'];
  operatorEndedAt: Date | null;
}

/**
 * What a reader's subscription is now (SUB-02, SUB-04). In: by which operator the reader came, all grants, the time.
 * Out: the standing by the grant that lasts longest. Operators' readers are active unless their operator has said
 * otherwise; only Entel's renew.
 */
export function getSubscriptionStatus(
  { platform, operatorEndedAt }: Origin,
  grants: readonly Grant[],
  now: Date,
): SubscriptionStatus {
  if (platform !== null) {
    const isActive = operatorEndedAt === null;
    return {
      isActive,
      store: 'rc_billing',
      willRenew: isActive && platform === 'entel',
      expiresAt: operatorEndedAt,
    };
  }
  const [first, ...others] = grants;
  if (!first) return none;
  const best = others.reduce((best, grant) => (getEnd(grant) > getEnd(best) ? grant : best), first);
  return {
    isActive: getEnd(best) > now.getTime(),
    store: best.store,
    willRenew:
      best.store !== 'promotional' &&
      best.expiresAt !== null &&
      best.unsubscribeDetectedAt === null &&
      best.billingIssueDetectedAt === null,
    expiresAt: best.expiresAt,
  };
}
