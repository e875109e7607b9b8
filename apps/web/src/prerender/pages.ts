import { buildPath, type Endpoint } from '@escucho/contracts';
import { articleRequest } from '../features/articles/queries.ts';
import { bookRequest, booksRequest } from '../features/books/queries.ts';
import { discoverRequest } from '../features/catalogue/queries.ts';
import { allBookmarksRequest } from '../features/player/queries.ts';
import {
  contentRequest,
  favouritesRequest,
  playlistRequest,
  playlistsRequest,
} from '../features/playlists/queries.ts';
import { settingsRequest } from '../features/profile/queries.ts';
import { managementRequest } from '../features/subscription/queries.ts';
import { API_BASE } from '../shared/api/client.ts';
import type { MessageKey, Namespace } from '../shared/i18n/i18n.ts';
import { PATH_ARGUMENT, paths } from '../shared/paths.ts';

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

/** Stands for every address without a page. */
const NOT_FOUND_PATH = '/not-found';

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
    path: paths.authExternal,
    title: 'operator.title',
    description: 'operator.title',
    isIndexed: false,
    modules: ['app/layouts/auth-layout.tsx', 'app/pages/auth/operator-link.tsx'],
    namespaces: ['operators'],
  },
  {
    path: NOT_FOUND_PATH,
    title: 'pages.notFoundTitle',
    description: 'pages.notFoundText',
    isIndexed: false,
    modules: ['app/pages/not-found.tsx'],
    namespaces: ['auth'],
  },
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

/** A request to the own API: the endpoint, and what goes into its URL. */
type ApiRequest = readonly [Endpoint, Parameters<typeof buildPath>[1]];

interface AppPage extends PageCode {
  /** A path of the page, which its skeleton is rendered for. */
  example: string;
  /**
   * Returns what the page requests first, of which the same functions are used by its queries.
   *
   * @param argument what follows the beginning of the path
   */
  requests: (argument: string) => readonly ApiRequest[];
}

const noRequests = () => [];

const buildAppPage = (
  example: string,
  modules: readonly string[],
  namespaces: readonly Namespace[],
  requests: AppPage['requests'] = noRequests,
): AppPage => ({ example, modules: ['app/layouts/main-layout.tsx', ...modules], namespaces, requests });

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
 * and the boot script preloads what they load.
 */
export const appPages: Readonly<Record<string, AppPage>> = {
  [paths.discover]: buildAppPage(paths.discover, ['app/pages/discover.tsx'], [], () => [discoverRequest()]),
  [paths.bookmarks]: buildAppPage(paths.bookmarks, ['app/pages/bookmarks.tsx'], ['library', 'player'], () => [
    allBookmarksRequest(),
  ]),
  [paths.library]: buildAppPage(paths.library, ['app/pages/library.tsx'], ['library'], () => [
    playlistsRequest(),
    favouritesRequest(),
    discoverRequest(),
  ]),
  // Their requests depend on the language that the user learns.
  [`${paths.search}/`]: buildAppPage(`${paths.search}/x`, articleModules('search-results'), ['articles']),
  [paths.search]: buildAppPage(paths.search, articleModules('browse'), ['articles']),
  [paths.article('')]: buildAppPage(
    paths.article('x'),
    articleModules('article-view'),
    ['articles'],
    (id) => [articleRequest(id)],
  ),
  // Their requests depend on the filter, of which there are many.
  [paths.articles('')]: buildAppPage(paths.articles('latest'), articleModules('filtered-list'), ['articles']),
  [paths.playlist('')]: buildAppPage(paths.playlist('x'), ['app/pages/playlist.tsx'], ['library'], (id) => [
    playlistRequest(id),
    contentRequest(id),
  ]),
  [paths.book('')]: buildAppPage(
    paths.book('x'),
    ['app/pages/visual-book.tsx', 'features/books/components/book-view.tsx'],
    ['articles'],
    (id) => [bookRequest(id)],
  ),
  [paths.visualBook]: buildAppPage(paths.visualBook, ['app/pages/visual-book.tsx'], ['articles'], () => [
    booksRequest(),
  ]),
  [paths.terms]: buildAppPage(paths.terms, ['app/pages/terms.tsx'], ['auth', 'operators']),
  // Its requests go to the identity provider.
  [paths.settingsSecurity]: buildAppPage(paths.settingsSecurity, settingsModules('security'), [
    'auth',
    'settings',
    'security',
  ]),
  [paths.settingsSubscription]: buildAppPage(
    paths.settingsSubscription,
    settingsModules('subscription'),
    ['auth', 'subscription'],
    () => [managementRequest()],
  ),
  [paths.settings]: buildAppPage(
    paths.settingsProfile,
    settingsModules('profile'),
    ['auth', 'settings'],
    () => [settingsRequest()],
  ),
};

/** Returns the URLs of what a page requests first. */
export const getCalls = ({ requests }: AppPage, argument = PATH_ARGUMENT): string[] =>
  requests(argument).map(([endpoint, input]) => API_BASE + buildPath(endpoint, input));
