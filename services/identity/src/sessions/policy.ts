import { type Fault, faults } from '../faults.ts';
import type { Refreshing } from './repository.ts';

/** How long a sign-in lasts, in milliseconds: 30 days. Refreshing does not prolong it. */
export const sessionLifetime = 30 * 86_400_000;

/** The scope of a sign-in through the JSON operations, and what GetUser and GlobalSignOut ask for. */
export const selfScope = 'aws.cognito.signin.user.admin';

/** Whether a replaced refresh token comes later than its grace (in seconds) allows. */
export function isReuse(found: Refreshing, graceSeconds: number, now: Date): boolean {
  return found.replacedAt !== null && now.getTime() > found.replacedAt.getTime() + graceSeconds * 1000;
}

/** Why a refresh token gives nothing any more, or nothing. */
export function refreshFault(
  found: Refreshing | undefined,
  clientId: string,
  graceSeconds: number,
  now: Date,
): Fault | undefined {
  if (!found || found.clientId !== clientId) return faults.refreshUnknown();
  if (found.revokedAt) return faults.refreshRevoked();
  if (found.expiresAt <= now) return faults.refreshExpired();
  return isReuse(found, graceSeconds, now) ? faults.refreshReused() : undefined;
}
