import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { lockAccount } from '../users/repository.ts';

/** A sign-in and the tokens that follow from it. */
export type Session = Selectable<Tables['session']>;

/** A session with the time when rotation replaced the refresh token that was looked up. */
export interface RefreshTokenSession extends Session {
  rotatedAt: Date | null;
}

const MAX_LISTED_SESSIONS = 100;

/** The repository of sessions; every method takes the database or a transaction. */
export const sessionRepository = {
  async insert(tx: Database, session: Session): Promise<void> {
    await tx.insertInto('session').values(session).execute();
  },

  find(db: Database, id: string, accountId: string): Promise<Session | undefined> {
    return db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
  },

  async isActive(db: Database, id: string, accountId: string, now: Date): Promise<boolean> {
    const row = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .select('session.id')
      .where('session.id', '=', id)
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .where('enabled', '=', true)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Returns the active sessions of a user, the most recently used first. */
  listActive(db: Database, accountId: string, now: Date): Promise<Session[]> {
    return db
      .selectFrom('session')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id')
      .limit(MAX_LISTED_SESSIONS)
      .execute();
  },

  /** Finds the session of a refresh token by the token's hash, and locks it until the transaction ends. */
  lockByRefreshToken(tx: Database, hash: Buffer): Promise<RefreshTokenSession | undefined> {
    return tx
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.sessionId')
      .selectAll('session')
      .select('rotatedAt')
      .where('refresh_token.hash', '=', hash)
      .forNoKeyUpdate('session')
      .executeTakeFirst();
  },

  async insertRefreshToken(tx: Database, hash: Buffer, sessionId: string, now: Date): Promise<void> {
    await tx
      .insertInto('refresh_token')
      .values({ hash, sessionId, createdAt: now, rotatedAt: null })
      .execute();
  },

  /** Marks a refresh token as rotated; the first time counts. */
  async markRotated(tx: Database, hash: Buffer, now: Date): Promise<void> {
    await tx
      .updateTable('refresh_token')
      .set({ rotatedAt: now })
      .where('hash', '=', hash)
      .where('rotatedAt', 'is', null)
      .execute();
  },

  async setLastUsed(tx: Database, id: string, now: Date): Promise<void> {
    await tx.updateTable('session').set({ lastUsedAt: now }).where('id', '=', id).execute();
  },

  /** Revokes a session; returns false where it was revoked before. */
  async revoke(tx: Database, id: string, now: Date): Promise<boolean> {
    const updated = await tx
      .updateTable('session')
      .set({ revokedAt: now })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  },

  /**
   * Ends what continues sign-ins of a user in a browser: hosted sessions and unredeemed authorization codes. The sessions
   * come first: a code that one of them grants in between is deleted as well. The user is locked before, as the deletion of
   * an account does.
   */
  async deleteHostedSignIns(tx: Database, accountId: string): Promise<void> {
    await lockAccount(tx, accountId);
    await tx.deleteFrom('hosted_session').where('accountId', '=', accountId).execute();
    await tx
      .deleteFrom('authorization_code')
      .where('accountId', '=', accountId)
      .where('sessionId', 'is', null)
      .execute();
  },

  /**
   * Revokes every session of a user, hosted sessions and unredeemed authorization codes included.
   * @param exceptId a session that remains active
   */
  async revokeAll(tx: Database, accountId: string, now: Date, exceptId?: string): Promise<void> {
    await sessionRepository.deleteHostedSignIns(tx, accountId);
    const all = tx
      .updateTable('session')
      .set({ revokedAt: now })
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null);
    await (exceptId === undefined ? all : all.where('id', '!=', exceptId)).execute();
  },

  /** Marks an SRP handshake as used; returns false where it was used before. */
  async useHandshake(tx: Database, id: string, expiresAt: Date): Promise<boolean> {
    const inserted = await tx
      .insertInto('used_handshake')
      .values({ id, expiresAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  },

  async isHandshakeUsed(db: Database, id: string): Promise<boolean> {
    const row = await db.selectFrom('used_handshake').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  },
};
