import { DatabaseError } from '@escucho/database';
import { EnvError } from './settings/variables.ts';

const getProperty = (error: Error, name: string): unknown => Reflect.get(error, name);

/** Returns why the product could not start and what to do; undefined for unexpected errors. */
export function describeStartError(error: unknown): string | undefined {
  if (error instanceof EnvError || error instanceof DatabaseError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const path = getProperty(error, 'path');
  switch (getProperty(error, 'code')) {
    case 'EADDRINUSE':
      return `Port ${getProperty(error, 'port')} is taken. Stop the program that uses it, or choose another: PORT=3001 npm start`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${getProperty(error, 'address')}. Set HOST to one that it has, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `Port ${getProperty(error, 'port')} cannot be opened by this user. Set PORT to one above 1023.`
        : `${path} is not writable by this user. Change its permissions, or set DATA_DIR to another directory.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} is not a directory. Set DATA_DIR to a directory.`;
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENOTFOUND':
    case 'ETIMEDOUT': {
      const host = getProperty(error, 'hostname') ?? getProperty(error, 'address');
      return `${[host, getProperty(error, 'port')].filter(Boolean).join(':') || 'The server'} cannot be reached (${getProperty(error, 'code')}). Check DATABASE_URL, and MEDIA_STORE if it is a bucket.`;
    }
    // PostgreSQL: authentication failed, or the database does not exist.
    case '28000':
    case '28P01':
    case '3D000':
      return `The database refuses the connection: ${error.message}. Check DATABASE_URL.`;
    case 'ENOSPC':
      return `The disk is full${path === undefined ? '' : ` (${path})`}. Free some space and start again; nothing was lost.`;
    default:
      // Of `pg`, which gives it no code: a proxy without a server behind it ends connections.
      return /^Connection terminated/.test(error.message)
        ? 'The database ended the connection. Check DATABASE_URL, and whether a server runs there.'
        : undefined;
  }
}
