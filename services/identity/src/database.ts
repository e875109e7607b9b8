import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Connection, openDatabase } from '@escucho/database';
import type { Generated, Kysely } from 'kysely';

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

/** The tables; the migrations document them. */
export interface Tables {
  account: {
    id: string;
    email: string | null;
    email_verified: boolean;
    given_name: string | null;
    family_name: string | null;
    phone_number: string | null;
    status: AccountStatus;
    enabled: Generated<boolean>;
    credential: Buffer | null;
    provider: Generated<ProviderName | null>;
    provider_subject: Generated<string | null>;
    pending_email: Generated<string | null>;
    created_at: Date;
    updated_at: Date;
  };
  signing_key: {
    id: string;
    use: KeyUse;
    modulus: string;
    exponent: string;
    encrypted_private_key: Buffer;
    created_at: Date;
    retired_at: Date | null;
  };
  used_handshake: { id: string; expires_at: Date };
  verification_code: {
    user_id: string;
    purpose: CodePurpose;
    hash: Buffer;
    failed_attempts: number;
    expires_at: Date;
  };
  attempt_counter: {
    subject: string;
    kind: string;
    count: number;
    first_at: Date;
    last_at: Date;
    locked_until: Date | null;
  };
  session: {
    id: string;
    account_id: string;
    client_id: string;
    scope: string;
    signed_in_at: Date;
    expires_at: Date;
    revoked_at: Date | null;
    user_agent: string | null;
    last_used_at: Date;
  };
  hosted_session: { hash: Buffer; account_id: string; signed_in_at: Date; expires_at: Date };
  authorization_code: {
    hash: Buffer;
    account_id: string;
    client_id: string;
    redirect_uri: string;
    code_challenge: string;
    scope: string;
    nonce: string | null;
    signed_in_at: Date;
    expires_at: Date;
    session_id: string | null;
  };
  federated_sign_in: { hash: Buffer; encrypted_state: Buffer; expires_at: Date };
  refresh_token: { hash: Buffer; session_id: string; created_at: Date; rotated_at: Date | null };
  outbox_mail: {
    id: Generated<number>;
    account_id: string | null;
    recipient: string;
    subject: string;
    body: string;
    code: string | null;
    created_at: Date;
  };
}

/** The database, or a transaction on it. */
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
  });
}
