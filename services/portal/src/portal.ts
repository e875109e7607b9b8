import type { Connection } from '@escucho/database';
import {
  type JobConnections,
  type JobHandler,
  type JobWorker,
  type JobWorkerOptions,
  startJobWorker,
} from '@escucho/jobs';
import { createRouter, registerFormParser, registerRateLimits } from '@escucho/service-kit';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createCognitoProvider, type IdentityProviderOptions } from './account-data/identity-provider.ts';
import { createAccountDataRepository, jobQueue } from './account-data/repository.ts';
import {
  auditRetentionSchedule,
  createAccountDataService,
  handleAccountDeletion,
  handleAuditRetention,
  registerAccountData,
} from './account-data/service.ts';
import { createAccountRepository } from './accounts/repository.ts';
import { createAccountService, registerAccounts } from './accounts/service.ts';
import {
  createOperatorTokens,
  createTokenVerifier,
  getAccessToken,
  type TokenOptions,
} from './accounts/tokens.ts';
import type { CurrentUser } from './accounts/user.ts';
import { createBookmarkRepository } from './bookmarks/repository.ts';
import { createBookmarkService, registerBookmarks } from './bookmarks/service.ts';
import { createReplicaReads } from './catalogue/reads.ts';
import { createCatalogueRepository } from './catalogue/repository.ts';
import { createCatalogueService, registerCatalogue } from './catalogue/service.ts';
import { createSharedResponses } from './catalogue/shared-responses.ts';
import { openPortalDatabase, schema } from './database.ts';
import type { ContentDeps } from './deps.ts';
import { createProgressService, registerProgress } from './listening/progress-service.ts';
import { createListeningRepository } from './listening/repository.ts';
import { createListeningService, registerListening } from './listening/service.ts';
import { createAccessService } from './media/access-service.ts';
import { createLinks, type LinkOptions } from './media/links.ts';
import { createNotificationRepository } from './notifications/repository.ts';
import { createNotificationService, registerNotifications } from './notifications/service.ts';
import type { StreamLimits } from './notifications/streams.ts';
import { createOperatorRepository } from './operators/repository.ts';
import { createOperatorService, type OperatorOptions, registerOperators } from './operators/service.ts';
import { createPlaylistChangeRepository } from './playlists/change-repository.ts';
import { createPlaylistRepository } from './playlists/repository.ts';
import { createPlaylistService, registerPlaylists } from './playlists/service.ts';
import { searchConnections } from './search/repository.ts';
import { createSearchService, registerSearch } from './search/service.ts';
import { type BillingOptions, createBillingClient } from './subscriptions/billing-client.ts';
import { createSubscriptionRepository } from './subscriptions/repository.ts';
import { createSubscriptionService, registerSubscriptions } from './subscriptions/service.ts';
import { registerBillingWebhook } from './subscriptions/webhook.ts';
import { createVisitorService, registerVisitors } from './visitors/service.ts';

/** Handlers of jobs, and when they are enqueued. */
export type InstallationJobs = Required<Pick<JobWorkerOptions, 'handlers' | 'schedule'>>;

interface PortalOptions {
  connection: Connection;
  tokens: TokenOptions;
  media: LinkOptions;
  provider: IdentityProviderOptions;
  operators: OperatorOptions;
  /** Undefined when nothing is for sale. */
  billing?: BillingOptions;
  /** Whether subscriptions that were bought without real money count: in demo mode, and with test keys. */
  acceptsSandbox: boolean;
  /** With them, this process performs background jobs. */
  jobs?: JobConnections | undefined;
  /** Jobs of the installation that are performed with those of the portal. */
  installationJobs?: InstallationJobs;
  clock?: () => Date;
  /** Days after which audit events are deleted. */
  auditRetentionDays: number;
  /** Limits the streams of notifications. */
  streams?: StreamLimits;
}

/** Performs background jobs from the time the app is ready until it starts to close. */
function runJobs(app: FastifyInstance, options: PortalOptions, handlers: JobHandler[]) {
  const { jobs, installationJobs } = options;
  if (!jobs) return;
  let worker: JobWorker | undefined;
  app.addHook('onReady', async () => {
    worker = await startJobWorker({
      queue: jobQueue,
      connections: jobs,
      handlers: [...handlers, ...(installationJobs?.handlers ?? [])],
      schedule: [auditRetentionSchedule, ...(installationJobs?.schedule ?? [])],
      concurrency: 2,
      log: app.log,
      registry: app.metricsRegistry,
    });
  });
  app.addHook('preClose', async () => worker?.stop());
}

/** The portal's API (API-01). The schema must have been migrated; the connection pools are closed with the app. */
export const portal: FastifyPluginAsync<PortalOptions> = async (app, options) => {
  const { connection, media, clock = () => new Date() } = options;
  const db = openPortalDatabase(connection, { name: 'portal', log: app.log });
  const searchDb = openPortalDatabase(connection, { ...searchConnections, log: app.log });
  const replicaReads = createReplicaReads({ connection, registry: app.metricsRegistry, log: app.log, clock });
  app.addHook('onClose', async () => {
    await Promise.all([db.destroy(), searchDb.destroy(), replicaReads.close()]);
  });

  registerRateLimits(app, { connection, schema, secret: media.secret });

  // Unless their endpoints say otherwise, responses are personal, and the signed URLs in them expire. Those to POST may have
  // tokens.
  app.addHook('onSend', ({ method }, reply, payload, done) => {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!reply.hasHeader('cache-control'))
      reply.header('cache-control', isRead ? 'private, no-cache' : 'no-store');
    done(null, payload);
  });

  const links = createLinks({ ...media, clock });
  const catalogue = createCatalogueRepository(db);
  const playlists = createPlaylistRepository(db);
  const operatorTokens = createOperatorTokens(options.operators.tokenSecret, clock);
  const accountRepository = createAccountRepository(db);
  const subscriptions = createSubscriptionService({
    subscriptions: createSubscriptionRepository(db),
    accounts: accountRepository,
    billing: options.billing && createBillingClient(options.billing),
    acceptsSandbox: options.acceptsSandbox,
    log: app.log,
    clock,
  });
  const accountData = createAccountDataRepository(db);
  const operators = createOperatorService({
    ...options.operators,
    users: createOperatorRepository(db),
    accounts: accountRepository,
    tokens: operatorTokens,
    clock,
    log: app.log,
  });
  const notifications = createNotificationService({
    connection,
    notifications: createNotificationRepository(db),
    log: app.log,
    limits: options.streams,
  });
  app.addHook('preClose', async () => {
    await Promise.all([notifications.close(), operators.waitForChecks()]);
  });
  const accounts = createAccountService({
    accounts: accountRepository,
    subscriptions,
    tokens: createTokenVerifier(options.tokens, operatorTokens, clock),
    operators,
    clock,
  });
  const shared: ContentDeps = {
    catalogue,
    playlists,
    access: createAccessService({ playlists, catalogue }),
    findShared: createSharedResponses({ playlists, links, clock }),
    read: replicaReads.createReader(db, { name: 'portal' }),
    links,
    clock,
  };
  const listening = createListeningService({ ...shared, listening: createListeningRepository(db) });
  const provider = createCognitoProvider(options.provider);
  const accountDataDeps = { accountData, subscriptions, provider, clock };
  runJobs(app, options, [
    handleAccountDeletion(accountDataDeps),
    handleAuditRetention(db, options.auditRetentionDays),
  ]);

  registerFormParser(app);
  const route = createRouter<CurrentUser>(app, {
    authenticate: (request, endpoint) => accounts.authenticate(getAccessToken(request), endpoint),
  });
  registerAccounts(route, accounts);
  registerOperators(route, operators);
  registerAccountData(route, createAccountDataService(accountDataDeps));
  registerSubscriptions(route, subscriptions);
  registerCatalogue(route, createCatalogueService({ ...shared, listening }));
  const readSearch = replicaReads.createReader(searchDb, searchConnections);
  registerSearch(route, createSearchService({ ...shared, read: readSearch }));
  registerVisitors(route, createVisitorService(shared));
  registerPlaylists(route, createPlaylistService({ ...shared, changes: createPlaylistChangeRepository(db) }));
  registerProgress(route, createProgressService(db, clock));
  registerListening(route, listening);
  registerBookmarks(route, createBookmarkService({ ...shared, bookmarks: createBookmarkRepository(db) }));
  registerNotifications(route, notifications);
  const { eventSecret: secret } = options.billing ?? {};
  if (secret)
    await app.register(async (events) => registerBillingWebhook(events, { secret, subscriptions, clock }));
};
