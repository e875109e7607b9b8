import { randomUUID } from 'node:crypto';
import type { Database, ProviderName } from '../database.ts';
import type { ProviderProfile } from './providers.ts';

/** The repository of pending sign-ins at other providers and of federated users. */
export const federationRepository = {
  /** Inserts a pending sign-in under the SHA-256 of its state. */
  async insertSignIn(db: Database, hash: Buffer, encryptedState: Buffer, expiresAt: Date): Promise<void> {
    await db
      .insertInto('federated_sign_in')
      .values({ hash, encrypted_state: encryptedState, expires_at: expiresAt })
      .execute();
  },

  findSignIn(db: Database, hash: Buffer) {
    return db
      .selectFrom('federated_sign_in')
      .select(['encrypted_state as encryptedState', 'expires_at as expiresAt'])
      .where('hash', '=', hash)
      .executeTakeFirst();
  },

  /** Deletes a pending sign-in; of concurrent callbacks one gets true. */
  async deleteSignIn(db: Database, hash: Buffer): Promise<boolean> {
    const deleted = await db.deleteFrom('federated_sign_in').where('hash', '=', hash).executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  },

  /** Inserts a federated user or updates their profile; returns the user's id. */
  async upsertUser(
    tx: Database,
    provider: ProviderName,
    { subject, email, emailVerified, givenName, familyName }: ProviderProfile,
    now: Date,
  ): Promise<string> {
    const profile = {
      email: email?.toLowerCase() ?? null,
      email_verified: email !== null && emailVerified,
      given_name: givenName,
      family_name: familyName,
      updated_at: now,
    };
    const { id } = await tx
      .insertInto('account')
      .values({
        id: randomUUID(),
        phone_number: null,
        status: 'CONFIRMED',
        credential: null,
        provider,
        provider_subject: subject,
        created_at: now,
        ...profile,
      })
      .onConflict((conflict) => conflict.columns(['provider', 'provider_subject']).doUpdateSet(profile))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  },
};

export type FederationRepository = typeof federationRepository;
