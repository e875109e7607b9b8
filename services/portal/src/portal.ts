import type { Connection } from '@escucho/database';
import { createRouter, keepGoing, type Language, registerFormParser } from '@escucho/service-kit';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { erasureRepository } from './account-data/erasure-repository.ts';
import { createErasures } from './account-data/erasures.ts';
import { createCognitoProvider, type IdentityProviderOptions } from './account-data/identity-provider.ts';
import { createAccountDataRepository } from './account-data/repository.ts';
import { registerAccountDataRoutes } from './account-data/routes.ts';
import { createAccountDataService } from './account-data/service.ts';
import { createAccountRepository } from './accounts/repository.ts';
import { registerAccountRoutes } from './accounts/routes.ts';
import { type CurrentUser, createAccountService } from './accounts/service.ts';
import { createTokenVerifier, getBearerToken, type TokenOptions } from './accounts/tokens.ts';
import { createBookmarkRepository } from './bookmarks/repository.ts';
import { registerBookmarkRoutes } from './bookmarks/routes.ts';
import { createBookmarkService } from './bookmarks/service.ts';
import { listRepository } from './catalogue/list-repository.ts';
import { catalogueRepository } from './catalogue/repository.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { catalogueService } from './catalogue/service.ts';
import { type Database, openPortalDatabase } from './database.ts';
import { createFavouriteRepository } from './favourites/repository.ts';
import { registerFavouriteRoutes } from './favourites/routes.ts';
import { createFavouriteService } from './favourites/service.ts';
import { createHistoryRepository } from './history/repository.ts';
import { registerHistoryRoutes } from './history/routes.ts';
import { createHistoryService } from './history/service.ts';
import { createListeningRepository } from './listening/repository.ts';
import { registerListeningRoutes } from './listening/routes.ts';
import { createListeningService } from './listening/service.ts';
import { createLinks, type LinkOptions } from './media/links.ts';
import { createNotificationListener } from './notifications/listener.ts';
import { toNotification } from './notifications/presenter.ts';
import { createNotificationRepository } from './notifications/repository.ts';
import { registerNotificationRoutes } from './notifications/routes.ts';
import { createNotificationService } from './notifications/service.ts';
import { createEventStreams, STREAM_LIMITS, type StreamLimits } from './notifications/streams.ts';
import { type OperatorOptions, registerOperators } from './operators/operators.ts';
import { createOperatorTokens } from './operators/tokens.ts';
import { createPlaylistChangeRepository } from './playlists/change-repository.ts';
import { createPlaylistRepository } from './playlists/repository.ts';
import { registerPlaylistRoutes } from './playlists/routes.ts';
import { createPlaylistService } from './playlists/service.ts';
import { searchConnections, searchRepository } from './search/repository.ts';
import { searchRoutes } from './search/routes.ts';
import { searchService } from './search/service.ts';
import { createSettingsRepository } from './settings/repository.ts';
import { registerSettingsRoutes } from './settings/routes.ts';
import { createSettingsService } from './settings/service.ts';
import { type BillingOptions, createBillingClient } from './subscriptions/billing-client.ts';
import { createSubscriptionRepository } from './subscriptions/repository.ts';
import { registerSubscriptionRoutes } from './subscriptions/routes.ts';
import { createSubscriptionService } from './subscriptions/service.ts';
import { registerBillingWebhook } from './subscriptions/webhook.ts';

const SEARCHES_KEPT_FOR = 5000;

export interface PortalOptions {
  connection: Connection;
  tokens: TokenOptions;
  media: LinkOptions;
  /** The identity provider, which is told when an account is erased. */
  provider: IdentityProviderOptions;
  operators: OperatorOptions;
  /** Where subscriptions are sold; without it none are. */
  billing?: BillingOptions;
  clock?: () => Date;
  /** Milliseconds for which what a search found is given again to whoever asks the same. */
  searchesKeptFor?: number;
  /** How many may follow notifications as they come, and how long. */
  streams?: StreamLimits;
}

/** Notifications with their streams, which end when the app begins to close. */
function liveNotifications(
  app: FastifyInstance,
  db: Database,
  { connection, streams: limits }: PortalOptions,
) {
  const notifications = createNotificationRepository(db);
  const streams = createEventStreams<Language>(limits ?? STREAM_LIMITS);
  const heard = createNotificationListener({
    ...{ connection, notifications, log: app.log },
    onNew: (row) => streams.send('notification', row.id, (language) => toNotification(row, language)),
  });
  app.addHook('preClose', async () => {
    streams.close();
    await heard.close();
  });
  return createNotificationService({ notifications, announcements: heard, streams });
}

/** Those who left, who are forgotten elsewhere while the app runs. */
function keptErasures(
  app: FastifyInstance,
  db: Database,
  ports: Pick<Parameters<typeof createErasures>[0], 'provider' | 'subscriptions' | 'clock'>,
) {
  const erasures = createErasures({
    ...ports,
    erasures: erasureRepository(db),
    report: (detail, message) => app.log.warn(detail, message),
  });
  const stop = keepGoing(erasures.round, 1000, (error) =>
    app.log.warn({ reason: error.message }, 'erasing round failed'),
  );
  app.addHook('preClose', stop);
  return erasures;
}

/** The own API (API-01). The schema must have been migrated; the pool is closed with the app. */
export const portal: FastifyPluginAsync<PortalOptions> = async (app, options) => {
  const { connection, tokens, media, clock = () => new Date() } = options;
  const db = openPortalDatabase(connection, { name: 'portal', log: app.log });
  app.addHook('onClose', () => db.destroy());

  // What a reader is told is nobody else's, and its signed addresses end.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'private, no-cache');
  });

  const links = createLinks({ ...media, clock });
  const catalogue = catalogueRepository(db);
  const playlists = createPlaylistRepository(db);
  const ownTokens = createOperatorTokens(options.operators.tokenSecret, clock);
  const accountRows = createAccountRepository(db);
  const subscriptions = createSubscriptionService({
    subscriptions: createSubscriptionRepository(db),
    accounts: accountRows,
    billing: options.billing && createBillingClient(options.billing),
    report: (detail, message) => app.log.warn(detail, message),
    clock,
  });
  const accounts = createAccountService({
    accounts: accountRows,
    subscriptions,
    tokens: createTokenVerifier(tokens, ownTokens, clock),
    operators: await registerOperators(app, db, { ...options.operators, tokens: ownTokens, clock }),
    clock,
  });
  const playlisting = createPlaylistService({
    playlists,
    changes: createPlaylistChangeRepository(db),
    links,
    clock,
  });
  const listening = createListeningService({
    listening: createListeningRepository(db),
    playlists,
    catalogue,
    links,
    clock,
  });

  registerFormParser(app);
  const route = createRouter<CurrentUser>(app, {
    authenticate: (request) => accounts.authenticate(getBearerToken(request.headers.authorization)),
  });
  registerAccountRoutes(route, accounts);
  registerSubscriptionRoutes(route, subscriptions);
  const { eventSecret: secret } = options.billing ?? {};
  if (secret)
    await app.register(async (events) => registerBillingWebhook(events, { secret, subscriptions, clock }));
  const lists = listRepository(db);
  catalogueRoutes(route, catalogueService({ catalogue, lists, playlists: playlisting, listening, links }));
  const searched = openPortalDatabase(connection, { ...searchConnections, log: app.log });
  app.addHook('onClose', () => searched.destroy());
  const search = searchRepository(searched, db);
  searchRoutes(
    route,
    searchService({ search, links, clock, keptFor: options.searchesKeptFor ?? SEARCHES_KEPT_FOR }),
  );
  registerPlaylistRoutes(route, playlisting);
  registerFavouriteRoutes(
    route,
    createFavouriteService({
      favourites: createFavouriteRepository(db),
      playlists: playlisting,
      catalogue,
      clock,
    }),
  );
  registerListeningRoutes(route, listening);
  registerHistoryRoutes(
    route,
    createHistoryService({ history: createHistoryRepository(db), listening, clock }),
  );
  registerBookmarkRoutes(
    route,
    createBookmarkService({ bookmarks: createBookmarkRepository(db), catalogue, clock }),
  );
  registerSettingsRoutes(route, createSettingsService({ settings: createSettingsRepository(db), clock }));
  const provider = createCognitoProvider(options.provider);
  const erasures = keptErasures(app, db, { provider, subscriptions, clock });
  registerAccountDataRoutes(
    route,
    createAccountDataService({
      records: createAccountDataRepository(db),
      provider,
      erasures,
      clock,
    }),
  );
  registerNotificationRoutes(route, liveNotifications(app, db, options));
};
