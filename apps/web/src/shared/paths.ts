/** Every address of the app, by name; pages, links and the router use these and nothing else (section 2). */
export const paths = {
  home: '/',
  auth: '/auth',
  signIn: '/auth/sign-in',
  signUp: '/auth/sign-up',
  signOut: '/auth/sign-out',
  confirmAccount: '/auth/confirm-account',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
  authExternal: '/auth-external',
  discover: '/discover',
  /** Where confirming an account leads, in the specification's spelling; routes match in any case. */
  discoverCapitalized: '/Discover',
  playlist: (id: string) => `/playlist/${encodeURIComponent(id)}`,
  articles: (resource: string, arg?: string) =>
    `/articles/${encodeURIComponent(resource)}${arg === undefined ? '' : `/${encodeURIComponent(arg)}`}`,
  article: (id: string) => `/articles/read/${encodeURIComponent(id)}`,
  search: '/articles/search',
  library: '/library',
  visualBook: '/visual-book',
  book: (id: string) => `/visual-book/${encodeURIComponent(id)}`,
  terms: '/tyc',
  settings: '/settings',
  settingsProfile: '/settings/profile',
  settingsSubscription: '/settings/subscription',
} as const;

/** A path with a query. In: path, names and values (empty and undefined ones are left out). Out: `/path?name=value`. */
export function addQuery(path: string, query: Record<string, string | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}
