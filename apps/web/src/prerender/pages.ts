import type { MessageKey, Namespace } from '../shared/i18n/i18n.ts';
import { paths } from '../shared/paths.ts';

/** What a page loads: its source files below `src`, and its messages beside `app`. */
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
  modules: ['app/layouts/auth-layout.tsx', `app/pages/auth/${module}.tsx`],
  namespaces: ['auth'],
});

/** The pages that need no account. They are rendered at build time in every language, and hydrated. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.welcome,
    title: 'welcome.metaTitle',
    description: 'welcome.lead',
    isIndexed: true,
    modules: ['app/pages/welcome.tsx'],
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
    modules: ['app/pages/legal.tsx'],
    namespaces: ['legal'],
  },
  {
    path: paths.privacy,
    title: 'shell.privacy',
    description: 'legal.privacyLead',
    isIndexed: true,
    modules: ['app/pages/legal.tsx'],
    namespaces: ['legal'],
  },
];

interface AppPage extends PageCode {
  /** A path of the page, which its skeleton is rendered for. */
  example?: string;
  /** Endpoints of the own API that it requests first. */
  calls?: readonly string[];
}

const buildAppPage = (example: string, modules: readonly string[], ...namespaces: Namespace[]): AppPage => ({
  example,
  modules: ['app/layouts/main-layout.tsx', ...modules],
  namespaces,
});

const articleModules = (name: string) => [
  'app/pages/articles.tsx',
  `features/articles/components/${name}.tsx`,
];
const settingsModules = (name: string) => [
  'app/pages/settings/settings-layout.tsx',
  `app/pages/settings/${name}.tsx`,
];

/**
 * The pages that index.html is sent for, by the beginning of their paths, the longer ones first. It has their skeletons,
 * and the boot script preloads what they load. Sign-in is among them because the service worker answers with index.html.
 */
export const appPages: Readonly<Record<string, AppPage>> = {
  [`${paths.auth}/`]: {
    modules: ['app/layouts/auth-layout.tsx', 'app/pages/auth/sign-in.tsx'],
    namespaces: ['auth'],
  },
  [paths.discover]: {
    ...buildAppPage(paths.discover, ['app/pages/discover.tsx']),
    calls: ['/api/catalogue/discover'],
  },
  [paths.bookmarks]: buildAppPage(paths.bookmarks, ['app/pages/bookmarks.tsx'], 'library', 'player'),
  [paths.library]: buildAppPage(paths.library, ['app/pages/library.tsx'], 'library'),
  [`${paths.search}/`]: buildAppPage(`${paths.search}/x`, articleModules('search-results'), 'articles'),
  [paths.search]: buildAppPage(paths.search, articleModules('browse'), 'articles'),
  [paths.article('')]: buildAppPage(paths.article('x'), articleModules('article-view'), 'articles'),
  [paths.articles('')]: buildAppPage(paths.articles('latest'), articleModules('filtered-list'), 'articles'),
  [paths.playlist('')]: buildAppPage(paths.playlist('x'), ['app/pages/playlist.tsx'], 'library'),
  [paths.book('')]: buildAppPage(
    paths.book('x'),
    ['app/pages/visual-book.tsx', 'features/books/components/book-view.tsx'],
    'articles',
  ),
  [paths.visualBook]: buildAppPage(paths.visualBook, ['app/pages/visual-book.tsx'], 'articles'),
  [paths.terms]: buildAppPage(paths.terms, ['app/pages/terms.tsx'], 'auth', 'operators'),
  [paths.settingsSecurity]: buildAppPage(
    paths.settingsSecurity,
    settingsModules('security'),
    'auth',
    'settings',
    'security',
  ),
  [paths.settingsSubscription]: buildAppPage(
    paths.settingsSubscription,
    settingsModules('subscription'),
    'auth',
    'subscription',
  ),
  [paths.settings]: buildAppPage(paths.settingsProfile, settingsModules('profile'), 'auth', 'settings'),
};
