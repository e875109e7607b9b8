import { limits } from '@escucho/contracts';
import { cognitoErrors } from '../errors.ts';

/** Claims of an access token that say when the user signed in; refreshing tokens does not change it. */
export interface SignInClaims {
  /** Seconds since the epoch. */
  auth_time: number;
}

/** Returns whether a sign-in is recent enough for sensitive changes of the account (RFC 9470). */
export function isRecentSignIn({ auth_time }: SignInClaims, now: Date): boolean {
  return now.getTime() / 1000 - auth_time <= limits.recentSignIn.maxAgeSeconds;
}

/** Throws NotAuthorizedException with a message of its own where the sign-in is too old for a sensitive change. */
export function requireRecentSignIn(claims: SignInClaims, now: Date): void {
  if (!isRecentSignIn(claims, now)) throw cognitoErrors.reauthenticationRequired();
}
