import type { User } from '@escucho/contracts';

/** A purchase or gift; absent times are null. */
export interface Grant {
  store: string;
  expiresAt: Date | null;
  unsubscribeDetectedAt: Date | null;
  billingIssueDetectedAt: Date | null;
}

/** What a reader's grants come to. */
export interface Standing {
  isActive: boolean;
  store: string | null;
  willRenew: boolean;
  expiresAt: Date | null;
}

const none: Standing = { isActive: false, store: null, willRenew: false, expiresAt: null };

const endOf = ({ expiresAt }: Grant): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * What a reader's subscription is now (SUB-02, SUB-04). In: the operator, if the reader came by one, all grants, the
 * time. Out: the standing by the grant that lasts longest. Operators' readers are always active; only Entel's renew.
 */
export function statusOf(platform: User['platform'], grants: readonly Grant[], now: Date): Standing {
  if (platform !== null) {
    return { isActive: true, store: 'rc_billing', willRenew: platform === 'entel', expiresAt: null };
  }
  const [first, ...others] = grants;
  if (!first) return none;
  const best = others.reduce((best, grant) => (endOf(grant) > endOf(best) ? grant : best), first);
  return {
    isActive: endOf(best) > now.getTime(),
    store: best.store,
    willRenew:
      best.store !== 'promotional' &&
      best.expiresAt !== null &&
      best.unsubscribeDetectedAt === null &&
      best.billingIssueDetectedAt === null,
    expiresAt: best.expiresAt,
  };
}
