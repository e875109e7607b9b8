import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../database.ts';

/** A browser's sign-in at the hosted pages, found by the SHA-256 of its cookie. */
type HostedSession = Selectable<Tables['hosted_session']>;

/** The repository of authorization codes; every method takes a transaction. */
export const authorizationCodeRepository = {
  async insert(tx: Database, code: Insertable<Tables['authorization_code']>): Promise<void> {
    await tx.insertInto('authorization_code').values(code).execute();
  },

  /** Finds a code and locks its row until the transaction ends, after its user, as deleting the user does. */
  lock(tx: Database, hash: Buffer) {
    return tx
      .selectFrom('authorization_code')
      .innerJoin('account', 'account.id', 'authorization_code.accountId')
      .selectAll('authorization_code')
      .where('hash', '=', hash)
      .forKeyShare('account')
      .forUpdate('authorization_code')
      .executeTakeFirst();
  },

  async markRedeemed(tx: Database, hash: Buffer, sessionId: string): Promise<void> {
    await tx.updateTable('authorization_code').set({ sessionId }).where('hash', '=', hash).execute();
  },
};

export const hostedSessionRepository = {
  async insert(tx: Database, session: HostedSession): Promise<void> {
    await tx.insertInto('hosted_session').values(session).execute();
  },

  /**
   * Finds a session and keeps it from being deleted until the transaction ends. Its user is locked first, because deleting
   * a user locks them in this order.
   */
  lock(tx: Database, hash: Buffer): Promise<HostedSession | undefined> {
    return tx
      .selectFrom('hosted_session')
      .innerJoin('account', 'account.id', 'hosted_session.accountId')
      .selectAll('hosted_session')
      .where('hash', '=', hash)
      .forKeyShare('account')
      .forShare('hosted_session')
      .executeTakeFirst();
  },

  async delete(db: Database, hash: Buffer): Promise<void> {
    await db.deleteFrom('hosted_session').where('hash', '=', hash).execute();
  },
};

/** The repository of pending sign-ins at other providers, by the SHA-256 of their state. */
export const federatedSignInRepository = {
  async insert(db: Database, signIn: Selectable<Tables['federated_sign_in']>): Promise<void> {
    await db.insertInto('federated_sign_in').values(signIn).execute();
  },

  find(db: Database, hash: Buffer) {
    return db.selectFrom('federated_sign_in').selectAll().where('hash', '=', hash).executeTakeFirst();
  },

  /** Deletes a pending sign-in; of concurrent callbacks one gets true. */
  async delete(db: Database, hash: Buffer): Promise<boolean> {
    const deleted = await db.deleteFrom('federated_sign_in').where('hash', '=', hash).executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  },
};
