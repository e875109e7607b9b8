import * as z from 'zod/mini';

/** Who looks after a reader's password: nobody else, a provider by its name, or the operator. */
export type AccountDoor = 'password' | 'operator' | { provider: string };

const claims = z.object({
  identities: z.array(z.object({ providerName: z.string() })).check(z.minLength(1)),
});

/** In: whether the reader is an operator's, and the identity provider's id token, if there is one. */
export function accountDoor(isExternal: boolean, idToken: string | null): AccountDoor {
  if (isExternal) return 'operator';
  try {
    const payload = (idToken?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const provider = claims.parse(JSON.parse(atob(payload))).identities[0]?.providerName;
    return provider === undefined ? 'password' : { provider };
  } catch {
    return 'password';
  }
}
