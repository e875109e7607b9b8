import { DatabaseError } from '@escucho/database';
import { EnvError } from './settings/variables.ts';

const getProperty = (error: Error, name: string): unknown => Reflect.get(error, name);

/** Codes of Node and OpenSSL for a certificate that is not trusted, has expired or is for another name. */
const certificateCodes = /CERT|^UNABLE_TO_/;

/** Where the paths of directories come from. */
const PATHS = 'DATA_DIR, MEDIA_STORE, BACKUP_TO or an argument';

function describeUnreachable(error: Error, databaseVariable: string): string {
  const address = getProperty(error, 'hostname') ?? getProperty(error, 'address');
  return `${[address, getProperty(error, 'port')].filter(Boolean).join(':') || 'The server'} cannot be reached (${getProperty(error, 'code')}). Check ${databaseVariable}, and AWS_ENDPOINT_URL_S3 where a store is a bucket.`;
}

const describeBucketProblem = (problem: string) =>
  `${problem}. Check MEDIA_STORE, BACKUP_TO, the AWS_… settings and the permissions of their keys.`;

/** Describes errors of the AWS SDK: responses of a bucket, and missing credentials. */
function describeBucketError(error: Error): string | undefined {
  if (error.name === 'CredentialsProviderError')
    return describeBucketProblem('There are no credentials for the bucket');
  const metadata = getProperty(error, '$metadata');
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return describeBucketProblem(`The bucket responds with ${metadata.httpStatusCode} (${error.message})`);
}

/** Describes errors of libraries by their message, and those with one of many codes. */
function describeOtherError(error: Error, databaseVariable: string): string | undefined {
  if (certificateCodes.test(String(getProperty(error, 'code'))))
    return `The certificate of a server is not accepted: ${error.message}. If it is the database's, check the name in ${databaseVariable}, and sslrootcert=FILE for an authority of your own.`;
  // Of `pg`, which gives them no code. A proxy without a server behind it ends connections.
  if (error.message.startsWith('Connection terminated'))
    return `The database ended the connection. Check ${databaseVariable}, and whether a server runs there.`;
  if (error.message.startsWith('The server does not support SSL'))
    return `The database does not use TLS. Check sslmode in ${databaseVariable}.`;
  return undefined;
}

/**
 * Returns why the product could not start and what to do; undefined for unexpected errors.
 *
 * @param databaseVariable - the environment variable with the address of the database
 */
export function describeStartError(error: unknown, databaseVariable = 'DATABASE_URL'): string | undefined {
  if (error instanceof EnvError || error instanceof DatabaseError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const path = getProperty(error, 'path');
  const code = getProperty(error, 'code');
  const systemCall = getProperty(error, 'syscall');
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${getProperty(error, 'port')} is taken. Stop the program that uses it, or choose another: PORT=3001 npm start`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${getProperty(error, 'address')}. Set HOST to one that it has, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `Port ${getProperty(error, 'port')} cannot be opened by this user. Set PORT to one above 1023.`
        : `${path} is not accessible to this user. Change its permissions, or use another path (${PATHS}).`;
    case 'EEXIST':
    case 'ENOTDIR':
      // Of a file that must be new.
      if (code === 'EEXIST' && systemCall === 'open') return `${path} exists already. Name another file.`;
      return `${path} is not a directory. Use another path (${PATHS}).`;
    case 'ENOENT':
      // The socket of a database.
      return systemCall === 'connect' ? describeUnreachable(error, databaseVariable) : undefined;
    case 'EAI_AGAIN':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return describeUnreachable(error, databaseVariable);
    // PostgreSQL: a privilege is missing, authentication failed, the database does not exist, too many connections, starting.
    case '42501':
    case '28000':
    case '28P01':
    case '3D000':
    case '53300':
    case '57P03':
      return `The database refuses: ${error.message}. Check ${databaseVariable} and the rights of its role.`;
    case '25006':
      return `The database is read-only, as a standby is, and the former one after a move. Check ${databaseVariable}.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full${path === undefined ? '' : ` (${path})`}. Free some space and start again; nothing was lost.`;
    default:
      return describeBucketError(error) ?? describeOtherError(error, databaseVariable);
  }
}
