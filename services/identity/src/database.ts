import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Connection, openDatabase } from '@escucho/database';
import { CamelCasePlugin, type Generated, type Kysely } from 'kysely';

/** The directory of this service's migrations, for the schema `identity`. */
export const migrationsDirectory = join(
  dirname(createRequire(import.meta.url).resolve('@escucho/identity/package.json')),
  'migrations',
);

export type AccountStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'RESET_REQUIRED';
export type CodePurpose = 'sign-up' | 'reset' | 'email' | 'sign-in';
export type KeyUse = 'access' | 'id';
/** A federated identity provider. */
export type ProviderName = 'google' | 'facebook';

/** The tables, with columns in camel case; the migrations document them. */
export interface Tables {
  account: {
    id: string;
    email: string | null;
    emailVerified: boolean;
    givenName: string | null;
    familyName: string | null;
    phoneNumber: string | null;
    status: AccountStatus;
    enabled: Generated<boolean>;
    credential: Buffer | null;
    provider: Generated<ProviderName | null>;
    providerSubject: Generated<string | null>;
    pendingEmail: Generated<string | null>;
    createdAt: Date;
    updatedAt: Date;
  };
  signing_key: {
    id: string;
    use: KeyUse;
    modulus: string;
    exponent: string;
    encryptedPrivateKey: Buffer;
    createdAt: Date;
    retiredAt: Date | null;
  };
  used_handshake: { id: string; expiresAt: Date };
  verification_code: {
    userId: string;
    purpose: CodePurpose;
    hash: Buffer;
    failedAttempts: number;
    expiresAt: Date;
  };
  attempt_counter: {
    subject: string;
    kind: string;
    count: number;
    firstAt: Date;
    lastAt: Date;
    lockedUntil: Date | null;
  };
  session: {
    id: string;
    accountId: string;
    clientId: string;
    scope: string;
    signedInAt: Date;
    expiresAt: Date;
    revokedAt: Date | null;
    userAgent: string | null;
    lastUsedAt: Date;
  };
  hosted_session: { hash: Buffer; accountId: string; signedInAt: Date; expiresAt: Date };
  authorization_code: {
    hash: Buffer;
    accountId: string;
    clientId: string;
    redirectUri: string;
    codeChallenge: string;
    scope: string;
    nonce: string | null;
    signedInAt: Date;
    expiresAt: Date;
    sessionId: string | null;
  };
  federated_sign_in: { hash: Buffer; encryptedState: Buffer; expiresAt: Date };
  refresh_token: { hash: Buffer; sessionId: string; createdAt: Date; rotatedAt: Date | null };
  outbox_mail: {
    id: Generated<number>;
    accountId: string | null;
    recipient: string;
    subject: string;
    body: string;
    code: string | null;
    createdAt: Date;
  };
}

export type Database = Kysely<Tables>;

/**
 * Opens a connection pool to this service's schema.
 * @param name the application name that the database server lists
 */
export function openIdentityDatabase(
  connection: Connection,
  name: string,
  maxConnections?: number,
): Database {
  return openDatabase<Tables>({
    connection,
    schema: 'identity',
    name,
    ...(maxConnections !== undefined && { maxConnections }),
  }).withPlugin(new CamelCasePlugin());
}

const HOUR_MS = 3_600_000;
const ATTEMPT_RETENTION_MS = 2 * HOUR_MS;
/** A second redemption after this revokes nothing any more. */
const AUTHORIZATION_CODE_RETENTION_MS = 24 * HOUR_MS;
const SESSION_RETENTION_MS = 7 * 24 * HOUR_MS;
const MAIL_RETENTION_MS = 30 * 24 * HOUR_MS;
/** Longer than the lifetime of any token. */
const RETIRED_KEY_RETENTION_MS = 25 * HOUR_MS;

/** Deletes rows that cannot affect a response any more: expired handshakes, codes and sessions, old counters and mail. */
export async function deleteExpiredRows(db: Database, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  for (const [table, retentionMs] of [
    ['used_handshake', HOUR_MS],
    ['verification_code', HOUR_MS],
    ['hosted_session', HOUR_MS],
    ['federated_sign_in', HOUR_MS],
    ['authorization_code', AUTHORIZATION_CODE_RETENTION_MS],
    ['session', SESSION_RETENTION_MS],
  ] as const) {
    await db.deleteFrom(table).where('expiresAt', '<', before(retentionMs)).execute();
  }
  await db.deleteFrom('attempt_counter').where('lastAt', '<', before(ATTEMPT_RETENTION_MS)).execute();
  await db.deleteFrom('signing_key').where('retiredAt', '<', before(RETIRED_KEY_RETENTION_MS)).execute();
  await db.deleteFrom('outbox_mail').where('createdAt', '<', before(MAIL_RETENTION_MS)).execute();
}
