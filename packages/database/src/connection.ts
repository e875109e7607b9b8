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
}

/**
 * Parses a `DATABASE_URL`, e.g. `postgres://user:secret@db.example:5432/escucho?sslmode=verify-full`.
 * Reads `sslmode`, `ssl`, `sslrootcert` and `host` (a socket directory); other parameters are ignored.
 *
 * @throws DatabaseError `bad-url`; its message never repeats the URL, which contains a password
 */
export function connectionFromUrl(text: string): Connection {
  if (!URL.canParse(text))
    throw createUrlError('is not an address such as postgres://user:password@host:5432/name');
  const url = new URL(text);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw createUrlError('must begin with postgres:// or postgresql://');
  }
  const host = url.searchParams.get('host') ?? decodeComponent(url.hostname).replace(/^\[|\]$/g, '');
  const user = decodeComponent(url.username);
  const password = decodeComponent(url.password);
  const database = decodeComponent(url.pathname.slice(1));
  if (host === '') throw createUrlError('names no host');
  if (user === '') throw createUrlError('names no user');
  if (database === '') throw createUrlError('names no database');
  const tls = parseTls(url.searchParams);
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
  const { tls, ...rest } = connection;
  return { ...rest, application_name: name, keepAlive: true, ssl: tls ? toTlsOptions(tls) : false };
}

function parseTls(parameters: URLSearchParams): Connection['tls'] {
  const ca = parameters.get('sslrootcert');
  const wanted = ca || parameters.get('ssl') === 'true';
  switch (parameters.get('sslmode') ?? (wanted ? 'verify-full' : 'disable')) {
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

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw createUrlError('has a % that begins no escape: write %25 for a percent sign');
  }
}

function createUrlError(problem: string): DatabaseError {
  return new DatabaseError('bad-url', `DATABASE_URL ${problem}.`);
}
