import type { Database } from '../database.ts';

/** An authorization code's row: what redeeming it must fit, and the session it gave, once it did. */
export interface Authorization {
  hash: Buffer;
  accountId: string;
  clientId: string;
  redirectUri: string;
  challenge: string;
  scope: string;
  nonce: string | null;
  signedInAt: Date;
  expiresAt: Date;
  sessionId: string | null;
}

/** Authorization codes in the database; every call takes the transaction it is part of. */
export const authorizationRepository = {
  async insert(tx: Database, given: Omit<Authorization, 'sessionId'>): Promise<void> {
    await tx
      .insertInto('authorization_code')
      .values({
        hash: given.hash,
        account_id: given.accountId,
        client_id: given.clientId,
        redirect_uri: given.redirectUri,
        challenge: given.challenge,
        scope: given.scope,
        nonce: given.nonce,
        signed_in_at: given.signedInAt,
        expires_at: given.expiresAt,
        session_id: null,
      })
      .execute();
  },

  /** A code, held for this transaction: whoever else would redeem it waits. */
  lock(tx: Database, hash: Buffer): Promise<Authorization | undefined> {
    return tx
      .selectFrom('authorization_code')
      .select([
        'hash',
        'account_id as accountId',
        'client_id as clientId',
        'redirect_uri as redirectUri',
        'challenge',
        'scope',
        'nonce',
        'signed_in_at as signedInAt',
        'expires_at as expiresAt',
        'session_id as sessionId',
      ])
      .where('hash', '=', hash)
      .forUpdate()
      .executeTakeFirst();
  },

  async markRedeemed(tx: Database, hash: Buffer, sessionId: string): Promise<void> {
    await tx
      .updateTable('authorization_code')
      .set({ session_id: sessionId })
      .where('hash', '=', hash)
      .execute();
  },
};

export type AuthorizationRepository = typeof authorizationRepository;
