import { operatorNames, type Subscription, type User } from '@escucho/contracts';
import { toSubscription } from '../subscriptions/presenter.ts';
import type { CurrentUser } from './service.ts';
import type { Profile } from './tokens.ts';

/** "First Last", or else what stands before the @ of the address, or the name of the operator that knows only a number. */
function getDisplayName({ firstName, lastName, email, platform }: Profile & Pick<User, 'platform'>): string {
  const unnamed = platform ? operatorNames[platform] : '';
  return `${firstName} ${lastName}`.trim() || (email?.split('@')[0] ?? unnamed);
}

/** The reader as the wire names it (CAT-01). */
export function toUser(reader: Profile & Pick<CurrentUser, 'id' | 'platform'>): User {
  const { id, email, firstName, lastName, platform } = reader;
  return {
    _id: id,
    email,
    firstName,
    lastName,
    displayName: getDisplayName(reader),
    platform,
    isExternal: platform !== null,
  };
}

/** The reader, and what the subscription allows. */
export function toSignInResponse(reader: CurrentUser): { user: User; subscription: Subscription } {
  return { user: toUser(reader), subscription: toSubscription(reader.subscription) };
}
