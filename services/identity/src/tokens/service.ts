import { randomUUID } from 'node:crypto';
import { limits } from '@escucho/contracts';
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import * as z from 'zod/mini';
import { sha256 } from '../crypto.ts';
import type { KeyUse } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import { USER_ADMIN_SCOPE } from '../oauth/policy.ts';
import type { Session } from '../sessions/repository.ts';
import { toClaims } from '../users/presenter.ts';
import type { User } from '../users/user.ts';
import type { Keyring } from './keys.ts';

interface TokenServiceDeps {
  issuer: string;
  clientId: string;
  keyring: Keyring;
  publicKey: JWTVerifyGetKey;
  clock: () => Date;
}

/** The lifetime of access and id tokens. */
export const TOKEN_LIFETIME_SECONDS = 60 * 60;

const accessTokenClaims = z.object({
  sub: z.uuid(),
  origin_jti: z.uuid(),
  token_use: z.literal('access'),
  client_id: z.string(),
  scope: z.string(),
  auth_time: z.number(),
});

/**
 * Returns whether the sign-in of an access token is recent enough for sensitive changes of the account (RFC 9470). Refreshing
 * tokens does not make it newer.
 */
export const isRecentSignIn = ({ auth_time }: { auth_time: number }, now: Date): boolean =>
  now.getTime() / 1000 - auth_time <= limits.recentSignIn.maxAgeSeconds;

/** Computes the `at_hash` claim (OpenID Connect Core, 3.1.3.6). */
const toAccessTokenHash = (token: string) => sha256(token).subarray(0, 16).toString('base64url');

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Creates the service that issues and verifies access and id tokens, with Cognito's claims and a key for each kind. */
export function createTokenService(deps: TokenServiceDeps) {
  const { issuer, clientId, keyring, publicKey, clock } = deps;

  async function sign(claims: JWTPayload, use: KeyUse): Promise<string> {
    const { id, privateKey } = await keyring(use);
    return new SignJWT(claims).setProtectedHeader({ kid: id, alg: 'RS256' }).sign(privateKey);
  }

  /**
   * Issues the tokens of a session, which `origin_jti` names. In an OAuth flow the id token also has `at_hash` and the
   * request's nonce.
   */
  async function issueTokens(user: User, session: Session, oauth?: { nonce: string | undefined }) {
    const now = toSeconds(clock());
    const commonClaims = {
      sub: user.id,
      iss: issuer,
      origin_jti: session.id,
      event_id: randomUUID(),
      auth_time: toSeconds(session.signedInAt),
      iat: now,
      exp: now + TOKEN_LIFETIME_SECONDS,
    };
    const accessClaims = {
      ...commonClaims,
      token_use: 'access',
      client_id: clientId,
      scope: session.scope,
      username: user.username,
      jti: randomUUID(),
    };
    const accessTokenSigned = sign(accessClaims, 'access');
    const oauthClaims = oauth && {
      at_hash: toAccessTokenHash(await accessTokenSigned),
      ...(oauth.nonce !== undefined && { nonce: oauth.nonce }),
    };
    const idClaims = {
      ...commonClaims,
      token_use: 'id',
      aud: clientId,
      'cognito:username': user.username,
      ...toClaims(user),
      ...oauthClaims,
      jti: randomUUID(),
    };
    const [accessToken, idToken] = await Promise.all([accessTokenSigned, sign(idClaims, 'id')]);
    return { accessToken, idToken, expiresIn: TOKEN_LIFETIME_SECONDS };
  }

  const verify = (token: string, options: JWTVerifyOptions = {}) =>
    jwtVerify(token, publicKey, { ...options, issuer, algorithms: ['RS256'], currentDate: clock() });

  /** Returns the subject of a valid id token. Throws where the keys cannot be loaded. */
  async function verifyIdToken(token: string): Promise<string | undefined> {
    const verified = await verify(token, { audience: clientId }).catch((error: unknown) => {
      if (!(error instanceof errors.JOSEError)) throw error;
      return undefined;
    });
    return verified?.payload.token_use === 'id' ? verified.payload.sub : undefined;
  }

  /**
   * Returns the claims of a valid access token with a scope. Does not check whether the session was revoked.
   * @throws NotAuthorizedException, or the database's error where the keys cannot be loaded: the token may be valid
   */
  async function verifyAccessToken(token: string, scope = USER_ADMIN_SCOPE) {
    const verified = await verify(token).catch((error: unknown) => {
      if (error instanceof errors.JWTExpired) throw cognitoErrors.accessTokenExpired();
      throw error instanceof errors.JOSEError ? cognitoErrors.accessTokenInvalid() : error;
    });
    const claims = accessTokenClaims.safeParse(verified.payload);
    if (!claims.success || claims.data.client_id !== clientId) throw cognitoErrors.accessTokenInvalid();
    if (!claims.data.scope.split(' ').includes(scope)) throw cognitoErrors.insufficientScope();
    return claims.data;
  }

  return { issueTokens, verifyAccessToken, verifyIdToken };
}

export type TokenService = ReturnType<typeof createTokenService>;
