import type { Database } from '../database.ts';

/** An authorization code: what its redemption must match, and the session it led to. */
export interface AuthorizationCode {
  hash: Buffer;
  accountId: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  scope: string;
  nonce: string | null;
  signedInAt: Date;
  expiresAt: Date;
  /** Null until the code is redeemed. */
  sessionId: string | null;
}

/** The repository of authorization codes; every method takes a transaction. */
export const authorizationCodeRepository = {
  async insert(tx: Database, code: Omit<AuthorizationCode, 'sessionId'>): Promise<void> {
    await tx
      .insertInto('authorization_code')
      .values({
        hash: code.hash,
        account_id: code.accountId,
        client_id: code.clientId,
        redirect_uri: code.redirectUri,
        code_challenge: code.codeChallenge,
        scope: code.scope,
        nonce: code.nonce,
        signed_in_at: code.signedInAt,
        expires_at: code.expiresAt,
        session_id: null,
      })
      .execute();
  },

  /** Finds a code and locks its row until the transaction ends. */
  lock(tx: Database, hash: Buffer): Promise<AuthorizationCode | undefined> {
    return tx
      .selectFrom('authorization_code')
      .select([
        'hash',
        'account_id as accountId',
        'client_id as clientId',
        'redirect_uri as redirectUri',
        'code_challenge as codeChallenge',
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

export type AuthorizationCodeRepository = typeof authorizationCodeRepository;
