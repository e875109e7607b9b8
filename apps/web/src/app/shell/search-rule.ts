import { paths } from '#shared/paths.ts';

const searchPath = /^\/articles\/search(?:\/([^/]*))?\/?$/i;

/** The term that an address looks for; empty when it looks for none. In: a pathname. */
export function termOf(pathname: string): string {
  try {
    return decodeURIComponent(searchPath.exec(pathname)?.[1] ?? '');
  } catch {
    return '';
  }
}

/**
 * Where typing into the search box leads (SHELL-04). In: what the box holds, and the pathname now.
 * Out: the address to go to, or null to stay.
 */
export function searchDestination(text: string, pathname: string): string | null {
  const term = text.replace(/\p{Surrogate}/gu, '').trim();
  // An address cannot end in a dot segment: browsers walk up instead.
  if (term === '.' || term === '..') return null;
  if (term === '') return termOf(pathname) === '' ? null : paths.search;
  return term === termOf(pathname) ? null : paths.articles('search', term);
}
