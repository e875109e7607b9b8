import { createHash, randomUUID } from 'node:crypto';
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import * as z from 'zod/mini';
import type { KeyUse } from '../database.ts';
import { faults } from '../faults.ts';
import { selfScope } from '../sessions/policy.ts';
import type { Session } from '../sessions/repository.ts';
import { identitiesOf } from '../users/presenter.ts';
import type { Person } from '../users/subject.ts';
import type { Keyring } from './keys.ts';

interface Ports {
  issuer: string;
  clientId: string;
  /** How long tokens are good for, in seconds. */
  lifetime: number;
  keyring: Keyring;
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

/** The half of a token's hash that `at_hash` is. */
const leftHalf = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

/** Access and id tokens as Cognito's are: same claims, a key for each kind. */
export function createTokens(ports: Ports) {
  const { issuer, clientId, lifetime, keyring, publicKey, clock } = ports;
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);

  async function sign(claims: JWTPayload, use: KeyUse): Promise<string> {
    const { id, privateKey } = await keyring(use);
    return new SignJWT(claims).setProtectedHeader({ kid: id, alg: 'RS256' }).sign(privateKey);
  }

  /** What the id token says of who it is about. */
  function profileOf(person: Person): JWTPayload {
    const identities = identitiesOf(person);
    return {
      'cognito:username': person.username,
      ...(identities && { identities }),
      ...(person.email !== null && { email: person.email, email_verified: person.emailVerified }),
      ...(person.givenName !== null && { given_name: person.givenName }),
      ...(person.familyName !== null && { family_name: person.familyName }),
      ...(person.phoneNumber !== null && { phone_number: person.phoneNumber }),
    };
  }

  /**
   * Tokens for a sign-in; the access token's `origin_jti` names the session. In an OAuth flow the id token repeats the
   * client's nonce, if any, and is tied to the access token beside it.
   */
  async function mint(person: Person, session: Session, oauth?: { nonce: string | undefined }) {
    const now = seconds(clock());
    const shared = {
      sub: person.id,
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
      username: person.username,
      jti: randomUUID(),
    };
    const signing = sign(access, 'access');
    const bound = oauth && {
      at_hash: leftHalf(await signing),
      ...(oauth.nonce !== undefined && { nonce: oauth.nonce }),
    };
    const id = {
      ...shared,
      token_use: 'id',
      aud: clientId,
      ...profileOf(person),
      ...bound,
      jti: randomUUID(),
    };
    const [accessToken, idToken] = await Promise.all([signing, sign(id, 'id')]);
    return { accessToken, idToken, expiresIn: lifetime };
  }

  const verify = (token: string, more: JWTVerifyOptions = {}) =>
    jwtVerify(token, publicKey, { ...more, issuer, algorithms: ['RS256'], currentDate: clock() });

  /** Whom a valid id token is about, or nothing. */
  async function readIdToken(token: string): Promise<string | undefined> {
    const verified = await verify(token, { audience: clientId }).catch(() => undefined);
    return verified?.payload.token_use === 'id' ? verified.payload.sub : undefined;
  }

  /**
   * The claims of a valid access token that has a scope, by default the one to act for its owner. Whether its session
   * goes on is not known here.
   */
  async function readAccessToken(token: string, scope = selfScope) {
    const verified = await verify(token).catch((error: unknown) => {
      throw error instanceof errors.JWTExpired ? faults.accessExpired() : faults.accessInvalid();
    });
    const claims = accessClaims.safeParse(verified.payload);
    if (!claims.success || claims.data.client_id !== clientId) throw faults.accessInvalid();
    if (!claims.data.scope.split(' ').includes(scope)) throw faults.accessScope();
    return claims.data;
  }

  return { mint, readAccessToken, readIdToken };
}

export type Tokens = ReturnType<typeof createTokens>;
