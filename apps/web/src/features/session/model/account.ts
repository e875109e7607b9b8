import * as z from 'zod/mini';
import { readClaims } from './stored-tokens.ts';

/** How a user signs in: with a password of this account, through an operator, or through an external provider. */
export type SignInMethod = 'password' | 'operator' | { provider: string };

const identitiesSchema = z.object({
  identities: z.array(z.object({ providerName: z.string() })).check(z.minLength(1)),
});
const emailSchema = z.object({ email: z.string() });

/**
 * Returns how a user signs in.
 *
 * @param isExternal whether the user belongs to an operator
 * @param idToken the identity provider's ID token, if there is one
 */
export function getSignInMethod(isExternal: boolean, idToken: string | null): SignInMethod {
  if (isExternal) return 'operator';
  const provider = identitiesSchema.safeParse(readClaims(idToken ?? '')).data?.identities[0]?.providerName;
  return provider === undefined ? 'password' : { provider };
}

/** Returns the e-mail address in the identity provider's ID token, or null. */
export const getTokenEmail = (idToken: string | null): string | null =>
  emailSchema.safeParse(readClaims(idToken ?? '')).data?.email ?? null;
