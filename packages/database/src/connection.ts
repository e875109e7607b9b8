import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { DatabaseError } from './database-error.ts';

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
  const host = url.searchParams.get('host') ?? decode(url.hostname).replace(/^\[|\]$/g, '');
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
  return { rejectUnauthorized: verify, ...(ca ? { ca: readFileSync(ca, 'utf8') } : {}) };
}

function decodeComponent(text: string, createUrlError: CreateUrlError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw createUrlError('has a % that begins no escape: write %25 for a percent sign');
  }
}
