import { addQuery, paths } from '../shared/paths.ts';

type Status = 'loading' | 'signed-out' | 'signed-in';

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** The route patterns of the pages for signed-in users (ROUTE-02). */
export const guardedRoutes = {
  discover: '/discover',
  playlist: '/playlist/:arg',
  articles: '/articles/:resource/:arg?',
  library: '/library',
  bookmarks: '/library/bookmarks',
  visualBook: '/visual-book/:id?',
  terms: '/tyc',
  settings: '/settings',
  settingsProfile: '/settings/profile',
  settingsSecurity: '/settings/security',
  settingsSubscription: '/settings/subscription',
} as const;

const isAuth = (pathname: string) => /^\/auth(\/|$)/i.test(pathname);

/** Match the paths of {@link guardedRoutes}, for the app's routes, the boot script and the server. */
export const guardedPatterns = Object.values(guardedRoutes).map((pattern) => {
  const path = pattern.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${path}/?$`, 'i');
});
const isGuarded = (pathname: string) => guardedPatterns.some((pattern) => pattern.test(pathname));

// Serves parsing only: a `returnTo` that keeps this origin does not leave the app.
const placeholderOrigin = 'https://here.invalid';

/**
 * Returns the path, with query and fragment, that an untrusted `returnTo` leads to after sign-in (ROUTE-03);
 * /discover if it leaves the app or leads back to the auth pages.
 */
export function toSafeReturnUrl(returnTo: string | null | undefined): string {
  if (!returnTo?.startsWith('/') || !URL.canParse(returnTo, placeholderOrigin)) return paths.discover;
  const url = new URL(returnTo, placeholderOrigin);
  const isRefused =
    url.origin !== placeholderOrigin ||
    /^\/[/\\]/.test(url.pathname) ||
    /^\/auth(-external)?(\/|$)/i.test(url.pathname);
  return isRefused || url.pathname === '/' ? paths.discover : url.pathname + url.search + url.hash;
}

/** Returns the sign-in address for a signed-out visitor of a guarded page, with `returnTo` set to that page (ROUTE-03). */
export const getSignInUrl = ({ pathname, search, hash }: Address): string =>
  addQuery(paths.auth, { returnTo: pathname + search + hash });

/**
 * Returns where a signed-in visitor of the auth pages is redirected (ROUTE-01, ROUTE-03). After confirming an account
 * that is /Discover, in the specification's spelling (AUTH-04).
 */
export function getReturnUrl({ pathname, search }: Pick<Address, 'pathname' | 'search'>): string {
  const returnTo = new URLSearchParams(search).get('returnTo');
  const isConfirmed = pathname.toLowerCase() === paths.confirmAccount;
  return returnTo === null && isConfirmed ? paths.discoverCapitalized : toSafeReturnUrl(returnTo);
}

/** Returns whether an address is a provider's response to a sign-in, which a signed-in user may have repeated. */
export function isOAuthCallback({ pathname, search }: Pick<Address, 'pathname' | 'search'>): boolean {
  const query = new URLSearchParams(search);
  const isResponse = query.has('state') && (query.has('code') || query.has('error'));
  return isResponse && pathname.toLowerCase() === paths.signIn;
}

/**
 * Returns the address to open instead of the requested one (ROUTE-01), decided before any page is loaded; null to open
 * the requested one.
 *
 * @param status what is known of the session from storage alone
 */
export function getInitialRedirect(address: Address, status: Status): string | null {
  const { pathname, search } = address;
  if (status === 'signed-in' && isAuth(pathname) && !isOAuthCallback(address)) return getReturnUrl(address);
  if (status === 'signed-out' && pathname === paths.home) return paths.signIn;
  if (status === 'signed-out' && isGuarded(pathname))
    return getSignInUrl(address).replace(paths.auth, paths.signIn);
  if (/^\/auth\/?$/i.test(pathname)) return paths.signIn + search;
  return pathname === paths.home ? paths.discover : null;
}
