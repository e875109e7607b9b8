import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import { DatabaseError, getErrorMessage } from './database-error.ts';

/** The address of a PostgreSQL database and the credentials to use, embedded or remote. */
export interface Connection {
  /** A host name, or the absolute path of the directory that holds the unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** TLS; `verify` also checks the certificate, against the file `ca` if given. */
  readonly tls?: { readonly verify: boolean; readonly ca?: string };
  /** The address to use past a connection pooler; the same server and database. */
  readonly direct?: Connection;
  /** Standbys of the server, for reading what may be older; every connection may lead to another one. */
  readonly replica?: Connection;
}

/**
 * Returns the address for sessions that stay open: LISTEN, advisory locks, background jobs and migrations. They would
 * occupy a connection of a pooler for as long as the process runs.
 */
export const getDirectConnection = (connection: Connection): Connection => connection.direct ?? connection;

/** Returns the `hostname` of a URL as connections take it: an IPv6 address without its brackets. */
export const removeBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

type CreateUrlError = (problem: string) => DatabaseError;

/**
 * Parses a `DATABASE_URL`, e.g. `postgres://user:secret@db.example:5432/escucho?sslmode=verify-full`.
 * Reads `sslmode`, `ssl`, `sslrootcert` and `host` (a socket directory); other parameters are ignored.
 *
 * @param variable - the environment variable that the error names
 * @throws DatabaseError `bad-url`; its message never repeats the URL, which contains a password
 */
export function connectionFromUrl(text: string, variable = 'DATABASE_URL'): Connection {
  const createUrlError: CreateUrlError = (problem) => new DatabaseError('bad-url', `${variable} ${problem}.`);
  const decode = (encoded: string) => decodeComponent(encoded, createUrlError);
  if (!URL.canParse(text))
    throw createUrlError('is not an address such as postgres://user:password@host:5432/name');
  const url = new URL(text);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw createUrlError('must begin with postgres:// or postgresql://');
  }
  const host = url.searchParams.get('host') ?? removeBrackets(decode(url.hostname));
  const user = decode(url.username);
  const password = decode(url.password);
  const database = decode(url.pathname.slice(1));
  if (host === '') throw createUrlError('names no host');
  if (user === '') throw createUrlError('names no user');
  if (database === '') throw createUrlError('names no database');
  const tls = parseTls(url.searchParams, createUrlError);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user,
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls } : {}),
  };
}

/**
 * Returns the configuration of a `pg` client.
 *
 * @param name - the application name that PostgreSQL shows for the connection
 */
export function clientConfig(connection: Connection, name: string): ClientConfig {
  const { tls, direct: _direct, replica: _replica, ...rest } = connection;
  return { ...rest, application_name: name, keepAlive: true, ssl: tls ? toTlsOptions(tls) : false };
}

function parseTls(parameters: URLSearchParams, createUrlError: CreateUrlError): Connection['tls'] {
  const ca = parameters.get('sslrootcert');
  const isRequested = ca || parameters.get('ssl') === 'true';
  switch (parameters.get('sslmode') ?? (isRequested ? 'verify-full' : 'disable')) {
    case 'disable':
    case 'allow':
    case 'prefer':
      return undefined;
    case 'require':
    case 'no-verify':
      return ca ? { verify: true, ca } : { verify: false };
    case 'verify-ca':
    case 'verify-full':
      return ca && ca !== 'system' ? { verify: true, ca } : { verify: true };
    default:
      throw createUrlError('has an unknown sslmode: use disable, require or verify-full');
  }
}

function toTlsOptions({ verify, ca }: NonNullable<Connection['tls']>) {
  return { rejectUnauthorized: verify, ...(ca ? { ca: readAuthority(ca) } : {}) };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const problem = `The file of sslrootcert is not readable: ${getErrorMessage(cause)}.`;
    throw new DatabaseError('bad-url', problem, { cause });
  }
}

function decodeComponent(text: string, createUrlError: CreateUrlError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw createUrlError('has a % that begins no escape: write %25 for a percent sign');
  }
}

interface ClientOptions {
  readonly connection: Connection;
  /** The name by which `pg_stat_activity` lists the session. */
  readonly name: string;
  /** Settings of the session, as options of the command line. */
  readonly options?: string;
}

/**
 * Runs `work` on a connection of its own, past a connection pooler. The session ends with it, and so do its locks and its
 * transaction.
 */
export async function withClient<Result>(
  { connection, name, options }: ClientOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const config = clientConfig(getDirectConnection(connection), name);
  const client = new Client({ ...config, ...(options !== undefined && { options }) });
  // The statement that fails rejects.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the name of a database, and the identifier of its server or cluster if the role may read it. */
const identifyDatabase = (connection: Connection) =>
  withClient({ connection, name: 'direct address' }, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    // Managed databases may refuse this.
    const cluster = await client
      .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
      .catch(() => undefined);
    return { name: rows[0]?.name, cluster: cluster?.rows[0]?.id };
  });

/**
 * Checks that the address past a connection pooler leads to the same database. Otherwise migrations and background jobs would
 * use another one than requests.
 *
 * @throws DatabaseError `direct-differs`
 */
export async function assertSameDirectDatabase({ direct, ...pooled }: Connection): Promise<void> {
  if (!direct) return;
  const [expected, found] = await Promise.all([identifyDatabase(pooled), identifyDatabase(direct)]);
  const isKnown = expected.cluster !== undefined && found.cluster !== undefined;
  if (expected.name === found.name && (!isKnown || expected.cluster === found.cluster)) return;
  throw new DatabaseError(
    'direct-differs',
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL. Set it to the address of the same one past its pooler, or remove it.',
  );
}

/** Returns how many bytes of the primary's write-ahead log a standby has not replayed. */
export async function measureReplicaLag<Tables>(
  primary: Kysely<Tables>,
  replica: Kysely<Tables>,
): Promise<number> {
  const { rows: written } = await sql<{ lsn: string }>`select pg_current_wal_lsn() as lsn`.execute(primary);
  const { rows: replayed } = await sql<{ lag: number }>`
    select pg_wal_lsn_diff(${written[0]?.lsn}, pg_last_wal_replay_lsn())::float8 as lag`.execute(replica);
  return Math.max(0, replayed[0]?.lag ?? 0);
}
