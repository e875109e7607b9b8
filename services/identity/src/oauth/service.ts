import { recordAuditEvent } from '@escucho/audit';
import type { Caller } from '../caller.ts';
import { createRandomToken, sha256 } from '../crypto.ts';
import { commitAttempt, type Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import type { TokenService } from '../tokens/service.ts';
import { getSignInError } from '../users/policy.ts';
import type { User } from '../users/user.ts';
import {
  type AuthorizationRequest,
  buildRedirectUrl,
  matchesCodeChallenge,
  type OAuthClient,
  OAuthError,
} from './policy.ts';
import { authorizationCodeRepository } from './repository.ts';

interface AuthorizationServiceDeps extends PoolDeps {
  client: OAuthClient;
  sessions: SessionService;
  tokens: TokenService;
}

/** The user who authorizes a request, and when they signed in. */
export interface Authentication {
  user: User;
  signedInAt: Date;
}

interface CodeGrant {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

const CODE_LIFETIME_MS = 5 * 60_000;

const createInvalidGrant = () =>
  new OAuthError('invalid_grant', 'The code is not, or no longer, good for this.');

const hasOpenIdScope = (scope: string) => scope.split(' ').includes('openid');

/** Creates the service that grants authorization requests and exchanges authorization codes for tokens. */
export function createAuthorizationService(deps: AuthorizationServiceDeps) {
  const { db, client, users, sessions, tokens, clock } = deps;

  async function createCode(
    tx: Database,
    request: AuthorizationRequest,
    { user, signedInAt }: Authentication,
  ) {
    const code = createRandomToken();
    await authorizationCodeRepository.insert(tx, {
      hash: sha256(code),
      accountId: user.id,
      clientId: client.clientId,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge ?? '',
      scope: request.scope,
      nonce: request.nonce ?? null,
      signedInAt,
      expiresAt: new Date(clock().getTime() + CODE_LIFETIME_MS),
      sessionId: null,
    });
    return { code };
  }

  /** Creates the session of an implicit grant; returns a function that issues its tokens. */
  async function createImplicitSession(
    tx: Database,
    { scope, nonce }: AuthorizationRequest,
    { user, signedInAt }: Authentication,
    { userAgent }: Caller,
  ) {
    const options = { now: clock(), userAgent, scope, signedInAt };
    const session = await sessions.createShortSession(tx, user, options);
    return async () => {
      const { accessToken, idToken, expiresIn } = await tokens.issueTokens(user, session, { nonce });
      return {
        access_token: accessToken,
        id_token: hasOpenIdScope(scope) ? idToken : undefined,
        token_type: 'Bearer',
        expires_in: String(expiresIn),
      };
    };
  }

  /**
   * Grants a request.
   * @returns a function that creates the URL which delivers the code or tokens. Call it after the transaction: it may read
   * the keys of the tokens, over another connection
   */
  async function grant(
    tx: Database,
    request: AuthorizationRequest,
    authentication: Authentication,
    caller: Caller,
  ): Promise<() => Promise<string>> {
    if (request.responseType === 'code') {
      const response = await createCode(tx, request, authentication);
      return async () => buildRedirectUrl(request, response);
    }
    const issueTokens = await createImplicitSession(tx, request, authentication, caller);
    return async () => buildRedirectUrl(request, await issueTokens());
  }

  /**
   * Exchanges an authorization code for tokens. A code works once, for five minutes, with the redirect URI and code
   * verifier of its request. A second use revokes the session of the first (RFC 6749, 4.1.2). A mismatch changes nothing.
   */
  async function exchangeCode(input: CodeGrant, { userAgent }: Caller) {
    const { signIn, nonce } = await commitAttempt(db, async (tx) => {
      const now = clock();
      const code = await authorizationCodeRepository.lock(tx, sha256(input.code));
      if (!code || code.clientId !== client.clientId) return createInvalidGrant();
      if (code.redirectUri !== input.redirectUri) return createInvalidGrant();
      if (!matchesCodeChallenge(input.codeVerifier, code.codeChallenge)) return createInvalidGrant();
      if (code.sessionId !== null) {
        if (await sessionRepository.revoke(tx, code.sessionId, now))
          await recordAuditEvent(tx, { type: 'authorization_code_reused', userId: code.accountId });
        return createInvalidGrant();
      }
      const user = code.expiresAt > now ? await users.findById(tx, code.accountId) : undefined;
      if (!user || getSignInError(user)) return createInvalidGrant();
      const { scope, signedInAt } = code;
      const signIn = await sessions.createSession(tx, user, { now, userAgent, scope, signedInAt });
      await authorizationCodeRepository.markRedeemed(tx, code.hash, signIn.session.id);
      return { signIn, nonce: code.nonce ?? undefined };
    });
    return createTokenResponse(signIn, nonce);
  }

  /** Creates the token endpoint's response; it has an id token for the scope `openid` only. */
  async function createTokenResponse({ user, session, refreshToken }: SignInResult, nonce?: string) {
    const { accessToken, idToken, expiresIn } = await tokens.issueTokens(user, session, { nonce });
    return {
      access_token: accessToken,
      ...(hasOpenIdScope(session.scope) && { id_token: idToken }),
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
    };
  }

  return { grant, exchangeCode, createTokenResponse };
}

export type AuthorizationService = ReturnType<typeof createAuthorizationService>;
