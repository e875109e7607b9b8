import { paths } from '#shared/paths.ts';

const searchPath = /^\/articles\/search(?:\/([^/]*))?\/?$/i;

/** Returns whether a pathname is the search page's. */
export const isSearchPath = (pathname: string): boolean => searchPath.test(pathname);

/** Returns the search term of a pathname, or an empty string. */
export function getSearchTerm(pathname: string): string {
  try {
    return decodeURIComponent(searchPath.exec(pathname)?.[1] ?? '');
  } catch {
    return '';
  }
}

/** Returns the URL to open for a text in the search box (SHELL-04), or null to stay on the current page. */
export function getSearchUrl(text: string, pathname: string): string | null {
  const term = text.replace(/\p{Surrogate}/gu, '').trim();
  // Browsers resolve a dot segment at the end of a path to its parent.
  if (term === '.' || term === '..') return null;
  if (term === '') return getSearchTerm(pathname) === '' ? null : paths.search;
  return term === getSearchTerm(pathname) ? null : paths.articles('search', term);
}
