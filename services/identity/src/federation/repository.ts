import { randomUUID } from 'node:crypto';
import type { Database, ProviderName } from '../database.ts';
import type { UpstreamProfile } from './upstream.ts';

/** Visits to other providers, and the people who come by them; every call takes the database or the transaction. */
export const federationRepository = {
  async insertVisit(db: Database, hash: Buffer, sealed: Buffer, expiresAt: Date): Promise<void> {
    await db.insertInto('federation').values({ hash, sealed, expires_at: expiresAt }).execute();
  },

  findVisit(db: Database, hash: Buffer) {
    return db
      .selectFrom('federation')
      .select(['sealed', 'expires_at as expiresAt'])
      .where('hash', '=', hash)
      .executeTakeFirst();
  },

  /** Out: whether it was still there: of two that come back at once, one goes on. */
  async endVisit(db: Database, hash: Buffer): Promise<boolean> {
    const ended = await db.deleteFrom('federation').where('hash', '=', hash).executeTakeFirst();
    return ended.numDeletedRows === 1n;
  },

  /** Puts a person in, or brings what their provider says of them up to date. Out: their id. */
  async keep(tx: Database, provider: ProviderName, said: UpstreamProfile, now: Date): Promise<string> {
    const profile = {
      email: said.email?.toLowerCase() ?? null,
      email_verified: said.email !== null && said.emailVerified,
      given_name: said.givenName,
      family_name: said.familyName,
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
        provider_subject: said.subject,
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
