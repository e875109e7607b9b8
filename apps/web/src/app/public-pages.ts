import type { MessageKey } from '../shared/i18n/i18n.ts';
import { paths } from '../shared/paths.ts';

interface PublicPage {
  path: string;
  /** Messages of the namespaces that the page loads. */
  title: MessageKey;
  description: MessageKey;
  /** Whether search engines list it. */
  isIndexed: boolean;
}

/** The pages that need no account. They are rendered at build time in every language, and hydrated. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.signIn,
    title: 'session.signInTitle',
    description: 'session.signInText',
    isIndexed: true,
  },
];

/** Returns the public page of a path, in any case and with or without a slash at its end. */
export function findPublicPage(pathname: string): PublicPage | undefined {
  const path = pathname.toLowerCase().replace(/(?<=.)\/$/, '');
  return publicPages.find((page) => page.path === path);
}
