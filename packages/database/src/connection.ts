import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { DatabaseError } from './database-error.ts';

/** Where a PostgreSQL database is and how to get in: embedded or remote alike, and plain data. */
export interface Connection {
  /** A host name, or the absolute path of the directory that holds the unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** Encrypt; `verify` also checks the certificate, against the file `ca` when given. */
  readonly tls?: { readonly verify: boolean; readonly ca?: string };
}

/**
 * Reads a `DATABASE_URL`, e.g. `postgres://user:secret@db.example:5432/escucho?sslmode=verify-full`.
 * Takes `sslmode`, `ssl`, `sslrootcert`, and `host` (for a socket directory); other parameters are ignored.
 * @throws DatabaseFault `bad-url`; its message never repeats the URL, which holds a password.
 */
export function connectionFromUrl(text: string): Connection {
  if (!URL.canParse(text)) throw badUrl('is not an address such as postgres://user:password@host:5432/name');
  const url = new URL(text);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw badUrl('must begin with postgres:// or postgresql://');
  }
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[|\]$/g, '');
  const user = decoded(url.username);
  const password = decoded(url.password);
  const database = decoded(url.pathname.slice(1));
  if (host === '') throw badUrl('names no host');
  if (user === '') throw badUrl('names no user');
  if (database === '') throw badUrl('names no database');
  const tls = tlsFrom(url.searchParams);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user,
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls } : {}),
  };
}

/** The settings of a `pg` client for a connection; `name` is how the server lists it. */
export function clientConfig(connection: Connection, name: string): ClientConfig {
  const { tls, ...rest } = connection;
  return { ...rest, application_name: name, keepAlive: true, ssl: tls ? tlsOptions(tls) : false };
}

function tlsFrom(parameters: URLSearchParams): Connection['tls'] {
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
      throw badUrl('has an unknown sslmode: use disable, require or verify-full');
  }
}

function tlsOptions({ verify, ca }: NonNullable<Connection['tls']>) {
  return { rejectUnauthorized: verify, ...(ca ? { ca: readFileSync(ca, 'utf8') } : {}) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badUrl('has a % that begins no escape: write %25 for a percent sign');
  }
}

function badUrl(problem: string): DatabaseError {
  return new DatabaseError('bad-url', `DATABASE_URL ${problem}.`);
}
