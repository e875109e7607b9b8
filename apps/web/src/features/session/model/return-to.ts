import { paths } from '#shared/paths.ts';

// Only ever compared with itself: a place that the address cannot leave.
const here = 'https://here.invalid';

/**
 * Where to go after sign-in (ROUTE-03). In: the `returnTo` of the query, from anybody. Out: a path of this app with its
 * query and fragment; /discover for anything that leads elsewhere, or back to the auth pages.
 */
export function safeReturnTo(asked: string | null | undefined): string {
  if (!asked?.startsWith('/') || !URL.canParse(asked, here)) return paths.discover;
  const url = new URL(asked, here);
  const leaves =
    url.origin !== here || /^\/[/\\]/.test(url.pathname) || /^\/auth(-external)?(\/|$)/i.test(url.pathname);
  return leaves || url.pathname === '/' ? paths.discover : url.pathname + url.search + url.hash;
}
