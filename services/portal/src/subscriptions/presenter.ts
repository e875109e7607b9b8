import type { Subscription } from '@escucho/contracts';
import type { SubscriptionStatus } from './policy.ts';

/** What a subscription allows, on the wire. */
export const toSubscription = ({ expiresAt, ...standing }: SubscriptionStatus): Subscription => ({
  ...standing,
  expiresAt: expiresAt?.toISOString() ?? null,
});
