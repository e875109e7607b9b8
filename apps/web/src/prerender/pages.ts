import { buildPath, contentLanguage, type Endpoint } from '@escucho/contracts';
import type { LanguageFilter } from '../boot/boot.ts';
import type { SearchFilters } from '../features/articles/model/filters.ts';
import {
  articleRequest,
  booksRequest,
  browseRequest,
  facetsRequest,
  firstPageRequest,
  searchRequest,
} from '../features/articles/queries.ts';
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

const buildPublicPage = (
  path: string,
  module: string,
  namespace: Namespace,
  title: MessageKey,
  description: MessageKey,
  isIndexed = false,
): PublicPage => ({
  path,
  title,
  description,
  isIndexed,
  modules: [`app/pages/${module}.tsx`],
  namespaces: [namespace],
});

const buildAuthPage = (
  path: string,
  module: string,
  name: 'signIn' | 'signUp' | 'confirm' | 'forgot' | 'reset',
  isIndexed = false,
): PublicPage => ({
  path,
  title: `session.${name}Title`,
  description: `session.${name}Text`,
  isIndexed,
  modules: ['app/layouts/auth-layout.tsx', `app/pages/auth/${module}.tsx`],
  namespaces: ['auth'],
});

/** Stands for every address without a page. */
const NOT_FOUND_PATH = '/not-found';

/** The pages that need no account. They are rendered at build time in every language, and hydrated. */
export const publicPages: readonly PublicPage[] = [
  buildPublicPage(paths.welcome, 'welcome', 'welcome', 'welcome.metaTitle', 'welcome.lead', true),
  buildAuthPage(paths.signIn, 'sign-in', 'signIn', true),
  buildAuthPage(paths.signUp, 'sign-up', 'signUp', true),
  buildAuthPage(paths.confirmAccount, 'codes', 'confirm'),
  buildAuthPage(paths.forgotPassword, 'codes', 'forgot'),
  buildAuthPage(paths.resetPassword, 'codes', 'reset'),
  {
    path: paths.authExternal,
    title: 'operator.title',
    description: 'operator.title',
    isIndexed: false,
    modules: ['app/layouts/auth-layout.tsx', 'app/pages/auth/operator-link.tsx'],
    namespaces: ['auth', 'operators'],
  },
  buildPublicPage(NOT_FOUND_PATH, 'not-found', 'auth', 'pages.notFoundTitle', 'pages.notFoundText'),
  buildPublicPage(paths.termsOfUse, 'legal', 'legal', 'shell.termsOfUse', 'legal.lead', true),
  buildPublicPage(paths.privacy, 'legal', 'legal', 'shell.privacy', 'legal.privacyLead', true),
];

/** A request to the own API: the endpoint, and what goes into its URL. */
type ApiRequest = readonly [Endpoint, Parameters<typeof buildPath>[1]];

/** A language of the content; undefined for all. */
type RequestLanguage = SearchFilters['language'];

interface AppPage extends PageCode {
  /** A path of the page, which its skeleton is rendered for. */
  example: string;
  /** The beginning of the paths of the page whose skeleton and code this one has. */
  variantOf?: string;
  /**
   * Returns what the page requests first, of which the same functions are used by its queries.
   *
   * @param argument what follows the beginning of the path
   * @param language what the requests are filtered by, where the page has a `languageFilter`
   */
  requests: (argument: string, language?: RequestLanguage) => readonly ApiRequest[];
  /** Set where the page filters by language; with another filter in its address, it requests something else. */
  languageFilter?: LanguageFilter;
}

const noRequests = () => [];

const buildAppPage = (
  example: string,
  modules: readonly string[],
  namespaces: readonly Namespace[],
  requests: AppPage['requests'] = noRequests,
): AppPage => ({ example, modules: ['app/layouts/main-layout.tsx', ...modules], namespaces, requests });

const buildArticlesPage = (example: string, component: string, requests: AppPage['requests']): AppPage =>
  buildAppPage(
    example,
    ['app/pages/articles.tsx', `features/articles/components/${component}.tsx`],
    ['articles'],
    requests,
  );

/**
 * Builds the page of a list of the catalogue. The lists share what the document has of them, since its size delays the first
 * paint of every page.
 *
 * @param getFilter returns its filter by what follows the beginning of the path
 * @param hasFacets whether it shows how many articles further filters would leave
 */
const buildListPage = (
  example: string,
  getFilter: (argument: string) => object,
  hasFacets = true,
): AppPage => ({
  ...buildArticlesPage(example, 'filtered-list', (argument, language) => {
    const filter = getFilter(argument);
    const facets = facetsRequest({ ...filter, language });
    return [firstPageRequest(filter, language), ...(hasFacets ? [facets] : [])];
  }),
  languageFilter: 'address',
  variantOf: paths.articles(''),
});

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
  [paths.articles('search', '')]: {
    // A blank term, since the skeleton has it in its search box.
    ...buildArticlesPage(paths.articles('search', ' '), 'search-results', (term, language) => [
      searchRequest(term, { language }),
    ]),
    languageFilter: 'learning',
  },
  [paths.search]: {
    ...buildArticlesPage(paths.search, 'browse', (_, language) => [browseRequest(language)]),
    languageFilter: 'learning',
  },
  [paths.article('')]: buildArticlesPage(paths.article('x'), 'article-view', (id) => [articleRequest(id)]),
  [paths.articles('latest')]: buildListPage(paths.articles('latest'), () => ({})),
  [paths.articles('audiobooks')]: buildListPage(paths.articles('audiobooks'), () => ({ kind: 'audiobook' })),
  [paths.articles('topic', '')]: buildListPage(paths.articles('topic', 'x'), (topic) => ({ topic })),
  [paths.articles('level', '')]: buildListPage(paths.articles('level', 'A1'), (level) => ({ level })),
  [paths.articles('narrator', '')]: buildListPage(
    paths.articles('narrator', 'x'),
    (narrator) => ({ narrator }),
    false,
  ),
  [paths.articles('')]: buildArticlesPage(paths.articles('latest'), 'filtered-list', noRequests),
  [paths.playlist('')]: buildAppPage(paths.playlist('x'), ['app/pages/playlist.tsx'], ['library'], (id) => [
    playlistRequest(id),
    contentRequest(id),
  ]),
  [paths.book('')]: buildAppPage(
    paths.book('x'),
    ['app/pages/visual-book.tsx', 'features/articles/components/book-view.tsx'],
    ['articles'],
    (id) => [articleRequest(id)],
  ),
  [paths.visualBook]: buildAppPage(paths.visualBook, ['app/pages/visual-book.tsx'], ['articles'], () => [
    booksRequest(),
  ]),
  [paths.terms]: buildAppPage(paths.terms, ['app/pages/legal.tsx'], ['auth', 'operators']),
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
export const getCalls = (
  { requests }: AppPage,
  argument = PATH_ARGUMENT,
  language?: RequestLanguage,
): string[] => requests(argument, language).map(([endpoint, input]) => API_BASE + buildPath(endpoint, input));

/** Returns the URLs of what a page requests first: for all languages, and for each that it filters by. */
export const describeCalls = (page: AppPage) => ({
  calls: getCalls(page),
  ...(page.languageFilter && {
    languageFilter: page.languageFilter,
    callsByLanguage: Object.fromEntries(
      contentLanguage.options.map((language) => [language, getCalls(page, PATH_ARGUMENT, language)]),
    ),
  }),
});
