/** Takes the place, in the URLs of what a page requests first, of what follows the beginning of the page's path. */
export const PATH_ARGUMENT = 'PATH-ARGUMENT';

/** The URLs of the app (section 2). */
export const paths = {
  home: '/',
  /** What Escucho is, for visitors without an account. */
  welcome: '/welcome',
  auth: '/auth',
  signIn: '/auth/sign-in',
  signUp: '/auth/sign-up',
  signOut: '/auth/sign-out',
  confirmAccount: '/auth/confirm-account',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
  authExternal: '/auth-external',
  discover: '/discover',
  /** The destination after confirming an account, in the specification's spelling; routes match in any case. */
  discoverCapitalized: '/Discover',
  playlist: (id: string) => `/playlist/${encodeURIComponent(id)}`,
  articles: (resource: string, arg?: string) =>
    `/articles/${encodeURIComponent(resource)}${arg === undefined ? '' : `/${encodeURIComponent(arg)}`}`,
  article: (id: string) => `/articles/read/${encodeURIComponent(id)}`,
  search: '/articles/search',
  library: '/library',
  bookmarks: '/library/bookmarks',
  visualBook: '/visual-book',
  book: (id: string) => `/visual-book/${encodeURIComponent(id)}`,
  /** The terms of a mobile operator. */
  terms: '/tyc',
  /** The terms for users with an account of their own. */
  termsOfUse: '/terms',
  privacy: '/privacy',
  settings: '/settings',
  settingsProfile: '/settings/profile',
  settingsSecurity: '/settings/security',
  settingsSubscription: '/settings/subscription',
} as const;

/**
 * Decodes a segment of a path (RFC 3986, section 2.1).
 *
 * @returns the text as it is where it is no valid encoding, such as `100%`
 */
export function decodePathSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns a path with a query string; empty and missing values are left out. */
export function addQuery(path: string, query: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}
