import type { Database } from '../database.ts';

/** A sign-in and the tokens that follow from it. */
export interface Session {
  /** The `origin_jti` claim. */
  id: string;
  accountId: string;
  clientId: string;
  scope: string;
  signedInAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  userAgent: string | null;
  lastUsedAt: Date;
}

/** A refresh token with its session. */
export interface RefreshTokenSession extends Session {
  /** When rotation replaced the token by another. */
  rotatedAt: Date | null;
}

/** A browser's sign-in at the hosted pages, found by the SHA-256 of its cookie. */
export interface HostedSession {
  hash: Buffer;
  accountId: string;
  signedInAt: Date;
  expiresAt: Date;
}

const columns = [
  'session.id',
  'session.account_id as accountId',
  'session.client_id as clientId',
  'session.scope',
  'session.signed_in_at as signedInAt',
  'session.expires_at as expiresAt',
  'session.revoked_at as revokedAt',
  'session.user_agent as userAgent',
  'session.last_used_at as lastUsedAt',
] as const;

const MAX_LISTED_SESSIONS = 100;

/** The repository of sessions; every method takes the database or a transaction. */
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
        user_agent: session.userAgent,
        last_used_at: session.lastUsedAt,
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

  /** Returns the active sessions of a user, the most recently used first. */
  listActive(db: Database, accountId: string, now: Date): Promise<Session[]> {
    return db
      .selectFrom('session')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .limit(MAX_LISTED_SESSIONS)
      .execute();
  },

  /** Finds the session of a refresh token by the token's hash. */
  findByRefreshToken(db: Database, hash: Buffer): Promise<RefreshTokenSession | undefined> {
    return db
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.session_id')
      .select(columns)
      .select('refresh_token.rotated_at as rotatedAt')
      .where('refresh_token.hash', '=', hash)
      .executeTakeFirst();
  },

  async insertRefreshToken(tx: Database, hash: Buffer, sessionId: string, now: Date): Promise<void> {
    await tx
      .insertInto('refresh_token')
      .values({ hash, session_id: sessionId, created_at: now, rotated_at: null })
      .execute();
  },

  /** Marks a refresh token as rotated; the first time counts. */
  async markRotated(tx: Database, hash: Buffer, now: Date): Promise<void> {
    await tx
      .updateTable('refresh_token')
      .set({ rotated_at: now })
      .where('hash', '=', hash)
      .where('rotated_at', 'is', null)
      .execute();
  },

  async setLastUsed(tx: Database, id: string, now: Date): Promise<void> {
    await tx.updateTable('session').set({ last_used_at: now }).where('id', '=', id).execute();
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
   * Revokes every session of a user, hosted sessions and unredeemed authorization codes included.
   * @param exceptId a session that remains active
   */
  async revokeAll(tx: Database, accountId: string, now: Date, exceptId?: string): Promise<void> {
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
    await (exceptId === undefined ? all : all.where('id', '!=', exceptId)).execute();
  },

  /** Marks an SRP handshake as used; returns false where it was used before. */
  async useHandshake(tx: Database, id: string, expiresAt: Date): Promise<boolean> {
    const inserted = await tx
      .insertInto('used_handshake')
      .values({ id, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  },
};

export type SessionRepository = typeof sessionRepository;

/** The repository of the hosted pages' sessions. */
export const hostedSessionRepository = {
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

  async delete(db: Database, hash: Buffer): Promise<void> {
    await db.deleteFrom('hosted_session').where('hash', '=', hash).execute();
  },
};

export type HostedSessionRepository = typeof hostedSessionRepository;
