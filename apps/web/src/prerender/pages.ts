import type { MessageKey, Namespace } from '../shared/i18n/i18n.ts';
import { paths } from '../shared/paths.ts';

/** What a page loads: its source files below `src/app`, and its messages beside `app`. */
export interface PageCode {
  modules: readonly string[];
  namespaces: readonly Namespace[];
}

export interface PublicPage extends PageCode {
  path: string;
  title: MessageKey;
  description: MessageKey;
  /** Whether search engines list it. */
  isIndexed: boolean;
}

const buildAuthPage = (
  path: string,
  module: string,
  title: MessageKey,
  description: MessageKey,
  isIndexed = false,
): PublicPage => ({
  path,
  title,
  description,
  isIndexed,
  modules: ['layouts/auth-layout.tsx', `pages/auth/${module}.tsx`],
  namespaces: ['auth'],
});

/** The pages that need no account. They are rendered at build time in every language, and hydrated. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.welcome,
    title: 'welcome.metaTitle',
    description: 'welcome.lead',
    isIndexed: true,
    modules: ['pages/welcome.tsx'],
    namespaces: ['welcome'],
  },
  buildAuthPage(paths.signIn, 'sign-in', 'session.signInTitle', 'session.signInText', true),
  buildAuthPage(paths.signUp, 'sign-up', 'session.signUpTitle', 'session.signUpText', true),
  buildAuthPage(paths.confirmAccount, 'confirm-account', 'session.confirmTitle', 'session.confirmText'),
  buildAuthPage(paths.forgotPassword, 'forgot-password', 'session.forgotTitle', 'session.forgotText'),
  buildAuthPage(paths.resetPassword, 'reset-password', 'session.resetTitle', 'session.resetText'),
  {
    path: paths.termsOfUse,
    title: 'shell.termsOfUse',
    description: 'legal.lead',
    isIndexed: true,
    modules: ['pages/legal.tsx'],
    namespaces: ['legal'],
  },
  {
    path: paths.privacy,
    title: 'shell.privacy',
    description: 'legal.privacyLead',
    isIndexed: true,
    modules: ['pages/legal.tsx'],
    namespaces: ['legal'],
  },
];

interface AppPage extends PageCode {
  /** Endpoints of the own API that it requests first. */
  calls?: readonly string[];
}

const buildAppPage = (module: string, ...namespaces: Namespace[]): AppPage => ({
  modules: ['layouts/main-layout.tsx', `pages/${module}.tsx`],
  namespaces,
});

/**
 * The pages that index.html is sent for, by the beginning of their paths. The boot script preloads what they load. Sign-in is
 * among them because the service worker answers with index.html.
 */
export const appPages: Readonly<Record<string, AppPage>> = {
  [`${paths.auth}/`]: {
    modules: ['layouts/auth-layout.tsx', 'pages/auth/sign-in.tsx'],
    namespaces: ['auth'],
  },
  [paths.discover]: { ...buildAppPage('discover'), calls: ['/api/catalogue/discover'] },
  [paths.bookmarks]: buildAppPage('bookmarks', 'library', 'player'),
  [paths.library]: buildAppPage('library', 'library'),
  '/articles': buildAppPage('articles', 'articles'),
  '/playlist': buildAppPage('playlist', 'library'),
  [paths.visualBook]: buildAppPage('visual-book', 'articles'),
  [paths.terms]: buildAppPage('terms', 'auth', 'operators'),
  [paths.settings]: {
    modules: ['layouts/main-layout.tsx', 'pages/settings/settings-layout.tsx', 'pages/settings/profile.tsx'],
    namespaces: ['auth', 'settings'],
  },
};
