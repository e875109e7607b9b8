import type { Connection } from '@escucho/database';
import { createRouter, keepGoing, type Language, registerFormParser } from '@escucho/service-kit';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { accountRepository } from './accounts/repository.ts';
import { accountRoutes } from './accounts/routes.ts';
import { accountService, type Reader } from './accounts/service.ts';
import { bookmarkRepository } from './bookmarks/repository.ts';
import { bookmarkRoutes } from './bookmarks/routes.ts';
import { bookmarkService } from './bookmarks/service.ts';
import { listRepository } from './catalogue/list-repository.ts';
import { catalogueRepository } from './catalogue/repository.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { catalogueService } from './catalogue/service.ts';
import { type Database, open } from './database.ts';
import { favouriteRepository } from './favourites/repository.ts';
import { favouriteRoutes } from './favourites/routes.ts';
import { favouriteService } from './favourites/service.ts';
import { historyRepository } from './history/repository.ts';
import { historyRoutes } from './history/routes.ts';
import { historyService } from './history/service.ts';
import { listeningRepository } from './listening/repository.ts';
import { listeningRoutes } from './listening/routes.ts';
import { listeningService } from './listening/service.ts';
import { createLinks, type LinkOptions } from './media/links.ts';
import { announcements } from './notifications/announcements.ts';
import { toNotification } from './notifications/presenter.ts';
import { notificationRepository } from './notifications/repository.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { notificationService } from './notifications/service.ts';
import { eventStreams, type StreamLimits, streamLimits } from './notifications/streams.ts';
import { type OperatorOptions, registerOperators } from './operators/operators.ts';
import { playlistChangeRepository } from './playlists/change-repository.ts';
import { playlistRepository } from './playlists/repository.ts';
import { playlistRoutes } from './playlists/routes.ts';
import { playlistService } from './playlists/service.ts';
import { readerTokens } from './reader-tokens.ts';
import { erasureRepository } from './records/erasure-repository.ts';
import { createErasures } from './records/erasures.ts';
import { cognitoProvider, type ProviderOptions } from './records/provider.ts';
import { recordRepository } from './records/repository.ts';
import { recordRoutes } from './records/routes.ts';
import { recordService } from './records/service.ts';
import { searchConnections, searchRepository } from './search/repository.ts';
import { searchRoutes } from './search/routes.ts';
import { searchService } from './search/service.ts';
import { settingsRepository } from './settings/repository.ts';
import { settingsRoutes } from './settings/routes.ts';
import { settingsService } from './settings/service.ts';
import { type BillingOptions, billingClient } from './subscriptions/billing.ts';
import { registerEvents } from './subscriptions/events.ts';
import { subscriptionRepository } from './subscriptions/repository.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { subscriptionService } from './subscriptions/service.ts';
import { bearerOf, type TokenOptions, tokenChecker } from './tokens.ts';

const SEARCHES_KEPT_FOR = 5000;

export interface PortalOptions {
  connection: Connection;
  tokens: TokenOptions;
  media: LinkOptions;
  /** The identity provider, which is told when an account is erased. */
  provider: ProviderOptions;
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
  const notifications = notificationRepository(db);
  const streams = eventStreams<Language>(limits ?? streamLimits);
  const heard = announcements({
    ...{ connection, notifications, log: app.log },
    onNew: (row) => streams.send('notification', row.id, (language) => toNotification(row, language)),
  });
  app.addHook('preClose', async () => {
    streams.close();
    await heard.close();
  });
  return notificationService({ notifications, announcements: heard, streams });
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
  const db = open(connection, { name: 'portal', log: app.log });
  app.addHook('onClose', () => db.destroy());

  // What a reader is told is nobody else's, and its signed addresses end.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'private, no-cache');
  });

  const links = createLinks({ ...media, clock });
  const catalogue = catalogueRepository(db);
  const playlists = playlistRepository(db);
  const ownTokens = readerTokens(options.operators.tokenSecret, clock);
  const accountRows = accountRepository(db);
  const subscriptions = subscriptionService({
    subscriptions: subscriptionRepository(db),
    accounts: accountRows,
    billing: options.billing && billingClient(options.billing),
    report: (detail, message) => app.log.warn(detail, message),
    clock,
  });
  const accounts = accountService({
    accounts: accountRows,
    subscriptions,
    tokens: tokenChecker(tokens, ownTokens, clock),
    operators: await registerOperators(app, db, { ...options.operators, tokens: ownTokens, clock }),
    clock,
  });
  const playlisting = playlistService({
    playlists,
    changes: playlistChangeRepository(db),
    links,
    clock,
  });
  const listening = listeningService({
    listening: listeningRepository(db),
    playlists,
    catalogue,
    links,
    clock,
  });

  registerFormParser(app);
  const route = createRouter<Reader>(app, {
    authenticate: (request) => accounts.authenticate(bearerOf(request.headers.authorization)),
  });
  accountRoutes(route, accounts);
  subscriptionRoutes(route, subscriptions);
  const { eventSecret: secret } = options.billing ?? {};
  if (secret) await app.register(async (events) => registerEvents(events, { secret, subscriptions, clock }));
  const lists = listRepository(db);
  catalogueRoutes(route, catalogueService({ catalogue, lists, playlists: playlisting, listening, links }));
  const searched = open(connection, { ...searchConnections, log: app.log });
  app.addHook('onClose', () => searched.destroy());
  const search = searchRepository(searched, db);
  searchRoutes(
    route,
    searchService({ search, links, clock, keptFor: options.searchesKeptFor ?? SEARCHES_KEPT_FOR }),
  );
  playlistRoutes(route, playlisting);
  favouriteRoutes(
    route,
    favouriteService({ favourites: favouriteRepository(db), playlists: playlisting, catalogue, clock }),
  );
  listeningRoutes(route, listening);
  historyRoutes(route, historyService({ history: historyRepository(db), listening, clock }));
  bookmarkRoutes(route, bookmarkService({ bookmarks: bookmarkRepository(db), catalogue, clock }));
  settingsRoutes(route, settingsService({ settings: settingsRepository(db), clock }));
  const provider = cognitoProvider(options.provider);
  const erasures = keptErasures(app, db, { provider, subscriptions, clock });
  recordRoutes(
    route,
    recordService({
      records: recordRepository(db),
      provider,
      erasures,
      clock,
    }),
  );
  notificationRoutes(route, liveNotifications(app, db, options));
};
