import type { Database } from '../database.ts';

/** A sign-in and what follows from it. */
export interface Session {
  id: string;
  accountId: string;
  clientId: string;
  scope: string;
  signedInAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** What the browser or program called itself. */
  agent: string | null;
  usedAt: Date;
}

/** A refresh token on its session. */
export interface Refreshing extends Session {
  replacedAt: Date | null;
}

const columns = [
  'session.id',
  'session.account_id as accountId',
  'session.client_id as clientId',
  'session.scope',
  'session.signed_in_at as signedInAt',
  'session.expires_at as expiresAt',
  'session.revoked_at as revokedAt',
  'session.agent',
  'session.used_at as usedAt',
] as const;

/** Sessions in the database; every call takes the database or the transaction it is part of. */
export const sessionRepository = {
  async insert(tx: Database, session: Session): Promise<void> {
    await tx
      .insertInto('session')
      .values({
        id: session.id,
        account_id: session.accountId,
        client_id: session.clientId,
        scope: session.scope,
        signed_in_at: session.signedInAt,
        expires_at: session.expiresAt,
        revoked_at: session.revokedAt,
        agent: session.agent,
        used_at: session.usedAt,
      })
      .execute();
  },

  find(db: Database, id: string, accountId: string): Promise<Session | undefined> {
    return db
      .selectFrom('session')
      .select(columns)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
  },

  /** An account's sessions that go on, last used first, at most a hundred. */
  listOpen(db: Database, accountId: string, now: Date): Promise<Session[]> {
    return db
      .selectFrom('session')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('used_at', 'desc')
      .orderBy('id')
      .limit(100)
      .execute();
  },

  /** In: the hash of a refresh token. */
  findRefreshing(db: Database, hash: Buffer): Promise<Refreshing | undefined> {
    return db
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.session_id')
      .select(columns)
      .select('refresh_token.replaced_at as replacedAt')
      .where('refresh_token.hash', '=', hash)
      .executeTakeFirst();
  },

  async addRefreshToken(tx: Database, hash: Buffer, sessionId: string, now: Date): Promise<void> {
    await tx
      .insertInto('refresh_token')
      .values({ hash, session_id: sessionId, created_at: now, replaced_at: null })
      .execute();
  },

  /** Another token has taken its place; the first time counts. */
  async replaceRefreshToken(tx: Database, hash: Buffer, now: Date): Promise<void> {
    await tx
      .updateTable('refresh_token')
      .set({ replaced_at: now })
      .where('hash', '=', hash)
      .where('replaced_at', 'is', null)
      .execute();
  },

  async touch(tx: Database, id: string, now: Date): Promise<void> {
    await tx.updateTable('session').set({ used_at: now }).where('id', '=', id).execute();
  },

  async revoke(tx: Database, id: string, now: Date): Promise<void> {
    await tx
      .updateTable('session')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
  },

  /**
   * Ends every session of an account, at the hosted pages too, with the codes that would begin another; all but `keep`,
   * where it is given.
   */
  async revokeAll(tx: Database, accountId: string, now: Date, keep?: string): Promise<void> {
    await tx.deleteFrom('hosted_session').where('account_id', '=', accountId).execute();
    await tx
      .deleteFrom('authorization_code')
      .where('account_id', '=', accountId)
      .where('session_id', 'is', null)
      .execute();
    const all = tx
      .updateTable('session')
      .set({ revoked_at: now })
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null);
    await (keep === undefined ? all : all.where('id', '!=', keep)).execute();
  },

  /** Out: whether this is the handshake's first answer. */
  async answerHandshake(tx: Database, id: string, expiresAt: Date): Promise<boolean> {
    const inserted = await tx
      .insertInto('answered_handshake')
      .values({ id, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  },
};

export type SessionRepository = typeof sessionRepository;
