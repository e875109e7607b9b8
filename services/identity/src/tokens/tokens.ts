import { randomUUID } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { faults } from '../faults.ts';
import { selfScope } from '../sessions/policy.ts';
import type { Session } from '../sessions/repository.ts';
import type { Account } from '../users/subject.ts';
import type { SigningKey } from './keys.ts';

interface Ports {
  issuer: string;
  clientId: string;
  /** How long tokens are good for, in seconds. */
  lifetime: number;
  accessKey: SigningKey;
  idKey: SigningKey;
  publicKey: JWTVerifyGetKey;
  clock: () => Date;
}

const accessClaims = z.object({
  sub: z.uuid(),
  origin_jti: z.uuid(),
  token_use: z.literal('access'),
  client_id: z.string(),
  scope: z.string(),
});

/** Access and id tokens as Cognito's are: same claims, a key for each kind. */
export function createTokens(ports: Ports) {
  const { issuer, clientId, lifetime, accessKey, idKey, publicKey, clock } = ports;
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);

  const sign = (claims: JWTPayload, key: SigningKey) =>
    new SignJWT(claims).setProtectedHeader({ kid: key.id, alg: 'RS256' }).sign(key.privateKey);

  /** Tokens for a sign-in; the access token's `origin_jti` names the session. */
  async function mint(account: Account, session: Session) {
    const now = seconds(clock());
    const shared = {
      sub: account.id,
      iss: issuer,
      origin_jti: session.id,
      event_id: randomUUID(),
      auth_time: seconds(session.signedInAt),
      iat: now,
      exp: now + lifetime,
    };
    const access = {
      ...shared,
      token_use: 'access',
      client_id: clientId,
      scope: session.scope,
      username: account.id,
      jti: randomUUID(),
    };
    const id = {
      ...shared,
      token_use: 'id',
      aud: clientId,
      'cognito:username': account.id,
      email: account.email,
      email_verified: account.emailVerified,
      ...(account.givenName !== null && { given_name: account.givenName }),
      ...(account.familyName !== null && { family_name: account.familyName }),
      ...(account.phoneNumber !== null && { phone_number: account.phoneNumber }),
      jti: randomUUID(),
    };
    const [accessToken, idToken] = await Promise.all([sign(access, accessKey), sign(id, idKey)]);
    return { accessToken, idToken, expiresIn: lifetime };
  }

  /** The claims of a valid access token that may act for its owner. Whether its session goes on is not known here. */
  async function readAccessToken(token: string) {
    const verified = await jwtVerify(token, publicKey, {
      issuer,
      algorithms: ['RS256'],
      currentDate: clock(),
    }).catch((error: unknown) => {
      throw error instanceof errors.JWTExpired ? faults.accessExpired() : faults.accessInvalid();
    });
    const claims = accessClaims.safeParse(verified.payload);
    if (!claims.success || claims.data.client_id !== clientId) throw faults.accessInvalid();
    if (!claims.data.scope.split(' ').includes(selfScope)) throw faults.accessScope();
    return claims.data;
  }

  return { mint, readAccessToken };
}

export type Tokens = ReturnType<typeof createTokens>;
