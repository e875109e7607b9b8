import type { Subscription } from '@escucho/contracts';
import type { Standing } from './policy.ts';

/** What a subscription allows, on the wire. */
export const toSubscription = ({ expiresAt, ...standing }: Standing): Subscription => ({
  ...standing,
  expiresAt: expiresAt?.toISOString() ?? null,
});
