import type { Database } from '../database.ts';

/** A browser's sign-in at the hosted pages. */
export interface HostedSession {
  hash: Buffer;
  accountId: string;
  signedInAt: Date;
  expiresAt: Date;
}

/** Hosted sessions in the database; every call takes the database or the transaction it is part of. */
export const hostedRepository = {
  async insert(tx: Database, { hash, accountId, signedInAt, expiresAt }: HostedSession): Promise<void> {
    await tx
      .insertInto('hosted_session')
      .values({ hash, account_id: accountId, signed_in_at: signedInAt, expires_at: expiresAt })
      .execute();
  },

  find(db: Database, hash: Buffer): Promise<HostedSession | undefined> {
    return db
      .selectFrom('hosted_session')
      .select(['hash', 'account_id as accountId', 'signed_in_at as signedInAt', 'expires_at as expiresAt'])
      .where('hash', '=', hash)
      .executeTakeFirst();
  },

  async end(db: Database, hash: Buffer): Promise<void> {
    await db.deleteFrom('hosted_session').where('hash', '=', hash).execute();
  },
};

export type HostedRepository = typeof hostedRepository;
