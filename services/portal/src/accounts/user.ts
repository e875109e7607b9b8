import { type Learning, operatorNames, type Subscription, type User } from '@escucho/contracts';
import type { createRouter } from '@escucho/service-kit';
import type { SubscriptionStatus } from '../subscriptions/policy.ts';
import type { Profile } from './tokens.ts';

/** The user an access token belongs to, with the status of the subscription at the time of the request. */
export interface CurrentUser extends Profile {
  id: string;
  /** The `sub` claim of the access token. */
  subject: string;
  platform: User['platform'];
  /** Names were edited in the settings; sign-in does not overwrite them. */
  hasCustomNames: boolean;
  learning: Learning;
  /** The user signed up and has not answered or skipped the questions about what to learn. */
  needsOnboarding: boolean;
  subscription: SubscriptionStatus;
}

/** Registers an endpoint whose handler receives the signed-in user. */
export type Route = ReturnType<typeof createRouter<CurrentUser>>;

/** Returns "First Last"; without names, the email address up to its @ or the operator's name. */
function getDisplayName({ firstName, lastName, email, platform }: Profile & Pick<User, 'platform'>): string {
  const fallback = platform ? operatorNames[platform] : '';
  return `${firstName} ${lastName}`.trim() || (email?.split('@')[0] ?? fallback);
}

/** Presents a user (CAT-01). */
export function toUser(
  user: Profile & Pick<CurrentUser, 'id' | 'platform' | 'learning' | 'needsOnboarding'>,
): User {
  const { id, email, firstName, lastName, platform, learning, needsOnboarding } = user;
  const hasLearning = learning.language !== null || learning.level !== null;
  return {
    _id: id,
    email,
    firstName,
    lastName,
    displayName: getDisplayName(user),
    platform,
    isExternal: platform !== null,
    ...(hasLearning && { learning }),
    ...(needsOnboarding && { needsOnboarding }),
  };
}

export const toSubscription = ({ expiresAt, ...status }: SubscriptionStatus): Subscription => ({
  ...status,
  expiresAt: expiresAt?.toISOString() ?? null,
});

export const toSignInResponse = (user: CurrentUser): { user: User; subscription: Subscription } => ({
  user: toUser(user),
  subscription: toSubscription(user.subscription),
});
