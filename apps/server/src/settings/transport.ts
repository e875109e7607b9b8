import { type Connection, connectionFromUrl } from '@escucho/database';
import * as z from 'zod/mini';
import { EnvError, isInsecureWebUrl, isLoopbackHost, listOfNames } from './variables.ts';

/** Connections that production encrypts unless ALLOW_INSECURE names them. */
const connections = ['public_url', 'smtp', 'database', 'backup', 'identity', 'billing'] as const;

/** The environment variable that allows unencrypted connections by name. */
export const transportVariables = {
  ALLOW_INSECURE: z._default(listOfNames(connections), []),
};

const databaseVariables = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const;

/** The addresses of web servers, by the name of their connection. Keys, tokens and data of users go there. */
const webVariables = [
  ['public_url', 'PUBLIC_URL'],
  ['identity', 'IDENTITY_ENDPOINT'],
  ['identity', 'IDENTITY_ISSUER'],
  ['identity', 'IDENTITY_JWKS_URI'],
  ['billing', 'BILLING_URL'],
] as const;

type AddressVariable =
  | (typeof databaseVariables)[number]
  | (typeof webVariables)[number][1]
  | 'SMTP_URL'
  | 'BACKUP_TO';

interface Variables extends Partial<Record<AddressVariable, string | undefined>> {
  ALLOW_INSECURE: readonly (typeof connections)[number][];
  BACKUP_RECIPIENTS: readonly string[];
}

function isInsecureSmtp({ SMTP_URL }: Variables): boolean {
  if (SMTP_URL === undefined) return false;
  const { protocol, hostname, searchParams } = new URL(SMTP_URL);
  if (isLoopbackHost(hostname)) return false;
  const isUnverified = searchParams.get('tls.rejectUnauthorized') === 'false';
  const isTlsOptional = protocol === 'smtp:' && searchParams.get('requireTLS') !== 'true';
  return isUnverified || isTlsOptional || searchParams.get('ignoreTLS') === 'true';
}

function parseConnection(url: string): Connection | undefined {
  try {
    return connectionFromUrl(url);
  } catch {
    // Opening the database reports it.
    return undefined;
  }
}

function isInsecureDatabase(url: string | undefined): boolean {
  const connection = url === undefined ? undefined : parseConnection(url);
  if (!connection) return false;
  // A path is a socket of this machine.
  const isLocal = connection.host.startsWith('/') || isLoopbackHost(connection.host);
  return !isLocal && connection.tls?.verify !== true;
}

/**
 * Checks that everything that leaves the machine is encrypted. For production.
 *
 * @throws EnvError with every connection that is not and that ALLOW_INSECURE does not name
 */
export function checkTransport(env: Variables): void {
  const checks = [
    ...webVariables.map(([name, variable]) => {
      const url = env[variable];
      const isInsecure = url !== undefined && isInsecureWebUrl(url);
      return [name, isInsecure, `${variable}: must be an https address`] as const;
    }),
    [
      'smtp',
      isInsecureSmtp(env),
      'SMTP_URL: must be an smtps:// address, or have ?requireTLS=true, and verify the certificate',
    ],
    ...databaseVariables.map(
      (name) =>
        [
          'database',
          isInsecureDatabase(env[name]),
          `${name}: must have ?sslmode=verify-full, because the server is remote`,
        ] as const,
    ),
    [
      'backup',
      env.BACKUP_TO?.startsWith('s3:') && env.BACKUP_RECIPIENTS.length === 0,
      'BACKUP_RECIPIENTS: must be a public key of age, because backups contain the secrets',
    ],
  ] as const;
  const problems = checks
    .filter(([name, isInsecure]) => isInsecure && !env.ALLOW_INSECURE.includes(name))
    .map(([name, , problem]) => `${problem}; or allow this with ALLOW_INSECURE=${name}`);
  if (problems.length > 0) throw new EnvError(problems);
}
