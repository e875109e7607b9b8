import type { Subscription, User } from '@escucho/contracts';
import type { Profile } from '../tokens.ts';
import type { Reader } from './service.ts';

/** "First Last", or else what stands before the @ of the address. */
function displayNameOf({ firstName, lastName, email }: Profile): string {
  return `${firstName} ${lastName}`.trim() || (email?.split('@')[0] ?? '');
}

/** The reader as the wire names it (CAT-01). */
export function toUser(reader: Omit<Reader, 'subscription'>): User {
  const { id, email, firstName, lastName, platform } = reader;
  return {
    _id: id,
    email,
    firstName,
    lastName,
    displayName: displayNameOf(reader),
    platform,
    isExternal: platform !== null,
  };
}

/** The reader, and what the subscription allows. */
export function toSignedIn(reader: Reader): { user: User; subscription: Subscription } {
  const { subscription } = reader;
  return {
    user: toUser(reader),
    subscription: { ...subscription, expiresAt: subscription.expiresAt?.toISOString() ?? null },
  };
}
