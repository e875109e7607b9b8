import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import {
  buildPath,
  type Endpoint,
  type RequestInput,
  type ResponseBody,
  toFormBody,
} from '@escucho/contracts';
import type { Connection, Log } from '@escucho/database';
import { addCleanup, createFolder, createTestDatabase, silentLog as silent } from '@escucho/database/testing';
import { openJobConnections } from '@escucho/jobs';
import { createApp, loggerOptions } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { TokenOptions } from '../accounts/tokens.ts';
import { createStableId } from '../catalogue-loader/article-writer.ts';
import { openPortalDatabase, type Tables } from '../database.ts';
import { loadLibrary, type MediaStore, media, openMediaStore, portal } from '../index.ts';
import type { StreamLimits } from '../notifications/streams.ts';
import type { OperatorOptions } from '../operators/service.ts';
import { findOrCreateUser } from '../seed.ts';
import { createFakeBilling } from './fakes/billing.ts';
import { createTestClock } from './fakes/clock.ts';
import { createFakeIdentityProvider } from './fakes/identity-provider.ts';
import { createTestIssuer } from './fakes/issuer.ts';
import { writeLibrary } from './library.ts';

const TOKEN_SECRET = 'a key of the tests for tokens of operators’ readers';
const formType = 'application/x-www-form-urlencoded';
const SECRET = 'a media secret of the tests, long enough';
const counted = [
  'users',
  'subscription_grant',
  'narrator',
  'article',
  'sentence',
  'playlist',
  'playlist_item',
  'listening_event',
  'listening_progress',
  'bookmark',
  'notification',
  'used_operator_link',
] satisfies (keyof Tables)[];

/** A request to an endpoint, valid or not. */
export interface Request {
  token?: string;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The IP address it comes from; this machine by default, which rate limits of networks do not count. */
  from?: string;
}

/**
 * Starts the portal as the server mounts it, at /api and /media, with a database, a directory and a clock of its own and
 * the small library loaded.
 */
export async function startPortal({
  keys,
  isSessionActive,
  streams,
  store: given,
  operators,
  acceptsSandbox = true,
  connection: givenConnection,
}: {
  keys?: TokenOptions['keys'];
  isSessionActive?: TokenOptions['isSessionActive'];
  /** The media store; a directory of its own by default. */
  store?: MediaStore;
  streams?: StreamLimits;
  operators?: Omit<OperatorOptions, 'tokenSecret'>;
  acceptsSandbox?: boolean;
  /** A migrated database; one of its own by default. */
  connection?: Connection;
} = {}) {
  const connection = givenConnection ?? (await createTestDatabase());
  const directory = await createFolder();
  const clock = createTestClock();
  const issuer = await createTestIssuer(clock);
  const provider = createFakeIdentityProvider();
  const billing = createFakeBilling();
  const log: string[] = [];
  const sink = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  const app = createApp({ logger: { ...loggerOptions('trace'), stream: sink } });
  addCleanup(() => app.close());
  const store = given ?? (await openMediaStore({ directory: join(directory, 'media') }));
  const { now } = clock;
  const options = {
    prefix: '/api',
    connection,
    tokens: { ...issuer.tokens, ...(keys && { keys }), ...(isSessionActive && { isSessionActive }) },
    media: { secret: SECRET, baseUrl: '/media' },
    provider: provider.options,
    operators: { tokenSecret: TOKEN_SECRET, gateways: {}, ...operators },
    billing: billing.options,
    acceptsSandbox,
    auditRetentionDays: 365,
    clock: now,
    ...(streams && { streams }),
  };
  /** Registers the portal on an app, with connections of its own for background jobs. */
  async function registerPortal(target: FastifyInstance, changes: { connection?: Connection } = {}) {
    const portalOptions = { ...options, ...changes };
    const jobs = await openJobConnections({ connection: portalOptions.connection, log: app.log });
    target.addHook('onClose', jobs.close);
    await target.register(portal, { ...portalOptions, jobs });
  }
  await registerPortal(app);
  await app.register(media, { prefix: '/media', store, secret: SECRET, clock: now });
  const db = openPortalDatabase(connection, { name: 'portal tests' });
  addCleanup(() => db.destroy());
  const content = join(directory, 'content');
  const loadLibraryFiles = (log: Log = silent) =>
    loadLibrary({ connection, mediaStore: store, directory: content, log, clock: now });
  await writeLibrary(content);
  await loadLibraryFiles();

  /** Starts the API as another process does: on the same database, with caches of its own. */
  async function startOtherProcess(changes: { connection?: Connection } = {}) {
    const other = createApp();
    addCleanup(() => other.close());
    await registerPortal(other, changes);
    return other;
  }

  /** Creates a user who has signed in, with a token valid for an hour. */
  async function createUser({ subscribed = false, firstName = 'Ana', lastName = 'Ruiz' } = {}) {
    const subject = randomUUID();
    const email = `${subject}@reader.test`;
    const id = await findOrCreateUser(db, { subject, email, firstName, lastName, subscribed, clock: now });
    return { id, subject, email, token: await issuer.access(subject) };
  }

  /** Sends a request, valid or not. */
  function send(target: Endpoint, { token, params = {}, query = {}, body, headers = {}, from }: Request) {
    return app.inject({
      method: target.method,
      url: `/api${buildPath(target, { params, query })}`,
      ...(from !== undefined && { remoteAddress: from }),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': target.form ? formType : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: target.form ? String(toFormBody(Object(body))) : JSON.stringify(body),
      }),
    });
  }

  /** Sends a valid request and returns the body of the response. Throws for an error response. */
  async function call<E extends Endpoint>(
    target: E,
    token: string,
    sent: RequestInput<E>,
    headers: Record<string, string> = {},
  ): Promise<ResponseBody<E>> {
    const response = await send(target, { ...sent, token, headers });
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.body}`);
    return response.json<ResponseBody<E>>();
  }

  /** Evaluates an aggregate of each table `t` in one statement, and returns the values by table. */
  async function aggregateTables(aggregate: RawBuilder<unknown>): Promise<Record<string, unknown>> {
    const values = counted.map((table) => sql`(select ${aggregate} from ${sql.table(table)} t)`);
    const { rows } = await sql<{
      values: unknown[];
    }>`select json_build_array(${sql.join(values)}) as values`.execute(db);
    return Object.fromEntries(counted.map((table, index) => [table, rows[0]?.values[index]]));
  }

  /** Returns the number of rows by table. */
  const rowCounts = () => aggregateTables(sql`count(*)`) as Promise<Record<string, number>>;

  /** Returns a checksum of the content by table. */
  const tableChecksums = () =>
    aggregateTables(sql`md5(coalesce(string_agg(t::text, ',' order by t::text), ''))`);

  /** Inserts a playlist of a user without the API's checks and returns its id. */
  async function insertPlaylist(
    owner: string,
    name: string,
    slugs: string[] = [],
    origin: 'user' | 'auto' = 'user',
  ) {
    const { id } = await db
      .insertInto('playlist')
      .values({ owner_id: owner, name, origin, max_sort_key: slugs.length, created_at: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const items = slugs.map((slug, place) => ({
      playlist_id: id,
      article_id: createStableId('article', slug),
      sort_key: place,
      added_at: now(),
    }));
    if (items.length > 0) await db.insertInto('playlist_item').values(items).execute();
    return id;
  }

  const articleId = (slug: string) => createStableId('article', slug);
  const playlistId = (key: string) => createStableId('playlist', key);
  const paths = { directory, content };
  return {
    app,
    connection,
    db,
    provider,
    billing,
    store,
    clock,
    issuer,
    log,
    paths,
    secret: SECRET,
    tokenSecret: TOKEN_SECRET,
    loadLibrary: loadLibraryFiles,
    startOtherProcess,
    createUser,
    insertPlaylist,
    send,
    call,
    rowCounts,
    tableChecksums,
    articleId,
    playlistId,
  };
}
