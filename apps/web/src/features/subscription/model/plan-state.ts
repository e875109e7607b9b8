import type { PurchasedSubscription } from '@escucho/contracts';

/** What is said of a plan that was bought, worst first; `until`: the date it speaks of, null where there is none. */
export interface PlanState {
  is: 'unconfirmed' | 'unpaid' | 'ending' | 'trial' | 'renewing';
  until: string | null;
}

/** How a plan stands (SUB-07). A plan that could not be paid for stays open until its grace ends. */
export function planStateOf(current: PurchasedSubscription): PlanState {
  const { billingIssueAt, graceEndsAt, willRenew, unsubscribedAt, isTrial, endsAt } = current;
  const isUnconfirmed = current.needsConfirmation;
  if (billingIssueAt && !unsubscribedAt)
    return { is: isUnconfirmed ? 'unconfirmed' : 'unpaid', until: graceEndsAt };
  if (!willRenew) return { is: 'ending', until: endsAt };
  return { is: isTrial ? 'trial' : 'renewing', until: endsAt };
}
