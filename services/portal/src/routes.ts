import { api } from '@escucho/contracts';
import { type createRouter, negotiateLanguage } from '@escucho/service-kit';
import type { AccountDataService } from './account-data/service.ts';
import type { AccountService } from './accounts/service.ts';
import { getBearerToken } from './accounts/tokens.ts';
import { type CurrentUser, toSignInResponse } from './accounts/user.ts';
import type { BookmarkService } from './bookmarks/service.ts';
import type { CatalogueService } from './catalogue/service.ts';
import type { ProgressService } from './listening/progress-service.ts';
import type { ListeningService } from './listening/service.ts';
import type { NotificationService } from './notifications/service.ts';
import type { OperatorService } from './operators/service.ts';
import type { PlaylistService } from './playlists/service.ts';
import type { SearchService } from './search/service.ts';
import type { SecurityEventService } from './security-events/service.ts';
import type { SubscriptionService } from './subscriptions/service.ts';
import type { VisitorService } from './visitors/service.ts';

/** The services that the endpoints call. */
interface PortalServices {
  accounts: AccountService;
  operators: OperatorService;
  accountData: AccountDataService;
  securityEvents: SecurityEventService;
  subscriptions: SubscriptionService;
  catalogue: CatalogueService;
  search: SearchService;
  visitors: VisitorService;
  playlists: PlaylistService;
  progress: ProgressService;
  listening: ListeningService;
  bookmarks: BookmarkService;
  notifications: NotificationService;
}

/** Registers an endpoint whose handler receives the signed-in user. */
type Route = ReturnType<typeof createRouter<CurrentUser>>;

/** Registers the endpoints of the API (API-01), each with the operation that it calls. */
export function registerRoutes(route: Route, services: PortalServices): void {
  const {
    accounts,
    operators,
    accountData,
    securityEvents,
    subscriptions,
    catalogue,
    search,
    visitors,
    playlists,
    progress,
    listening,
    bookmarks,
    notifications,
  } = services;
  route(api.auth.signInCognito).handle(async ({ user, body }) =>
    toSignInResponse(await accounts.signIn(user, body.idToken)),
  );
  route(api.operators.signInThirdParties).handle(({ body }) => operators.signIn(body));
  route(api.operators.deleteAccountByLink).handle(async ({ body }) => {
    await operators.deleteAccount(body);
    return {};
  });
  route(api.auth.signOut).handle(async ({ user }) => {
    await accounts.signOut(user);
    return {};
  });
  route(api.auth.me).handle(({ user }) => toSignInResponse(user));
  route(api.settings.findSettings).handle(({ user }) => accounts.findSettings(user));
  route(api.settings.changeSettings).handle(({ user, body }) => accounts.changeSettings(user, body));

  route(api.account.exportAccount).handle(({ user, request }) =>
    accountData.exportData(user, getBearerToken(request.headers.authorization)),
  );
  route(api.account.deleteAccount).handle(async ({ user, request }) => {
    await accountData.deleteAccount(user, getBearerToken(request.headers.authorization));
    return {};
  });

  route(api.securityEvents.findSecurityEvents).handle(({ user, query }) =>
    securityEvents.findEvents(user, query),
  );

  route(api.subscription.findSubscription).handle(({ user }) => subscriptions.find(user));
  route(api.subscription.cancelSubscription).handle(({ user }) => subscriptions.cancel(user));
  route(api.subscription.resumeSubscription).handle(({ user }) => subscriptions.resume(user));
  route(api.subscription.changePlan).handle(({ user, body }) => subscriptions.changePlan(user, body.product));
  route(api.subscription.payRenewal).handle(({ user }) => subscriptions.payRenewal(user));
  route(api.subscription.createCardSetup).handle(({ user }) => subscriptions.createCardSetup(user));
  route(api.subscription.replaceCard).handle(({ user, body }) => subscriptions.replaceCard(user, body.setup));
  route(api.subscription.createPurchaseToken).handle(({ user }) => subscriptions.createPurchaseToken(user));
  route(api.subscription.findReceipts).handle(({ user }) => subscriptions.findReceipts(user));

  route(api.catalogue.discover).handle(({ user }) => catalogue.discover(user));
  route(api.articles.findArticle).handle(({ params }) => catalogue.findArticle(params.id));
  route(api.articles.readArticle).handle(({ user, params }) => catalogue.readArticle(user, params.id));
  route(api.articles.findArticles).handle(({ user, query }) => catalogue.findArticles(user, query));
  route(api.articles.browse).handle(({ query }) => catalogue.browse(query.language));

  // A search is aborted when its connection is closed.
  route(api.search.search).handle(({ user, query, request }) =>
    search.search(user, query, () => request.raw.socket.destroyed),
  );

  route(api.visitors.findShowcase).handle(({ query }) => visitors.findShowcase(query.language));
  route(api.visitors.findPreview).handle(({ params }) => visitors.findPreview(params.id));

  route(api.playlists.findPlaylist).handle(({ user, params }) => playlists.find(user, params.id));
  route(api.playlists.findPlaylists).handle(({ user, query: { filter, sorter, ...paging } }) => {
    const name = filter?.name;
    return playlists.findPage(user, {
      ...paging,
      origin: filter?.origin,
      notName: name && '$ne' in name ? name.$ne : undefined,
      nameContains: name && '$regex' in name ? name.$regex : undefined,
      oldestFirst: sorter?._created_at === 1,
    });
  });
  route(api.playlists.findPlaylistContent).handle(({ user, params, query }) =>
    playlists.findContent(user, params.id, query),
  );
  route(api.playlists.createPlaylist).handle(({ user, body }) =>
    playlists.create(user, {
      name: body.name,
      active: body.active ?? true,
      added: body['articles.added'] ?? [],
    }),
  );
  route(api.playlists.changePlaylist).handle(async ({ user, body }) => {
    await playlists.change(user, body._id, {
      name: body.name,
      active: body.active,
      added: body['articles.added'],
      removed: body['articles.removed'],
      moved: body['articles.moved'],
    });
    return playlists.find(user, body._id);
  });
  route(api.playlists.deletePlaylist).handle(({ user, params }) => playlists.remove(user, params.id));
  route(api.playlists.restorePlaylist).handle(({ user, params }) => playlists.restore(user, params.id));
  route(api.favourites.addFavourite).handle(({ user, params }) => playlists.addFavourite(user, params.id));
  route(api.favourites.removeFavourite).handle(({ user, params }) =>
    playlists.removeFavourite(user, params.id),
  );

  route(api.listening.saveProgress).handle(({ user, body }) => progress.saveProgress(user, body));
  route(api.listening.findContinueListening).handle(({ user, query }) =>
    listening.findContinueListening(user, query),
  );
  route(api.listening.removeContinueListening).handle(({ user, params }) =>
    listening.removeContinueListening(user, params.id),
  );
  route(api.listening.grantAudio).handle(({ user, params, query }) =>
    listening.grantAudio(user, params.id, query.playlist),
  );
  route(api.history.findHistory).handle(({ user, query }) => listening.findHistory(user, query));
  route(api.history.clearHistory).handle(({ user }) => listening.clearHistory(user));
  route(api.history.removeFromHistory).handle(({ user, params }) =>
    listening.removeFromHistory(user, params.id),
  );
  route(api.history.restoreToHistory).handle(({ user, params }) =>
    listening.restoreToHistory(user, params.id),
  );
  route(api.history.findStatistics).handle(({ user, query }) =>
    listening.findStatistics(user, query.timeZone),
  );

  route(api.bookmarks.findBookmarks).handle(({ user, query }) => bookmarks.find(user, query.track));
  route(api.bookmarks.findAllBookmarks).handle(({ user, query }) => bookmarks.findPage(user, query));
  route(api.bookmarks.saveBookmark).handle(({ user, params, body }) => bookmarks.save(user, params.id, body));
  route(api.bookmarks.deleteBookmark).handle(({ user, params }) => bookmarks.remove(user, params.id));

  route(api.notifications.findNotifications).handle(({ query: { sorter, ...pagination }, request }) => {
    const isAscending = sorter?.createdAt === 1 || sorter?.createdAt === 'asc';
    const language = negotiateLanguage(request.headers['accept-language']);
    return notifications.findPage(pagination, isAscending ? 'asc' : 'desc', language);
  });
  route(api.notifications.streamNotifications).stream(({ user, request }) =>
    notifications.stream(user, negotiateLanguage(request.headers['accept-language'])),
  );
}
