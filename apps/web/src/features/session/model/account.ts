import * as z from 'zod/mini';
import { readClaims } from './stored-tokens.ts';

/** Patterns of the user agent. Browsers that also name others come first. */
const browsers = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Returns the browser and system of a user agent; null if either is unknown. */
export function parseDeviceName(userAgent: string | null): { browser: string; system: string } | null {
  const findName = (table: readonly (readonly [string, RegExp])[]) =>
    table.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const [browser, system] = [findName(browsers), findName(systems)];
  return browser && system ? { browser, system } : null;
}

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
