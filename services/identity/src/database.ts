import { type Connection, openDatabase } from '@escucho/database';
import { CamelCasePlugin, type Generated, type Kysely } from 'kysely';

type AccountStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'RESET_REQUIRED';
/** What a mailed code is for; anybody may request a `sign-in` code, and a `second-factor` code follows the password. */
export type CodePurpose = 'sign-up' | 'reset' | 'email' | 'sign-in' | 'second-factor';
export type KeyUse = 'access' | 'id';
/** A federated identity provider. */
export type ProviderName = 'google' | 'facebook';

/** A second factor, by Cognito's name. */
export type MfaMethod = 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

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
    signUpKeyHash: Generated<Buffer | null>;
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
  mfa_setting: {
    accountId: string;
    encryptedSecret: Buffer | null;
    encryptedPendingSecret: Buffer | null;
    lastUsedStep: number | null;
    softwareTokenEnabled: Generated<boolean>;
    emailEnabled: Generated<boolean>;
    preferred: MfaMethod | null;
    updatedAt: Date;
  };
  passkey: {
    id: string;
    accountId: string;
    publicKey: Buffer;
    counter: number;
    transports: string[];
    attachment: string | null;
    name: string;
    createdAt: Date;
    lastUsedAt: Date | null;
  };
  recovery_code: { accountId: string; hash: Buffer; usedAt: Date | null; createdAt: Date };
  outbox_mail: {
    id: Generated<number>;
    accountId: string | null;
    recipient: string;
    encryptedContent: Buffer;
    createdAt: Date;
    expiresAt: Date;
  };
}

export type Database = Kysely<Tables>;

const isResult = <T>(outcome: T): outcome is Exclude<T, Error> => !(outcome instanceof Error);

/**
 * Runs a transaction that is committed also where the attempt fails, because failures are counted and recorded.
 * @param attempt returns the error of a failure, which is thrown after the commit; what it throws rolls back
 */
export async function commitAttempt<T>(db: Database, attempt: (tx: Database) => Promise<T>) {
  const outcome = await db.transaction().execute(attempt);
  if (!isResult(outcome)) throw outcome;
  return outcome;
}

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
