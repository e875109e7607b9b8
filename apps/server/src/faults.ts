import { DatabaseError } from '@escucho/database';
import { EnvError } from '@escucho/service-kit';

const detail = (error: Error, name: string): unknown => Reflect.get(error, name);

/** Returns why the product could not start and what to do; undefined for unexpected errors. */
export function explained(error: unknown): string | undefined {
  if (error instanceof EnvError || error instanceof DatabaseError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const path = detail(error, 'path');
  switch (detail(error, 'code')) {
    case 'EADDRINUSE':
      return `Port ${detail(error, 'port')} is taken. Stop what runs there, or choose another: PORT=3001 npm start`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${detail(error, 'address')}. Set HOST to one it has, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `Port ${detail(error, 'port')} may not be opened by this user. Choose one above 1023 by PORT.`
        : `${path} is not writable by this user. Give it the right, or choose another directory by DATA_DIR.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} is not a directory. Choose one by DATA_DIR.`;
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENOTFOUND':
    case 'ETIMEDOUT': {
      const host = detail(error, 'hostname') ?? detail(error, 'address');
      return `${[host, detail(error, 'port')].filter(Boolean).join(':') || 'The server'} cannot be reached (${detail(error, 'code')}). Check DATABASE_URL, and MEDIA_STORE where it names a bucket.`;
    }
    // PostgreSQL: authentication failed, or the database does not exist.
    case '28000':
    case '28P01':
    case '3D000':
      return `The database refuses: ${error.message}. Check DATABASE_URL.`;
    case 'ENOSPC':
      return `The disk is full${path === undefined ? '' : ` (${path})`}. Free some space and start again; nothing was lost.`;
    default:
      return undefined;
  }
}
