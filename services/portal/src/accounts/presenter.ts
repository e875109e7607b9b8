import type { Subscription, User } from '@escucho/contracts';
import type { Profile } from '../tokens.ts';
import type { Reader } from './service.ts';

/** "First Last", or else what stands before the @ of the address. */
function displayNameOf({ firstName, lastName, email }: Profile): string {
  return `${firstName} ${lastName}`.trim() || (email?.split('@')[0] ?? '');
}

/** The reader as the wire names it (CAT-01). */
export function toSignedIn(reader: Reader): { user: User; subscription: Subscription } {
  const { id, email, firstName, lastName, platform, subscription } = reader;
  return {
    user: {
      _id: id,
      email,
      firstName,
      lastName,
      displayName: displayNameOf(reader),
      platform,
      isExternal: platform !== null,
    },
    subscription: { ...subscription, expiresAt: subscription.expiresAt?.toISOString() ?? null },
  };
}
